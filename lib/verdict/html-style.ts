/** The look of an exported verdict: both themes by the reader's setting, and two A4 pages on paper. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1a1d21;--soft:#59616b;--line:#d5d9de;--paper:#fff;--better:#0072b2;--worse:#c44e00;--same:#9aa3ad;--accent:#0b5cad}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--soft:#a3abb5;--line:#3a4048;--paper:#14171a;--better:#56b4e9;--worse:#f0913f;--same:#6b747e;--accent:#8ec1f5}}
*{box-sizing:border-box}
body{margin:0 auto;padding:32px 24px;max-width:760px;background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:28px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
h1 .outcome{white-space:nowrap;margin-right:.25em}
h2{font-size:14px;margin:24px 0 8px;padding-top:12px;border-top:1px solid var(--line)}
p{margin:0 0 8px;max-width:72ch;overflow-wrap:anywhere}
.lead{font-size:20px;line-height:1.35}
.soft{color:var(--soft)}
code,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px;overflow-wrap:anywhere}
svg{display:block;width:100%;height:auto;max-width:520px}
svg text{fill:var(--ink);font:11px system-ui,sans-serif}
rect.better{fill:var(--better)}rect.worse{fill:var(--worse)}rect.same{fill:var(--same)}rect.mark{fill:var(--accent)}
line.floor{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:4 3}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:4px 8px 4px 0;border-bottom:1px solid var(--line)}
td{overflow-wrap:anywhere}
th{font-weight:600;white-space:nowrap}td.n,th.n{text-align:right}:is(td,th).n+:not(.n){padding-left:16px}
ul{margin:0;padding:0;list-style:none}li{padding:2px 0;overflow-wrap:anywhere}
.sign{display:inline-block;width:1.5em;font-weight:600}
footer{margin-top:24px;padding-top:12px;border-top:1px solid var(--line);color:var(--soft);font-size:12px}
@media(max-width:480px){body{padding:16px 12px}h1{font-size:20px}.lead{font-size:16px}th,td{font-size:12px;padding-right:6px}th{white-space:normal}}
@page{size:A4;margin:14mm}
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--better:#0072b2;--worse:#c44e00;--same:#9aa3ad}body{padding:0;max-width:none;font-size:11px;line-height:1.35}h1{font-size:20px}.lead{font-size:14px}h2{margin:12px 0 4px;padding-top:6px;break-after:avoid}svg{max-width:400px}th,td{padding:2px 6px 2px 0}li,tr,svg{break-inside:avoid}.many{columns:2}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`.trim();
