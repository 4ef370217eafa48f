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

  @Test("JSON of strangers: what its names call secret is hidden, and nothing for its digits")
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
          "match": .bool(true), "access_token": .string(Mask.hidden), "accessToken": .string(Mask.hidden),
          "number": .string(Mask.hidden), "count": .int(3), "list": .array([.string(Mask.hidden), .null]),
          "inner": .object(["phone_number": .string(Mask.hidden)]), "message": .string("ok"),
        ]))
  }

  @Test("What TS.43 calls who logs in, his packets and his machine is hidden, in any spelling")
  func entitlement() {
    let secret: [String: JSONValue] = [
      "EAP_ID": .string("0001010123456789@nai.example"), "eap-relay-packet": .string("AiIAKBcBAAADAwBA"),
      "terminal_id": .string("490154203237518"), "IMSI": .string("001010123456789"), "token": .string("zCfR"),
      "TemporaryToken": .string("tmp"), "temporary_token": .string("tmp"), "msisdn": .string("447700900123"),
      "SimID": .string("8949000000000000017"), "operator_token": .string("x"),
    ]
    guard case .object(let shown) = Mask.json(.object(["ap2014": .object(secret)]))["ap2014"] else {
      Issue.record("no object")
      return
    }
    for (name, value) in shown { #expect(value == .string(Mask.hidden), "\(name)") }
    #expect(shown.count == secret.count)
    let open: JSONValue = .object([
      "OperationResult": .string("1"), "SimIdType": .string("ICCID"), "app": .string("ap2014"),
      "entitlement_version": .string("12.0"), "terminal_vendor": .string("Lnx"),
    ])
    #expect(Mask.json(open) == open)
  }

  @Test("No id of a check is hidden, whatever its digits, and what is hidden says how it is shown")
  func identifiers() {
    for index in 0..<2000 {
      // As tru.ID's, a UUID; and a number as other providers count.
      let id = "\(1_000_000 + index * 7919)-0000-4000-8000-\(100_000_000_000 + index * 104_729)"
      let body = JSONValue.object(["check_id": .string(id), "trace": .int(447_700_900_000 + index)])
      #expect(CheckInterface.Answer(status: 200, json: body).masked().json == body)
    }
    #expect(Mask.hidden.contains("--reveal"))
    #expect(Mask.json(.object(["idToken": .string("x")])) == .object(["idToken": .string("•••• (--reveal)")]))
    #expect(Mask.json(.object(["proof": .string("eyJhbGciOiJSUzI1NiJ9.e30.c2ln")]))["proof"]?.string == Mask.hidden)
  }

  @Test("Who asked for a code gets it, and no token beside it")
  func code() {
    let body = JSONValue.object(["code": .string("PERMISSION_DENIED")])
    #expect(CheckInterface.Answer(status: 200, json: body).masked().json == body)
    #expect(CheckInterface.Answer(status: 403, json: body).masked().json == body)
    #expect(CheckInterface.Answer(status: 200, base64: "AAAA").masked().base64 == Mask.hidden)
    let reached = CheckInterface.Redirect(
      uri: "myapp://done?code=c1&state=s1&id_token=t", parameters: ["code": "c1", "state": "s1", "id_token": "t"])
    #expect(reached.masked().parameters == ["code": "c1", "state": "s1", "id_token": Mask.hidden])
    #expect(reached.masked().uri == "myapp://done?code=••••&state=••••&id_token=••••")
    let harmless = CheckInterface.Redirect(
      uri: "myapp://done?code=c1&state=s1", parameters: ["code": "c1", "state": "s1"])
    #expect(harmless.masked() == harmless)
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
    #expect(Mask.uri(uri) == masked)
  }
}
