import MIRACLAPI
import ModemAPI
import ScenarioRunner
import Testing

/// A MIRACL platform whose answers are wrong, one project for each way.
@Suite(
  "MIRACL's wrong answers in worlds", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Worlds.areAllowed, Worlds.reason))
struct MIRACLFaultWorldTests {
  /// A fault and what it leads to.
  struct Case: Sendable {
    let name: String
    let fault: String
    /// Of the registration.
    var registration = MIRACLInterface.Outcome.Result.registered
    /// Of the login; nil where nobody is registered.
    var login: MIRACLInterface.Outcome.Result?

    static let all: [Case] = [
      .init(name: "lost-share", fault: #""at": "secondShare", "answer": "hangUp", "times": 1"#, login: .signedIn),
      .init(name: "no-share", fault: #""at": "firstShare", "answer": "empty""#, registration: .badAnswer),
      .init(name: "bad-share", fault: #""at": "secondShare", "answer": "badShare""#, registration: .badAnswer),
      .init(name: "no-secret", fault: #""at": "secondShare", "answer": "cancellingShare""#, registration: .badAnswer),
      .init(name: "curve", fault: #""at": "registration", "answer": "otherCurve""#, registration: .badAnswer),
      .init(name: "project", fault: #""at": "registration", "answer": "otherProject""#, registration: .stateMismatch),
      .init(name: "swapped", fault: #""at": "confirmation", "answer": "otherProject""#, registration: .stateMismatch),
      .init(
        name: "backoff", fault: #""at": "email", "answer": "REQUEST_BACKOFF", "status": 429"#,
        registration: .rateLimited),
      .init(
        name: "late", fault: #""at": "registration", "answer": "INVALID_ACTIVATION_TOKEN""#, registration: .expired),
      .init(name: "down", fault: #""at": "registration", "answer": "unavailable""#, registration: .providerUnavailable),
      .init(name: "zero", fault: #""at": "pass1", "answer": "zeroChallenge""#, login: .badAnswer),
      .init(name: "old", fault: #""at": "pass1", "answer": "EXPIRED_MPINID", "status": 401"#, login: .expired),
      .init(name: "session", fault: #""at": "authenticate", "answer": "INVALID_AUTH_SESSION""#, login: .expired),
      .init(name: "portal", fault: #""at": "pass2", "answer": "page""#, login: .badAnswer),
      .init(name: "mute", fault: #""at": "authenticate", "answer": "empty""#, login: .badAnswer),
    ]
  }

  private static let scenario: String = {
    let projects = Case.all.map { #"{ "id": "\#($0.name)", "faults": [{ \#($0.fault) }] }"# }
    let files = Case.all.map {
      #""\#($0.name)": { "kind": "miracl", "api": "https://api.miracl.example", "project": "\#($0.name)", "trustedDomains": ["miracl.example"] }"#
    }
    return """
      { "providers": [{ "kind": "miracl", "pins": ["4711"], "projects": [\(projects.joined(separator: ", "))] }],
        "modemdProviders": { \(files.joined(separator: ", ")) } }
      """
  }()

  @Test("Each way that a platform can go wrong ends as it should, and nothing half-made is kept")
  func faults() async throws {
    try await Worlds.with(Self.scenario) { world in
      for test in Case.all {
        let person = MIRACLPerson(world: world, project: test.name)
        let registered = try await person.register()
        #expect(registered.result == test.registration, "\(test.name): \(registered.words)")
        #expect((try await person.identity() != nil) == (test.registration == .registered), "\(test.name)")
        guard let expected = test.login else { continue }
        let login = try await person.logIn()
        #expect(login.result == expected, "\(test.name): \(login.words)")
        #expect(try await person.identity()?.state == (test.name == "old" ? .expired : .active), "\(test.name)")
      }
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }
}
