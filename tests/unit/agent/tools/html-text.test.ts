import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlText } from "#lib/agent/tools/html-text.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";

const text = (html: string) => htmlText(html, "https://site.test/dir/page");

describe("a page as text", () => {
  it.each([
    ["plain", "plain"],
    ["<p>a</p><p>b</p>", "a\n\nb"],
    ["a<br>b<br/>c", "a\nb\nc"],
    ["<ul><li>one<li>two</ul>", "- one\n- two"],
    ["<h2>Head</h2>text", "## Head\n\ntext"],
    ["  lots \n of\t space ", "lots of space"],
    ["<pre>a\n    b</pre>", "a\n    b"],
    ["<b>bold</b> and <i>it</i>", "bold and it"],
    ["a<script>if (a < b) x('</p>')</script>b", "ab"],
    ["a<SCRIPT>x</SCRIPT >b", "ab"],
    ["a<style>p{}</style><svg><path d='x'/></svg>b", "ab"],
    ["a<script>never ends", "a"],
    ["a<!-- no <p> -->b<!doctype html>c<?php ?>d", "abcd"],
    ["a<!-- never ends", "a"],
    ["a<!-->b<!--->c<!---->d", "abcd"],
    ["a<svg viewBox='0 0 1 1'/>b<svg><path/></svg>c", "abc"],
    ["a<iframe src='x'/>b<script src=x />c", "abc"],
    ["a<script src='x'/>b</script>c", "ac"],
    [
      "1 < 2 & 3 > 2 &amp; &lt;b&gt; &#65;&#x42; &nbsp;&unknown; &#0; &#xD800;",
      "1 < 2 & 3 > 2 & <b> AB &unknown; \ufffd \ufffd",
    ],
    ['<a href="../x?a=1&amp;b">link</a>', "link (https://site.test/x?a=1&b)"],
    ["<a href=/y>link</a>", "link (https://site.test/y)"],
    ["<a href='#here'>link</a><a href='javascript:x'>js</a><a>none</a>", "linkjsnone"],
    ["<a href='/z'></a><a href='/y'>open", "open (https://site.test/y)"],
    ['<p title="a > b">x</p>', "x"],
    ['<img alt="a cat" src=x>', "[image: a cat]"],
    ["<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>", "| a | b\n| c"],
    ["<title>T</title><body>x", "T\n\nx"],
    ["a<", "a<"],
    ["a</", "a</"],
    ["<p", ""],
  ])("%j", (html, wanted) => expect(text(html)).toBe(wanted));

  it("never throws, and takes time that grows with the page alone", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "<",
            ">",
            "a",
            "<a href='",
            "'",
            '"',
            "<!--",
            "-->",
            "</script>",
            "<script>",
            "&",
            "#",
            ";",
            "<pre>",
            "\n",
            "=",
            "/",
          ),
        ),
        (parts) => text(parts.join("")) !== null,
      ),
    );
    for (const piece of [
      "<",
      "<a ",
      "<a href='x",
      "<!--",
      "<script>",
      "<script/>a<iframe/>",
      '<p title="',
      "&#",
      "&amp",
      "<li>",
      "</",
      "<a href=x>",
      "\n",
      " ",
      "<pre>",
    ]) {
      const took = cpuTimer();
      text(piece.repeat(2_000_000 / piece.length));
      expect(took(), piece).toBeLessThan(4000);
    }
  });
});
