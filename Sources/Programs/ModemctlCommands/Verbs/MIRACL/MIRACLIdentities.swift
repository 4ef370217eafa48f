import ArgumentParser
import MIRACLAPI
import ModemAPI
import Varlink

/// `modemctl miracl identities`
struct MIRACLIdentities: Verb {
  static let configuration = CommandConfiguration(
    commandName: "identities", abstract: "List the users that are registered on this machine.",
    discussion: "Revoked and expired ones are of no use any more: register their users again.")

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    var reply = try await session.call(MIRACLInterface.Identities.self, .init(), within: .answer)
    if !common.reveal { reply.identities = reply.identities.map { $0.masked() } }
    try session.show(reply) {
      guard !reply.identities.isEmpty else { return "no user is registered\n" }
      let rows = reply.identities.map { identity in
        [
          Cell(MessageRendering.visible(identity.user)), Cell(identity.project),
          Cell(identity.state.rawValue, identity.state == .active ? .good : .bad), Cell("\(identity.pinLength)"),
          Cell(identity.created), Cell(identity.service),
        ]
      }
      return TableLayout.render(
        [
          .init("USER"), .init("PROJECT"), .init("STATE"), .init("PIN", isNumber: true), .init("CREATED"),
          .init("SERVICE"),
        ], rows, session.paint)
    }
    for sentence in reply.damaged { session.console.complain("modemctl: \(sentence)\n") }
    return reply.damaged.isEmpty ? .done : .failed
  }
}

/// `modemctl miracl forget`
struct MIRACLForget: Verb {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Forget a user that is registered on this machine.",
    discussion:
      "The service is not told: it knows the user still, and another registration takes the old one's place there.")

  @Argument(help: ArgumentHelp("The user's name at the project.", valueName: "user"))
  var user: String

  @Option(help: ArgumentHelp("The project's id; needed where the user is registered at several.", valueName: "id"))
  var project: String?

  @Option(help: ArgumentHelp("The platform's URL; needed where the project is on several.", valueName: "url"))
  var service: String?

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(
      MIRACLInterface.Forget.self, .init(user: user, project: project, service: service), within: .answer)
    try session.show(reply) { "forgotten\n" }
    return .done
  }
}
