import ArgumentParser
import Glibc
import ScenarioRunner

/// What each process of a world runs before it becomes its program.
struct EnterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enter", abstract: "Becomes a program inside a world.", shouldDisplay: false)

  @Option var parent: Int32
  @Option var resolver: String?
  @Argument(parsing: .postTerminator) var command: [String]

  func validate() throws {
    guard !command.isEmpty else { throw ValidationError("a command is expected after --") }
  }

  func run() throws {
    do {
      try Confinement.become(command, parent: parent, resolver: resolver)
    } catch {
      Console.complain(error)
      throw ExitCode(127)
    }
  }
}
