import Testing

@testable import ScenarioRunner
import modem_simulator

@Suite struct SecretSearchTests {
  private static let scenario = """
    { "sim": { "state": "pinRequired", "numbers": ["+4915112345678"], "imsi": "262019876543210",
               "iccid": "8949020000055556666", "pin": "4831", "puk": "90817263" },
      "subscribers": [ { "number": "+447700900123" } ],
      "providers": [ { "kind": "sample", "secret": "very/secret+word" } ],
      "modemdCredentials": { "one.key": "-----BEGIN KEY-----\\nMIGHAgEAMBMGByqGSM49\\nAgEGCCqGSM49AwEHBG0w\\n-----END KEY-----" } }
    """

  private func kinds(_ line: String) throws -> [String] {
    let search = SecretSearch(
      try Scenario(text: Self.scenario), issued: [("code", "482913"), ("token", "ab12cd34ef56")])
    let findings = search.findings(in: CollectedText(name: "modemd.log", text: "first\n\(line)\nlast"))
    #expect(findings.allSatisfy { $0.file == "modemd.log" && $0.line == 2 })
    return findings.map(\.kind)
  }

  @Test(arguments: [
    ("number=+4915112345678", "number"), ("number=%2B4915112345678&x=1", "number"), ("4915112345678", "number"),
    ("call 015112345678 now", "number"), ("1512345678", "number"), ("0151 1234-5678", "number"),
    ("(0151) 123 456 78", "number"), ("+44 7700 900123", "number"), ("IMSI 262019876543210", "IMSI"),
    ("9876543210", "IMSI"), ("iccid: 8949020000055556666", "ICCID"), ("PIN 4831.", "PIN"), ("puk=90817263", "PUK"),
    ("very/secret+word", "client secret"), ("secret=very%2Fsecret%2Bword", "client secret"),
    // `sample:very/secret+word` and `client:very/secret+word`.
    ("Basic c2FtcGxlOnZlcnkvc2VjcmV0K3dvcmQ=", "client secret"),
    ("Basic Y2xpZW50OnZlcnkvc2VjcmV0K3dvcmQ=", "client secret"),
    // `{"n":"+4915112345678"}`
    ("eyJuIjoiKzQ5MTUxMTIzNDU2NzgifQ", "number"),
    ("the line AgEGCCqGSM49AwEHBG0w of a key", "credential one.key"),
    ("code 482913, at once", "code"), ("token=ab12cd34ef56&", "token"), ("xab12cd34ef56x", "token"),
    // SHA-256 of `+4915112345678`.
    ("HASH", "number"),
  ])
  func `a secret is found in each form in which it may stand`(line: String, kind: String) throws {
    let hash = SecretForms.ofNumber("+4915112345678").compactMap { form in
      if case .part(let text) = form, text.utf8.count == 64 { text } else { nil }
    }
    #expect(hash.count == 2)
    #expect(try kinds(line == "HASH" ? hash[0] : line) == [kind])
  }

  @Test(arguments: [
    "", "+49…78", "2026-11-22T06:51:58.123Z modemd: started", "port 14831, 48311", "x4831", "148291300 4829130",
    "-----BEGIN KEY-----", "10.64.0.2 to 198.51.100.10 port 443", "345678", "secret", "262-01",
  ])
  func `other lines have none`(line: String) throws { #expect(try kinds(line) == []) }

  @Test func `a PIN that nobody is asked for is none`() throws {
    let search = SecretSearch(try Scenario(text: "{}"))
    #expect(search.findings(in: CollectedText(name: "log", text: "1234")).isEmpty)
  }

  @Test func `what is found is named and not shown`() throws {
    let search = SecretSearch(try Scenario(text: Self.scenario))
    let texts = ["a", "b"].map { CollectedText(name: $0, text: "\n262019876543210 +447700900123\n") }
    #expect(
      search.findings(in: texts).map(\.description) == [
        "a, line 2: IMSI", "a, line 2: number", "b, line 2: IMSI", "b, line 2: number",
      ])
  }

  @Test func `Base64 finds a text at each place in a group`() {
    let forms = SecretForms.base64Forms(of: "very/secret+word")
    #expect(forms.count >= 3 && forms.allSatisfy { $0.utf8.count >= 19 })
    #expect(SecretForms.base64Forms(of: "short").isEmpty)
  }
}
