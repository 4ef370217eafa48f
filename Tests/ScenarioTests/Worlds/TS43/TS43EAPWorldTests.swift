import ModemAPI
import ModemModel
import TS43API
import Testing

@testable import ScenarioRunner

/// What operators' servers do differently in EAP, each with a server of its own in one world.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct TS43EAPWorldTests {
  struct Server {
    var name: String
    /// Members of the server.
    var server = ""
    /// Members of modemd's file.
    var file = ""
    var result = VerifyInterface.Outcome.Result.numberRead
    var code: String?
    /// Answers of the SIM to a login, and to another one behind it without a TOKEN.
    var challenges = (1, 1)
    /// Requests of the first.
    var requests: Int?
  }

  static let servers = [
    Server(name: "prime", file: #", "eap": "akaPrime""#, requests: 3),
    Server(
      name: "rounds", server: #", "identityRequests": ["any", "full", "permanent"], "checkcode": true"#, requests: 6),
    Server(name: "told", server: #", "confirmsSuccess": true, "checkcode": true"#, requests: 4),
    Server(
      name: "primetold", server: #", "identityRequests": ["permanent"], "confirmsSuccess": true, "checkcode": true"#,
      file: #", "eap": "akaPrime""#, requests: 5),
    Server(
      name: "kdf", server: #", "keyDerivations": [2, 1]"#, file: #", "eap": "akaPrime", "networkName": "WLAN""#,
      requests: 4),
    Server(
      name: "othername", server: #", "networkName": "5G:elsewhere""#,
      file: #", "eap": "akaPrime", "networkName": "WLAN""#,
      result: .noSIMAnswer, code: "rejected", challenges: (0, 0)),
    Server(
      name: "fast", server: #", "givesIdentities": true, "confirmsSuccess": true"#, file: #", "reauthenticate": true"#,
      challenges: (1, 0)),
    Server(
      name: "fastprime", server: #", "givesIdentities": true, "confirmsSuccess": true"#,
      file: #", "reauthenticate": true, "eap": "akaPrime""#, challenges: (1, 0)),
    Server(
      name: "denied", server: #", "notification": 1031"#, result: .subscriberUnknown, code: "1031"),
    Server(
      name: "failed", server: #", "notification": 16384"#, result: .operatorError, code: "16384", challenges: (0, 0)),
    Server(name: "post", server: #", "method": "post", "form": "json""#, requests: 4),
    Server(name: "old", server: #", "versions": ["2.0"]"#, requests: 6),
    Server(name: "clients", server: #", "clients": ["known"]"#, result: .clientRefused, challenges: (0, 0)),
    Server(name: "known", server: #", "clients": ["known"]"#, file: #", "appName": "known""#, requests: 3),
    Server(name: "bidding", server: #", "prefersAKAPrime": true"#, requests: 3),
  ]

  static var scenario: String {
    let providers = servers.enumerated().map { index, server in
      // Each has its own count of challenges, and one that is asked later is ahead of the SIM.
      """
      { "kind": "ts43"\(server.server), "subscribers": [ { "imsi": "262011234567890", "number": "\(TS43World.own)",
            "key": "465b5ce8b199b49faa5f0a2ee238a6bc", "opc": "cd63cb71954a9f4e48a5994e37a02baf",
            "sequence": "0000000\(10 + index)000" } ], "hosts": {
          "server": { "name": "\(server.name).example", "addresses": ["198.51.100.\(200 + index)"] },
          "second": { "name": "second.\(server.name).example", "addresses": ["203.0.113.\(200 + index)"] } } }
      """
    }
    let files = servers.map {
      #""\#($0.name)": { "kind": "ts43", "server": "https://\#($0.name).example"\#($0.file) }"#
    }
    return """
      { \(TS43World.refusal)"providers": [ \(providers.joined(separator: ",\n")) ],
        "modemdProviders": { \(files.joined(separator: ",\n")) } }
      """
  }

  @Test(arguments: ModemProtocol.allCases)
  func `servers differ, and each login ends as it should`(kind: ModemProtocol) async throws {
    try await Worlds.with(Self.scenario, kind: kind) { world in
      var asked = 0
      for server in Self.servers {
        // Before the first login, as keys for fast ones are in the port's memory. No login begins
        // when the SIM may not be asked.
        if asked + max(server.challenges.0 + server.challenges.1, 1) > TS43World.challengesPerMinute {
          try await TS43World.forgetChallenges(world)
          asked = 0
        }
        // The server has forgotten the TOKEN of the first login when the second begins.
        for (isFirst, challenges) in [(true, server.challenges.0), (false, server.challenges.1)] {
          let before = world.modem.snapshot.challenges
          let requests = TS43World.requests(world, to: "\(server.name).example")
          let flow = try await TS43World.number(with: server.name, in: world)
          let words = "\(server.name) \(isFirst): \(flow.words)"
          #expect(flow.outcome?.result == server.result, "\(words)")
          if let code = server.code { #expect(flow.outcome?.code == code, "\(words)") }
          #expect(world.modem.snapshot.challenges - before == challenges, "\(words)")
          if isFirst, let expected = server.requests {
            let made = TS43World.requests(world, to: "\(server.name).example") - requests
            #expect(made == expected, "\(made): \(words)")
          }
          asked += world.modem.snapshot.challenges - before
          let fault = #"{"fault":"forgetToken","at":"token","times":1,"text":"\#(server.name)"}"#
          if isFirst { _ = try await world.perform("tell ts43.faults [\(fault)]") }
        }
        _ = try await world.perform("tell ts43.faults")
      }
      #expect(try await TS43World.bearerPackets(world) == TS43World.noPackets)
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }
}
