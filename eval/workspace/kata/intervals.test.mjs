import assert from "node:assert/strict";
import { mergeIntervals } from "./intervals.mjs";

assert.deepEqual(mergeIntervals([]), []);
assert.deepEqual(mergeIntervals([[5, 8], [1, 3]]), [[1, 3], [5, 8]]);
assert.deepEqual(mergeIntervals([[1, 4], [3, 6], [6, 7]]), [[1, 7]]);
assert.deepEqual(mergeIntervals([[1, 10], [2, 3]]), [[1, 10]]);

const given = [[4, 5], [1, 4]];
assert.deepEqual(mergeIntervals(given), [[1, 5]]);
assert.deepEqual(given, [[4, 5], [1, 4]]);

console.log("ok");
