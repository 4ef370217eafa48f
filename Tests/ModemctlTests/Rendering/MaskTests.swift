import ModemAPI
import Testing
import Varlink

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("Masks")
struct MaskTests {
  @Test(
    "Digits",
    arguments: [
      ("+447700900123", 2, "•••••••••••23"), ("8949000000000000017", 4, "•••••••••••••••0017"), ("123", 2, "••••"),
      ("", 0, "••••"), ("12345", 2, "••••"), ("123456", 2, "••••56"), ("001010123456789", 0, "•••••••••••••••"),
    ])
  func digits(text: String, readable: Int, masked: String) {
    #expect(Mask.digits(text, readable: readable) == masked)
  }

  @Test(
    "Text of strangers",
    arguments: [
      ("", ""), ("no match", "no match"), ("status 404, 12 ms", "status 404, 12 ms"), ("+447700900123", "••••"),
      ("tel:+447700900123;ext", "tel:••••;ext"), ("1234567", "••••"), ("123456", "123456"),
      ("2a2c21787654d2e0", "2a2c21787654d2e0"), ("tel447700900123", "••••"),
      ("eyJhbGciOiJSUzI1NiJ9abc.def", "••••"), ("averylongwordwithoutanynumber", "averylongwordwithoutanynumber"),
      ("äöü 00447700900123 ß", "äöü •••• ß"),
    ])
  func text(text: String, masked: String) { #expect(Mask.text(text) == masked) }

  @Test("JSON of strangers: what its names call secret, and what looks so")
  func json() {
    let value = JSONValue.object([
      "match": .bool(true), "access_token": .string("abc"), "accessToken": .int(7), "number": .int(447_700_900_123),
      "count": .int(3), "list": .array([.string("+447700900123"), .null]),
      "inner": .object(["phone_number": .string("x")]),
      "message": .string("ok"),
    ])
    #expect(
      Mask.json(value)
        == .object([
          "match": .bool(true), "access_token": .string("••••"), "accessToken": .string("••••"),
          "number": .string("••••"), "count": .int(3), "list": .array([.string("••••"), .null]),
          "inner": .object(["phone_number": .string("••••")]), "message": .string("ok"),
        ]))
  }

  @Test("A code is a secret in a success, and says what is wrong in an error")
  func code() {
    let body = JSONValue.object(["code": .string("PERMISSION_DENIED")])
    #expect(CheckInterface.Answer(status: 200, json: body).masked().json == .object(["code": .string("••••")]))
    #expect(CheckInterface.Answer(status: 403, json: body).masked().json == body)
    #expect(CheckInterface.Answer(status: 200, base64: "AAAA").masked().base64 == "••••")
  }

  @Test(
    "Redirect URIs keep scheme, authority and path",
    arguments: [
      ("myapp://done", "myapp://done"), ("https://a.example/b?", "https://a.example/b?"),
      ("https://a.example/b?code=x", "https://a.example/b?code=••••"),
      ("https://a.example/b?code=x=y&flag&e=", "https://a.example/b?code=••••&flag&e=••••"),
      ("myapp:/cb#access_token=x&state=y", "myapp:/cb#access_token=••••&state=••••"),
    ])
  func redirect(uri: String, masked: String) {
    #expect(CheckInterface.Redirect(uri: uri, parameters: [:]).masked().uri == masked)
  }
}
