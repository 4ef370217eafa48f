import ModemAPI
import ModemAPIClient
import Testing

@testable import ScenarioRunner

/// `modemctl provider check` against the simulated services: what each says of credentials and of
/// the SIM's operator, for nothing.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ProviderCheckWorldTests {
  private typealias Reply = VerifyInterface.CheckProvider.Reply

  /// Name, members of modemd's file, its credential, and what is to be found.
  private static let rows:
    [(name: String, file: String, secret: (key: String, value: String)?, found: (Reply.Credentials, Reply.Coverage))] =
      {
        let truID = #""kind": "truID", "api": "https://eu.api.truid.example", "clientID": "c1ient""#
        let ip =
          #""kind": "ipification", "host": "https://api.ipification.example", "redirectURI": "com.example.app://ip/callback", "clientID": "ip""#
        let camara =
          #""kind": "camara", "root": "https://api.camara.example", "tokenEndpoint": "https://auth.camara.example/token", "clientID": "posted""#
        let mobile = #""kind": "mobileConnect", "redirectURI": "com.example.app://mc/back""#
        let issuer = mobile + #", "issuer": "https://mobileconnect.operator.example", "clientID": "mc""#
        let discovery =
          mobile
          + #", "discovery": { "url": "https://discover.exchange.example/v2/discovery", "clientID": "mc-at-exchange" }"#
        return [
          ("truid", truID, ("client-secret", "s3cret-of-truid"), (.accepted, .served)),
          ("truid-wrong", truID, ("client-secret", "wr0ng-of-truid"), (.refused, .notAsked)),
          ("british", truID + #", "networks": ["234"]"#, ("client-secret", "s3cret-of-truid"), (.accepted, .notServed)),
          ("ip", ip, ("client-secret", "s3cret-of-ip"), (.accepted, .served)),
          ("ip-wrong", ip, ("client-secret", "wr0ng-of-ip"), (.refused, .notAsked)),
          ("ip-without", ip, nil, (.notNeeded, .notAsked)),
          ("camara", camara, ("client-secret", "s3cret-of-posted"), (.accepted, .notAsked)),
          ("camara-wrong", camara, ("client-secret", "wr0ng-of-posted"), (.refused, .notAsked)),
          ("mc-issuer", issuer, ("client-secret", "operator-secret-of-mc"), (.accepted, .notAsked)),
          ("mc-issuer-wrong", issuer, ("client-secret", "wr0ng-secret-of-mc"), (.refused, .notAsked)),
          ("mc-discovery", discovery, ("discovery-secret", "exchange-secret-of-mc"), (.accepted, .served)),
          ("mc-discovery-wrong", discovery, ("discovery-secret", "wr0ng-exchange-of-mc"), (.refused, .notAsked)),
          ("project", #""kind": "firebase", "emulator": "firebase.example:9099""#, nil, (.notNeeded, .notAsked)),
        ]
      }()

  private static let scenario = """
    { "providers": [
        { "kind": "truID", "client": { "id": "c1ient", "secret": "s3cret-of-truid" }, "operators": ["26201"] },
        { "kind": "ipification", "networks": ["26201"], "clients": [ { "id": "ip", "secret": "s3cret-of-ip" } ] },
        { "kind": "camara", "clients": [ { "id": "posted", "secret": "s3cret-of-posted", "redirectURI": "app:/back" } ] },
        { "kind": "mobileConnect", "networks": ["26201"], "applications": [ { "id": "mc", "secret": "operator-secret-of-mc",
            "exchangeSecret": "exchange-secret-of-mc", "redirectURIs": ["com.example.app://mc/back"] } ] },
        { "kind": "firebase" } ],
      "modemdProviders": { \(rows.map { #""\#($0.name)": { \#($0.file) }"# }.joined(separator: ",\n")) },
      "modemdCredentials": {
        \(rows.compactMap { row in row.secret.map { #""\#(row.name).\#($0.key)": "\#($0.value)""# } }.joined(separator: ",\n")) } }
    """

  @Test func `each kind says whether it accepts the credentials and serves the operator, and nothing is spent`()
    async throws
  {
    try await Worlds.with(Self.scenario) { world in
      let client = try await world.client()
      for row in Self.rows {
        let reply = try await client.call(VerifyInterface.CheckProvider.self, .init(provider: row.name))
        #expect(reply.credentials == row.found.0, "\(row.name): \(reply.credentialsText)")
        #expect(reply.coverage == row.found.1, "\(row.name): \(reply.coverageText)")
        #expect(reply.modem != nil && !reply.credentialsText.isEmpty && !reply.coverageText.isEmpty)
      }
      // What costs: a check, an authorization, a message.
      let requests = (world.requests(.uplink) + world.requests(.network)).map(\.description)
      #expect(!requests.isEmpty)
      for word in ["check", "/authorize", "/openid-connect/auth ", "sendVerificationCode"] {
        #expect(!requests.contains { $0.contains(word) }, "\(word): \(requests)")
      }
      #expect(world.leaks.packets == 0, "\(world.leaks)")

      let shown = try await world.run(["modemctl", "provider", "check", "truid"])
      #expect(
        shown.end == .exited(0) && shown.output.contains("Credentials  accepted: "), "\(shown.output)\(shown.error)")
      #expect(shown.output.contains("Operator     served: "), "\(shown.output)")
      let refused = try await world.run(["modemctl", "provider", "check", "camara-wrong"])
      #expect(refused.end == .exited(13) && refused.output.contains("Credentials  refused: "), "\(refused.output)")
    }
  }
}
