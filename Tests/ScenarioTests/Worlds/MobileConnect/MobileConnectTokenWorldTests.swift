import Crypto
import CryptoExtras
import JSONTree
import MobileConnectAPI
import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing

/// Mobile Connect's tokens in a world: wrong ones are refused by name, and good ones are used,
/// renewed and taken back.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct MobileConnectTokenWorldTests {
  typealias Kit = MobileConnectWorld
  typealias API = MobileConnectInterface

  /// What an ID token gets wrong, and the check that must find it.
  static let wrongs: [(fault: String, code: String)] = [
    ("signature", "signature"), ("unknownKey", "signature"), ("algorithmNone", "alg"), ("sharedKey", "alg"),
    ("malformedIDToken", "form"), ("missingIDToken", "id_token"), ("iss", "iss"), ("aud", "aud"), ("azp", "azp"),
    ("missingAzp", "azp"), ("nonce", "nonce"), ("missingNonce", "nonce"), ("exp", "exp"), ("missingExp", "exp"),
    ("iat", "iat"), ("futureIat", "iat"), ("at_hash", "at_hash"), ("missingAtHash", "at_hash"), ("acr", "acr"),
    ("missingAcr", "acr"), ("amr", "amr"), ("hashed_login_hint", "hashed_login_hint"),
    ("missingHashedLoginHint", "hashed_login_hint"), ("missingMetadata", "iss"),
  ]

  @Test func `a wrong token is refused by the name of the check that it fails`() async throws {
    let entries = Self.wrongs.map { wrong in
      // Files have small letters and dashes.
      Kit.Entry(
        name: wrong.fault.lowercased().replacing("_", with: "-"), application: #", "faults": ["\#(wrong.fault)"]"#,
        file: #", "sendsNumber": true"#)
    }
    try await Worlds.with(Kit.scenario(entries)) { world in
      for (entry, wrong) in zip(entries, Self.wrongs) {
        let run = try await Kit.login(world, with: entry.name)
        #expect(run.outcome?.result == .tokenRefused && run.outcome?.code == wrong.code, "\(wrong.fault): \(run.words)")
        #expect(run.tokens == nil, "\(wrong.fault)")
      }
      #expect(world.leaks.packets == 0 && world.requests(.uplink).isEmpty)
    }
  }

  @Test func `tokens are used, renewed and taken back, and keys may change`() async throws {
    let scope = #", "scope": ["mc_authn", "profile", "mc_identity_signup"]"#
    let entries = [
      Kit.Entry(name: "plain", file: scope),
      Kit.Entry(name: "signed", application: #", "answersInTokens": true"#, file: scope),
      Kit.Entry(
        name: "forged", application: #", "answersInTokens": true, "faults": ["attributeSignature"]"#, file: scope),
      Kit.Entry(name: "another", application: #", "faults": ["otherSubject"]"#, file: scope),
      Kit.Entry(name: "refused", application: #", "faults": ["refusedAttributes"]"#, file: scope),
    ]
    try await Worlds.with(Kit.scenario(entries)) { world in
      for (name, result, code) in [
        ("plain", API.Outcome.Result.signedIn, nil), ("signed", .signedIn, nil), ("forged", .tokenRefused, "signature"),
        ("another", .stateMismatch, nil), ("refused", .expired, "invalid_token"),
      ] as [(String, API.Outcome.Result, String?)] {
        let run = try await Kit.login(world, with: name, information: .premiuminfo)
        #expect(run.outcome?.result == result && run.outcome?.code == code, "\(name): \(run.words)")
        #expect(run.information?.birthdate == (result == .signedIn ? "1990-02-28" : nil), "\(name)")
        #expect(run.information?.address?.city == (result == .signedIn ? "Sampletown" : nil), "\(name)")
      }
      try await Self.expectLife(world)
      _ = try await world.perform("tell mobileConnect.key operator-2")
      let renamed = try await Kit.login(world, with: "plain")
      #expect(renamed.outcome?.result == .signedIn, "\(renamed.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  /// A token from its beginning to its end.
  private static func expectLife(_ world: World) async throws {
    let client = try await world.client()
    let first = try #require(try await Kit.login(world, with: "plain").tokens)
    let info = try await client.call(
      API.UserInfo.self, .init(accessToken: first.accessToken, subject: first.subject, provider: "plain"))
    #expect(info.outcome?.result == .authorized && info.information?.givenName == "Alex", "\(info.outcome?.text ?? "")")
    let identity = try await client.call(
      API.Identity.self, .init(accessToken: first.accessToken, subject: first.subject, provider: "plain"))
    #expect(identity.information?.title == "Dr" && identity.information?.phoneNumber == Kit.own)
    let refresh = try #require(first.refreshToken)
    let second = try await client.call(
      API.Refresh.self, .init(refreshToken: refresh, subject: first.subject, provider: "plain"))
    let fresh = try #require(second.tokens, "\(second.outcome?.text ?? "")")
    #expect(fresh.accessToken != first.accessToken && fresh.subject == first.subject)
    let again = try await client.call(API.Refresh.self, .init(refreshToken: refresh, provider: "plain"))
    #expect(again.outcome?.result == .expired && again.outcome?.code == "invalid_grant")
    let revoked = try await client.call(
      API.Revoke.self, .init(token: try #require(fresh.refreshToken), kind: .refresh, provider: "plain"))
    #expect(revoked.outcome?.result == .authorized, "\(revoked.outcome?.text ?? "")")
    let after = try await client.call(
      API.UserInfo.self, .init(accessToken: fresh.accessToken, provider: "plain"))
    #expect(after.outcome?.result == .expired && after.outcome?.code == "invalid_token")
  }

  @Test func `a number is that of the SIM, or it is not, by the operator's word`() async throws {
    let entries = [
      Kit.Entry(name: "plus"), Kit.Entry(name: "plain", source: .endpoints, file: #", "validation": "plain""#),
      Kit.Entry(name: "trusting", application: #", "trustsHint": true"#, file: #", "validation": "plain""#),
    ]
    try await Worlds.with(Kit.scenario(entries)) { world in
      let client = try await world.client()
      for (provider, number, result, code) in [
        ("plus", Kit.own, API.Outcome.Result.verified, nil), ("plus", Kit.stranger, .notVerified, "MSISDN_mismatch"),
        ("plus", Kit.foreigner, .notVerified, "MSISDN_mismatch"), ("plain", Kit.own, .verified, nil),
        ("plain", Kit.stranger, .notVerified, "MSISDN_mismatch"), ("trusting", Kit.own, .verified, nil),
        // The operator asked at another handset: that says nothing of this SIM.
        ("trusting", Kit.stranger, .headerMissing, nil),
      ] as [(String, String, API.Outcome.Result, String?)] {
        let reply = try await client.call(API.Validate.self, .init(number: number, provider: provider))
        let outcome = try #require(reply.outcome)
        #expect(outcome.result == result && outcome.code == code, "\(provider): \(outcome.result) \(outcome.text)")
        #expect(outcome.number == (result == .verified ? .matches : result == .notVerified ? .differs : nil))
      }
      let asked = try await client.call(VerifyInterface.Number.self, .init(number: Kit.own, provider: "plus"))
      #expect(asked.outcome?.result == .verified && asked.outcome?.kind == "mobileConnect")
      #expect(world.leaks.packets == 0 && world.requests(.uplink).isEmpty)
    }
  }

  @Test func `the operator asks at the handset, and is asked for the answer`() async throws {
    let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let text = { (text: String) in JSONValue.string(text).text }
    let entry = Kit.Entry(
      name: "asking", application: #", "polls": 1, "key": \#(text(key.publicKey.pemRepresentation))"#,
      file: #", "scope": ["mc_atp"], "serverInitiated": { "keyID": "k1" }"#)
    let credentials = [#""asking.request-key": \#(text(key.pkcs8PEMRepresentation))"#]
    try await Worlds.with(Kit.scenario([entry], credentials: credentials)) { world in
      let client = try await world.client()
      let asked = try await client.call(API.AskAtHandset.self, .init(provider: "asking"))
      #expect(asked.outcome?.result == .signedIn, "\(asked.outcome?.text ?? "")")
      #expect(asked.tokens?.claims?["amr"]?.items == [.string("USSD_OK")])
      _ = try await world.perform("tell mobileConnect.user refuses")
      let refused = try await client.call(API.AskAtHandset.self, .init(provider: "asking"))
      #expect(refused.outcome?.result == .userRefused, "\(refused.outcome?.text ?? "")")
    }
  }
}
