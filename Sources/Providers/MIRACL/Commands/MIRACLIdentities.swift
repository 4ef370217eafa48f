import ArgumentParser
import MIRACLAPI
import ModemAPI
import ModemctlCore
import Varlink

/// `modemctl miracl identities`
struct MIRACLIdentities: Verb {
  static let configuration = CommandConfiguration(
    commandName: "identities", abstract: "List the users that are registered on this machine.",
    discussion: "Revoked and expired identities cannot be used any more: register their users again.")

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    var reply = try await session.call(MIRACLInterface.Identities.self, .init(), within: .answer)
    if !common.reveal { reply.identities = reply.identities.map { $0.masked() } }
    try session.show(reply) {
      guard !reply.identities.isEmpty else { return "no user is registered\n" }
      let rows = reply.identities.map { identity in
        [
          Cell(ForeignText.visible(identity.user)), Cell(identity.project),
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
    for sentence in reply.damaged { session.complain("\(sentence)") }
    return reply.damaged.isEmpty ? .done : .failed
  }
}

/// `modemctl miracl forget`
struct MIRACLForget: Verb {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Delete a registered user's identity from this machine.",
    discussion:
      "The service is not told, and still knows the user. A new registration replaces the old one there.")

  @Argument(help: ArgumentHelp("The user's name in the project.", valueName: "user"))
  var user: String

  @Option(
    help: ArgumentHelp("The project's id; needed if the user is registered at several projects.", valueName: "id"))
  var project: String?

  @Option(help: ArgumentHelp("The platform's URL; needed if the project is on several platforms.", valueName: "url"))
  var service: String?

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(
      MIRACLInterface.Forget.self, .init(user: user, project: project, service: service), within: .answer)
    try session.show(reply) { "forgotten\n" }
    return .done
  }
}
