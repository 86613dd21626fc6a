/** The look of an exported review: both themes by the reader's setting, and two A4 pages on paper. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1a1d21;--soft:#59616b;--line:#d5d9de;--paper:#fff;--series:#0072b2;--worse:#b3261e;--better:#18703f;--band:#0072b21f;--flag:#59616b}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--soft:#a3abb5;--line:#3a4048;--paper:#14171a;--series:#56b4e9;--worse:#ff8f87;--better:#63cf95;--band:#56b4e92e;--flag:#a3abb5}}
*{box-sizing:border-box}
body{margin:0 auto;padding:32px 24px;max-width:1040px;background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
h1{font-size:28px;line-height:1.25;margin:0 0 4px}
h2{font-size:14px;margin:24px 0 8px;padding-top:12px;border-top:1px solid var(--line)}
h3{font-size:14px;margin:12px 0 2px}
h4{font-size:12px;margin:0 0 2px;color:var(--soft);font-weight:600}
p{margin:0 0 8px}
.soft{color:var(--soft);font-size:12px}
.worse{color:var(--worse);font-weight:600}.better{color:var(--better);font-weight:600}
.tag{border:1px solid var(--line);border-radius:3px;padding:0 4px;color:var(--soft);font-size:12px;font-weight:400}
code,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px}
ul{margin:0;padding:0;list-style:none}li{padding:2px 0}
.changes li{display:grid;grid-template-columns:20px 1fr}
.lists,.charts{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:4px 20px}.pair{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 20px}
figure{margin:0}figcaption b{font-weight:600}
svg{display:block;width:100%;height:auto;max-width:420px}
svg text{fill:var(--soft);font:11px system-ui,sans-serif}
.axis{stroke:var(--line);fill:none}.band{fill:var(--band)}.centre{stroke:var(--series);stroke-dasharray:2 3;fill:none;opacity:.6}
.whisker{stroke:var(--series);fill:none;opacity:.55}.line{stroke:var(--series);stroke-width:1.75;fill:none}
.dot{fill:var(--series)}.thin{fill:var(--paper);stroke:var(--series);opacity:.6}.out{fill:var(--worse);stroke:var(--paper)}
.flag{fill:var(--flag);stroke:var(--flag);stroke-width:.6;stroke-dasharray:2 2}
table{border-collapse:collapse;width:100%}caption{text-align:left;font-weight:600;padding:8px 0 2px}
th,td{text-align:left;vertical-align:top;padding:4px 10px 4px 0;border-bottom:1px solid var(--line)}
th{font-weight:600}td.n,th.n{text-align:right;white-space:nowrap}
summary{cursor:pointer;color:var(--soft);font-size:12px;padding:6px 0}
footer{margin-top:24px;padding-top:12px;border-top:1px solid var(--line);color:var(--soft);font-size:12px}
@media(max-width:640px){body{padding:16px 12px}h1{font-size:20px}.lists,.charts,.pair{grid-template-columns:minmax(0,1fr)}.wide thead{display:none}.wide tr{display:block;padding:6px 0;border-bottom:1px solid var(--line)}.wide th,.wide td{display:block;border:0;padding:0;text-align:left}.wide td[data-name]::before{content:attr(data-name) " ";color:var(--soft)}}
@page{size:A4;margin:12mm}
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--series:#0072b2;--worse:#b3261e;--better:#18703f;--band:#0072b21f;--flag:#444}body{padding:0;max-width:none;font-size:10.5px;line-height:1.3}h1{font-size:18px}h2{font-size:11px;margin:9px 0 3px;padding-top:5px;break-after:avoid}h3{font-size:10.5px;margin:5px 0 0;break-after:avoid}h4,.soft,.tag,footer,code,.id{font-size:9.5px}p{margin:0 0 4px}li{padding:1px 0}th,td{padding:1px 6px 1px 0}.lists,.charts{grid-template-columns:repeat(3,minmax(0,1fr));gap:2px 14px}.pair{grid-template-columns:repeat(2,minmax(0,1fr))}svg{max-height:92px;max-width:none}.second{break-before:page}.second>:first-child h2{border:0;margin-top:0}li,tr,figure,.model{break-inside:avoid}details{display:none}footer{margin-top:6px;padding-top:4px}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`.trim();
