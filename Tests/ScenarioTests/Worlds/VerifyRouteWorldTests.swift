import CAMARAAPI
import Crypto
import JSONTree
import ModemAPI
import ModemAPIClient
import ModemModel
import OperatorSimulator
import Testing
import Varlink

@testable import ScenarioRunner

/// `verify` by each route, over MBIM and QMI, in worlds whose bearer cannot come up. The providers
/// are an entitlement server, and CAMARA by the bearer and by operator tokens, with clients that
/// sign, and with secrets.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct VerifyRouteWorldTests {
  typealias Number = VerifyInterface.Number
  typealias Verification = NumberVerificationInterface

  private static let own = "+4915112345678"
  private static let other = "+4915155555502"
  private static let key = P256.Signing.PrivateKey()

  /// Members of modemd's file for a client.
  private static func provider(_ client: String, _ more: String) -> String {
    """
    { "kind": "camara", "root": "https://api.camara.example", "tokenEndpoint": "https://auth.camara.example/token",
      "clientID": "\(client)", \(more) }
    """
  }

  private static let ciba =
    #""authorization": "ciba", "backchannelEndpoint": "https://auth.camara.example/bc-authorize""#
  private static let jwt = #""authorization": "jwtBearer", "keyAlgorithm": "ES256""#

  /// - Parameter why: members that say why no bearer can come up.
  private static func scenario(_ why: String) -> String {
    func text(_ text: String) -> String { JSONValue.string(text).text }
    let (open, secret) = (text(key.publicKey.pemRepresentation), text(key.pemRepresentation))
    return """
      { \(why), "sim": { "gid1": "0a" },
        "providers": [ { "kind": "ts43" }, { "kind": "camara", "clients": [
          { "id": "signed", "key": \(open), "redirectURI": "app:/back" },
          { "id": "posted", "secret": "s3cret-of-posted", "redirectURI": "app:/back", "pendingPolls": 2 },
          { "id": "denied", "secret": "s3cret-of-denied", "redirectURI": "app:/back", "pollError": "access_denied" },
          { "id": "unknown", "secret": "s3cret-of-unknown", "redirectURI": "app:/back",
            "hint": { "status": 400, "code": "unknown_user_id" } } ] } ],
        "subscribers": [ { "number": "\(own)" }, { "number": "\(other)" } ],
        "modemdProviders": {
          "entitlement": { "kind": "ts43" },
          "jwt": \(provider("signed", jwt + #", "operatorTokensFrom": "entitlement""#)),
          "ciba": \(provider("posted", ciba + #", "operatorTokensFrom": "entitlement""#)),
          "ciba-signed": \(provider("signed", ciba + #", "keyAlgorithm": "ES256", "operatorTokensFrom": "entitlement""#)),
          "denied": \(provider("denied", ciba + #", "operatorTokensFrom": "entitlement""#)),
          "unknown": \(provider("unknown", ciba + #", "operatorTokensFrom": "entitlement""#)),
          "broken": \(provider("signed", jwt + #", "operatorTokensFrom": "nobody""#)),
          "wrong-kind": \(provider("signed", jwt + #", "operatorTokensFrom": "over-bearer""#)),
          "over-bearer": \(provider("posted", #""authorizationEndpoint": "https://auth.camara.example/authorize", "redirectURI": "app:/back""#)) },
        "modemdCredentials": { "jwt.client-key": \(secret), "ciba-signed.client-key": \(secret),
          "broken.client-key": \(secret), "wrong-kind.client-key": \(secret),
          "ciba.client-secret": "s3cret-of-posted", "over-bearer.client-secret": "s3cret-of-posted",
          "denied.client-secret": "s3cret-of-denied", "unknown.client-secret": "s3cret-of-unknown" } }
      """
  }

  private static let refusing =
    #""modem": { "faults": [ { "operation": "connect", "action": "refuse", "cause": 33 } ] }"#

  private static func verify(
    _ world: World, _ number: String = own, with provider: String?, by route: Number.Parameters.Route? = .network
  ) async throws -> (outcome: VerifyInterface.Outcome?, steps: [String]) {
    var (outcome, steps): (VerifyInterface.Outcome?, [String]) = (nil, [])
    let parameters = Number.Parameters(number: number, provider: provider, route: route)
    for try await reply in try await world.client().stream(Number.self, parameters) {
      if let step = reply.step { steps.append(step.name) }
      outcome = reply.outcome ?? outcome
    }
    return (outcome, steps)
  }

  @Test(arguments: ModemProtocol.allCases)
  func `both grants verify and read the number without a packet over the bearer`(kind: ModemProtocol) async throws {
    try await Worlds.with(Self.scenario(Self.refusing), kind: kind) { world in
      for name in ["jwt", "ciba", "ciba-signed"] {
        let (yes, steps) = try await Self.verify(world, with: name)
        #expect(yes?.result == .verified && yes?.proof == .sim && yes?.provider == name, "\(name): \(yes as Any)")
        #expect(!steps.contains("bearer") && steps.last == "verify", "\(steps)")
        let (no, _) = try await Self.verify(world, Self.other, with: name)
        #expect(no?.result == .notVerified && no?.proof == .sim && no?.number == .differs, "\(name): \(no as Any)")
      }
      var read: Verification.DevicePhoneNumber.Reply?
      let parameters = Verification.DevicePhoneNumber.Parameters(provider: "jwt")
      for try await reply in try await world.client().stream(Verification.DevicePhoneNumber.self, parameters) {
        read = reply
      }
      #expect(read?.outcome?.result == .numberRead && read?.number == Self.own, "\(read as Any)")
      #expect(read?.outcome?.proof == .sim)

      let shown = try await world.run(
        ["modemctl", "verify", Self.own, "--route", "network", "--provider", "jwt"])
      #expect(shown.end == .exited(0) && shown.output.contains("the SIM's answer over the network"), "\(shown)")
      #expect(world.gate.count.passed == 0 && world.leaks.packets == 0, "\(world.leaks)")
      #expect(world.requests(.network).isEmpty)
    }
  }

  @Test func `what the operator refuses ends the flow with its word`() async throws {
    try await Worlds.with(Self.scenario(Self.refusing)) { world in
      let denied = try await Self.verify(world, with: "denied").outcome
      #expect(denied?.result == .operatorError && denied?.code == "access_denied", "\(denied as Any)")
      let unknown = try await Self.verify(world, with: "unknown").outcome
      #expect(unknown?.result == .subscriberUnknown && unknown?.code == "unknown_user_id", "\(unknown as Any)")
      for name in ["broken", "wrong-kind"] {
        let (end, steps) = try await Self.verify(world, with: name)
        #expect(end?.result == .notConfigured && steps.isEmpty, "\(end as Any)")
        #expect(end?.text.contains("operatorTokensFrom") == true)
        let check = try await world.run(["modemctl", "provider", "check", name])
        #expect(check.end == .exited(13) && check.output.contains("operatorTokensFrom: "), "\(check)")
      }
      let good = try await world.run(["modemctl", "provider", "check", "jwt"])
      #expect(good.end == .exited(0), "\(good)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test(arguments: ["refused", "registered nowhere"])
  func `each route asks whom it may, and a missing bearer leads to the SIM`(why: String) async throws {
    let members = why == "refused" ? Self.refusing : #""network": { "registration": "denied" }"#
    try await Worlds.with(Self.scenario(members)) { world in
      let (any, steps) = try await Self.verify(world, with: nil, by: nil)
      #expect(any?.result == .verified && any?.proof == .sim, "\(any as Any)")
      // Nobody asks for a bearer of a modem that is known to be in no network.
      #expect(steps.count { $0 == "bearer" } == (why == "refused" ? 1 : 0), "\(steps)")
      let bearer = try await Self.verify(world, with: nil, by: .bearer).outcome
      #expect(bearer?.result == .noDataPath && bearer?.provider == "over-bearer", "\(bearer as Any)")
      let named = await #expect(throws: VarlinkError.self) {
        _ = try await Self.verify(world, with: "over-bearer", by: .network)
      }
      let text = named?.parameters(as: VerifyInterface.NoProvider.self)?.text
      #expect(text?.contains("over-bearer (camara) needs the SIM's bearer") == true, "\(text ?? "-")")
      #expect(world.gate.count.passed == 0 && world.leaks.packets == 0, "\(world.leaks)")
    }
  }
}
