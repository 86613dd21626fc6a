/**
 * Merges intervals [from, to] that overlap or touch, and gives them in order of their start. The list that was given,
 * and the intervals in it, stay as they are.
 */
export function mergeIntervals(intervals) {
  throw new Error("not written yet");
}
