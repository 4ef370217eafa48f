import AuthCore
import JSONTree
import Testing
import TokenSigning

/// The tokens of RFC 7515, appendix A, with the keys that are printed there.
@Suite("Tokens of RFC 7515, appendix A")
struct PublishedExamplesTests {
  static let claims =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
  static let hs256 = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(claims).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let rs256 =
    "eyJhbGciOiJSUzI1NiJ9.\(claims)."
    + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t"
    + "1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12j"
    + "zDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQ"
    + "Ge77Rw"
  static let es256 =
    "eyJhbGciOiJFUzI1NiJ9.\(claims)."
    + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
  static let none = "eyJhbGciOiJub25lIn0.\(claims)."

  static let rsaKey = JSONValue.object([
    "kty": .string("RSA"), "e": .string("AQAB"),
    "n": .string(
      "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pC"
        + "gNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapH"
        + "g665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h"
        + "4FRWyuXpoQ"),
  ])
  static let ecKey = JSONValue.object([
    "kty": .string("EC"), "crv": .string("P-256"), "x": .string("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
    "y": .string("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"),
  ])
  static let sharedKey = JSONValue.object([
    "kty": .string("oct"),
    "k": .string("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"),
  ])

  @Test(
    "Those of published keys are good; of a shared key and of none no key is even tried",
    arguments: [
      (rs256, SignatureVerdict.good), (es256, .good), (hs256, .algorithmRefused), (none, .algorithmRefused),
    ])
  func examples(token: String, verdict: SignatureVerdict) async {
    let keys = JSONValue.object(["keys": .array([Self.sharedKey, Self.rsaKey, Self.ecKey])])
    #expect(await TokenSignature.verdict(on: Secret(token), by: keys) == verdict)
  }

  @Test("Each changed character of a signature makes it a forged one, or no token", arguments: [rs256, es256])
  func changed(token: String) async {
    let keys = JSONValue.object(["keys": .array([Self.rsaKey, Self.ecKey])])
    let start = token.lastIndex(of: ".").map { token.index(after: $0) } ?? token.startIndex
    for index in token.indices[start...] {
      let other = token[index] == "A" ? "B" : "A"
      let text = token.replacingCharacters(from: index, with: other)
      let verdict = await TokenSignature.verdict(on: Secret(text), by: keys)
      #expect(verdict == .forged || verdict == .malformed, "\(text)")
    }
  }
}

extension String {
  /// This text with one character replaced.
  fileprivate func replacingCharacters(from index: Index, with text: String) -> String {
    String(self[..<index]) + text + String(self[self.index(after: index)...])
  }
}
