import assert from "node:assert/strict";
import { slug } from "./slug.mjs";

assert.equal(slug("Tides"), "tides");
assert.equal(slug("High water, north quay"), "high-water-north-quay");
assert.equal(slug("  What's next?  "), "what-s-next");
assert.equal(slug("1.5 -- 2"), "1-5-2");
assert.equal(slug("!!!"), "");

console.log("ok");
