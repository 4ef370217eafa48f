import JSONTree
import MobileConnectAPI
import ModemAPI
import Testing

@testable import MobileConnectCommands
@testable import ModemctlCore

@Suite("Mobile Connect in modemctl")
struct MobileConnectReplyTests {
  typealias Wire = MobileConnectInterface

  static let tokens = Wire.Tokens(
    accessToken: "access-1", tokenType: "Bearer", expiresIn: 3600, refreshToken: "refresh-1", idToken: "id-token-1",
    claims: .object([
      "iss": .string("https://op.example"), "sub": .string("pcr-1"), "acr": .int(2),
      "amr": .array([.string("SEAM_OK")]), "nonce": .string("nonce-1"), "exp": .int(1_700_000_000),
    ]), subject: "pcr-1")

  static func shown(_ findings: [(String, String?)]) -> [String: String] {
    Dictionary(findings.map { ($0.0, $0.1 ?? "-") }) { first, _ in first }
  }

  @Test("What a login gave stands beside its outcome; what opens a door is masked, how it was done is not")
  func login() {
    let reply = Wire.Login.Reply(event: .outcome, tokens: Self.tokens)
    let open = Self.shown(reply.findings)
    #expect(open["user"] == "pcr-1" && open["access token"] == "access-1" && open["good for"] == "3600 s")
    #expect(open["issuer"] == "https://op.example" && open["assurance"] == "2" && open["means"] == "SEAM_OK")
    let masked = reply.masked()
    let text = JSONText.line(masked)
    for secret in ["access-1", "refresh-1", "id-token-1", "pcr-1", "nonce-1"] { #expect(!text.contains(secret)) }
    #expect(Self.shown(masked.findings)["means"] == "SEAM_OK" && masked.tokens?.claims?["exp"] == .int(1_700_000_000))
    let asked = Wire.AskAtHandset.Reply(event: .outcome, tokens: Self.tokens).masked()
    let fresh = Wire.Refresh.Reply(event: .outcome, tokens: Self.tokens).masked()
    #expect(asked.tokens == masked.tokens && fresh.tokens == masked.tokens)
  }

  @Test("What the operator tells of a person is masked whole, in every place")
  func information() {
    let told = Wire.Information(
      subject: "pcr-1", name: "Ada B", givenName: "Ada", familyName: "B-name", title: "Dr",
      phoneNumber: "+447700900123",
      phoneNumberAlternate: String(repeating: "a1", count: 32), email: "a@b.example", emailVerified: true,
      address: .init(formatted: "1 Road\nTown", country: "GB"), birthdate: "1990-01-02", nationalIdentifier: "N123",
      idToken: "id-token-1", accessToken: "access-1",
      all: .object(["name": .string("Ada B"), "age": .int(36), "known": .bool(true), "more": .array([.string("x-1")])]))
    for reply in [
      Wire.UserInfo.Reply(event: .outcome, information: told).masked().information,
      Wire.Identity.Reply(event: .outcome, information: told).masked().information,
      Wire.Login.Reply(event: .outcome, information: told).masked().information,
    ] {
      let text = reply.map { JSONText.line($0) } ?? ""
      for secret in [
        "pcr-1", "Ada", "B-name", "4477009001", "a1a1a1", "a@b", "1 Road", "1990", "N123", "id-token", "access-1", "36",
        "x-1",
      ] { #expect(!text.contains(secret), "\(secret)") }
      #expect(reply?.phoneNumber?.hasSuffix("23") == true && reply?.emailVerified == true && reply?.name != nil)
    }
    let open = Self.shown(Wire.Identity.Reply(event: .outcome, information: told).findings)
    #expect(open["address"] == "1 Road, Town, GB" && open["email verified"] == "yes" && open["national id"] == "N123")
  }

  @Test("An operator's data are shown, and whose number it is is not")
  func discovery() {
    let reply = Wire.Discover.Reply(
      event: .outcome,
      discovery: .init(
        found: .init(
          name: "Example\u{1b}[2J", country: "UK", clientID: "app-1", issuer: "https://op.example",
          endpoints: ["token": "https://op.example/token"], versions: ["mc_v1.1", "mc_v2.0"], scopes: [], acrValues: [],
          loginHintMethods: []), way: .network, subscriberID: "cafe01", subscriberIDToken: "cafe02", kept: true,
        stale: true))
    let open = Self.shown(reply.findings)
    #expect(
      open["found by"] == "network" && open["versions"] == "mc_v1.1, mc_v2.0" && open["subscriber id"] == "cafe01")
    #expect(open["token"] == "https://op.example/token" && open["answer"]?.hasPrefix("out of date") == true)
    #expect(open["operator"]?.contains("\u{1b}") == false)
    let masked = JSONText.line(reply.masked())
    #expect(!masked.contains("cafe0") && masked.contains("op.example"))
  }

  @Test("A code that was asked for is shown, with all that ties it to its request: it works once")
  func authorization() {
    let reply = Wire.Authorize.Reply(
      event: .outcome,
      authorization: .init(
        code: "code-1", state: "state-1", nonce: "nonce-1", redirect: "https://app.example/b?code=code-1&state=state-1",
        version: "mc_v2.0"))
    let text = JSONText.line(reply.masked())
    for secret in ["code-1", "state-1", "nonce-1"] { #expect(text.contains(secret)) }
    #expect(text.contains("mc_v2.0") && text.contains("app.example") && Self.shown(reply.findings)["code"] == "code-1")
  }
}
