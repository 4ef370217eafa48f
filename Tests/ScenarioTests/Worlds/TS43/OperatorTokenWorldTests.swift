import CAMARAAPI
import Crypto
import JSONTree
import ModemAPI
import ModemModel
import TS43API
import Testing

@testable import ScenarioRunner

/// An operator token from the entitlement server, spent at the same operator's CAMARA: the SIM's
/// answer in place of a login over the bearer.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct OperatorTokenWorldTests {
  private static let key = P256.Signing.PrivateKey()

  /// Clients, by what goes wrong for them.
  private static let clients: [(id: String, way: String, more: String)] = [
    ("signed", "jwtBearer", ""), ("polled", "ciba", #", "pendingPolls": 1"#),
    ("unsigned", "jwtBearer", #", "token": { "status": 400, "code": "invalid_grant" }"#),
    ("denied", "ciba", #", "pollError": "access_denied""#),
    ("unhinted", "ciba", #", "hint": { "status": 400, "code": "unknown_user_id" }"#),
  ]

  private static var scenario: String {
    func text(_ text: String) -> String { JSONValue.string(text).text }
    let registered = clients.map {
      #"{ "id": "\#($0.id)", "key": \#(text(key.publicKey.pemRepresentation)), "redirectURI": "app:/back"\#($0.more) }"#
    }
    let files = clients.map { client in
      """
      "\(client.id)": { "kind": "camara", "root": "https://api.camara.example", "clientID": "\(client.id)",
        "tokenEndpoint": "https://auth.camara.example/token", "keyAlgorithm": "ES256", "keyID": "k1",
        \(client.way == "ciba" ? #""backchannelEndpoint": "https://auth.camara.example/bc-authorize", "# : "")
        "authorization": "\(client.way)", "operatorTokensFrom": "sim", "route": "host" }
      """
    }
    let credentials = clients.map { #""\#($0.id).client-key": \#(text(key.pemRepresentation))"# }
    return """
      { \(TS43World.refusal)"providers": [ { "kind": "ts43" }, { "kind": "camara", "clients": [ \(registered.joined(separator: ", ")) ] } ],
        "subscribers": [ { "number": "\(TS43World.own)" }, { "number": "\(TS43World.neighbour)" } ],
        "modemdProviders": { "sim": { "kind": "ts43" }, \(files.joined(separator: ",\n")) },
        "modemdCredentials": { \(credentials.joined(separator: ", ")) } }
      """
  }

  @Test func `the SIM's operator token verifies and reads a number at CAMARA, by both grants`() async throws {
    try await Worlds.with(Self.scenario) { world in
      for client in ["signed", "polled"] {
        for (number, result) in [
          (TS43World.own, VerifyInterface.Outcome.Result.verified), (TS43World.neighbour, .notVerified),
        ] {
          let flow = try await TS43World.flow(
            NumberVerificationInterface.Verify.self, .init(number: number, provider: client), in: world)
          #expect(flow.outcome?.result == result && flow.outcome?.proof == .sim, "\(client): \(flow.words)")
          #expect(flow.outcome?.provider == client && flow.hops == 0)
        }
        let read = try await TS43World.flow(
          NumberVerificationInterface.DevicePhoneNumber.self, .init(provider: client), in: world)
        #expect(read.outcome?.result == .numberRead && read.reply?.number == TS43World.own, "\(client): \(read.words)")
        let run = try await world.run(["modemctl", "verify", TS43World.own, "--route", "network", "--provider", client])
        #expect(run.end == .exited(0), "\(client): \(run.error)")
      }
      #expect(world.modem.snapshot.challenges == 1, "each question has a temporary token, and no login but the first")
      for client in ["unsigned", "denied", "unhinted"] {
        let flow = try await TS43World.flow(
          NumberVerificationInterface.Verify.self, .init(number: TS43World.own, provider: client), in: world)
        #expect(flow.outcome != nil && flow.outcome?.number == nil, "\(client): \(flow.words)")
        #expect(flow.outcome?.result != .verified && flow.outcome?.result != .notVerified)
      }
      // A token that the operator never gave.
      _ = try await world.perform(#"tell ts43.faults [{"fault":"temporaryToken","text":"a-token-of-nobody"}]"#)
      let spent = try await TS43World.flow(
        NumberVerificationInterface.Verify.self, .init(number: TS43World.own, provider: "signed"), in: world)
      #expect(spent.outcome?.number == nil && spent.outcome?.result != .verified, "\(spent.words)")
      #expect(try await TS43World.bearerPackets(world) == TS43World.noPackets)
      #expect(world.leaks.packets == 0, "\(world.leaks)")
      let issued = IssuedSecrets(at: world.folder.issuedSecrets).all
      for kind in ["temporary token", "access token", "auth_req_id"] {
        #expect(issued.contains { $0.kind == kind }, "\(kind)")
      }
    }
  }
}
