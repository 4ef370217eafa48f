import ModemAPI
import ModemModel
import TS43API
import Testing

@testable import ScenarioRunner

/// The real daemons and the simulated card against ts43-test-ecs, over its own TLS.
@Suite(
  .serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason),
  .enabled(if: ForeignEntitlementServer.isThere, ForeignEntitlementServer.reason))
struct ForeignEntitlementServerTests {
  typealias Server = ForeignEntitlementServer

  /// The card has seen many challenges that this operator does not know of.
  private static func scenario(_ method: EAPMethod) -> String {
    let file = { (more: String) in
      #"{ "kind": "ts43", "server": "\#(Server.url)", "eap": "\#(method.rawValue)"\#(more) }"#
    }
    return """
      { \(TS43World.refusal)"sim": { "sequence": "000000010000" },
        "modemdProviders": { "operator": \(file("")),
          "reader": \(file(#", "verification": "number""#)), "old": \(file(#", "versions": ["0.9"], "appName": "old""#)),
          "again": \(file(#", "reauthenticate": true"#)) } }
      """
  }

  @Test(arguments: zip(EAPMethod.allCases, ModemProtocol.allCases))
  func `a login with all that goes wrong before it, and all questions`(
    method: EAPMethod, kind: ModemProtocol
  ) async throws {
    try await Worlds.with(Self.scenario(method), kind: kind) { world in
      let server = try await Server.start(in: world)
      let unknown = try await TS43World.number(in: world)
      #expect(unknown.outcome?.result == .subscriberUnknown, "\(unknown.words)")
      #expect(world.modem.snapshot.challenges == 0)

      try await server.add(key: String(Server.key.reversed()))
      let wrong = try await TS43World.number(in: world)
      #expect(wrong.outcome?.result == .noSIMAnswer && wrong.outcome?.code == "rejected", "\(wrong.words)")
      #expect(world.modem.snapshot.challenges == 1)

      // Behind the card: its AUTS, and another challenge.
      try await server.add()
      let number = try await TS43World.number(in: world)
      #expect(number.outcome?.result == .numberRead && number.reply?.number == TS43World.own, "\(number.words)")
      #expect(world.modem.snapshot.challenges == 3)

      // With the token: the SIM is not asked.
      let again = try await TS43World.number(in: world)
      #expect(again.outcome?.result == .numberRead && again.names == ["getPhoneNumber"], "\(again.words)")
      #expect(world.modem.snapshot.challenges == 3)

      for (number, result) in [
        (TS43World.own, VerifyInterface.Outcome.Result.verified), (TS43World.neighbour, .notVerified),
      ] {
        let flow = try await TS43World.verify(number, with: "reader", in: world)
        #expect(flow.outcome?.result == result && flow.outcome?.proof == .sim, "\(flow.words)")
      }
      // A mismatch is OperationResult 104; a match is told by its administrator alone.
      let other = try await TS43World.verify(TS43World.neighbour, in: world)
      #expect(other.outcome?.result == .notVerified && other.outcome?.code == "104", "\(other.words)")
      let silent = try await TS43World.verify(in: world)
      #expect(silent.outcome?.result == .badAnswer, "\(silent.words)")
      let override = #"{"parms":{"PhoneNumberVerification":"1"}}"#
      #expect(try await server.admin("PUT", "/entitlements/\(Server.imsi)/ap2014", override).0 == "200")
      let told = try await TS43World.verify(in: world)
      #expect(told.outcome?.result == .verified, "\(told.words)")

      try await Self.spend(server)
      #expect(world.modem.snapshot.challenges == 3)

      let old = try await TS43World.number(with: "old", in: world)
      #expect(old.outcome?.result == .operatorUnsupported && old.outcome?.code == "version", "\(old.words)")

      // An old token is refused by 511, and the SIM logs in again.
      try await server.expireTokens()
      let renewed = try await TS43World.number(in: world)
      #expect(renewed.outcome?.result == .numberRead, "\(renewed.words)")
      #expect(world.modem.snapshot.challenges == 4 && world.modem.snapshot.openChannels.isEmpty)
      #expect(try await TS43World.bearerPackets(world) == TS43World.noPackets)
    }
  }

  /// A temporary token is another party's: for its operation, once.
  private static func spend(_ server: Server) async throws {
    let token = try await TS43World.token(.phoneNumber, in: server.world)
    #expect(token.outcome?.result == .authorized, "\(token.words)")
    let text = try #require(token.reply?.token)
    for (operation, status) in [("VerifyPhoneNumber", "403"), ("GetPhoneNumber", "200"), ("GetPhoneNumber", "401")] {
      let answer = try await server.spend(text, operation)
      #expect(answer.status == status, "\(operation): \(answer.body)")
      #expect(answer.body.contains(TS43World.own) == (status == "200"))
    }
  }

  @Test(arguments: zip(EAPMethod.allCases, ModemProtocol.allCases))
  func `pseudonyms and fast re-authentication spare the SIM`(method: EAPMethod, kind: ModemProtocol) async throws {
    try await Worlds.with(Self.scenario(method), kind: kind) { world in
      let server = try await Server.start(
        in: world, ["ECS_EAP_MAX_REAUTHS=8", "ECS_EAP_PSEUDONYMS_ENABLED=true", "ECS_EAP_RESULT_INDICATIONS=true"])
      try await server.add(sequence: "000000020000")
      for round in 1...3 {
        let flow = try await TS43World.number(with: "again", in: world)
        #expect(flow.outcome?.result == .numberRead && flow.reply?.number == TS43World.own, "\(round): \(flow.words)")
        try await server.expireTokens()
      }
      #expect(world.modem.snapshot.challenges == 1, "the keys of the first login answer the others")
    }
  }
}
