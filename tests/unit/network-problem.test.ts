import { describe, expect, test } from "vitest";
import { isTrustProblem, networkProblem } from "#lib/network-problem.ts";

const failed = (code: string) => Object.assign(new Error("x"), { code });

describe("why no answer came", () => {
  test.each([
    ["ECONNREFUSED", "no server is listening there"],
    ["ENOTFOUND", "no such host"],
    ["EWHATEVER", null],
  ])("%s", (code, words) => expect(networkProblem(failed(code))).toBe(words));

  test("nothing is said of what has no code", () => {
    expect(networkProblem(new Error("ENOTFOUND"))).toBeNull();
    expect(networkProblem("ENOTFOUND")).toBeNull();
  });

  test.each([
    ["CERT_HAS_EXPIRED", true],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", true],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", true],
    ["ERR_TLS_CERT_ALTNAME_INVALID", true],
    ["ECONNRESET", false],
  ])("%s is a matter of trust: %s", (code, trust) => expect(isTrustProblem(failed(code))).toBe(trust));
});
