import ArgumentParser
import Glibc
import ScenarioRunner

struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "control", abstract: "Makes something happen in a running world, or asks it something.",
    discussion: ControlVerb.allCases.map { "\($0.usage): \($0.explanation)." }.joined(separator: "\n"))

  @Option(help: "The world's control socket; without it MODEM_SIMULATOR_CONTROL is asked.")
  var world: String?

  @Argument(help: "What should happen, with its arguments.")
  var verb: [String]

  func run() throws {
    guard let path = world ?? getenv("MODEM_SIMULATOR_CONTROL").map({ String(cString: $0) }) else {
      throw ValidationError("name a world with --world, or run this inside `modem-simulator up SCENARIO -- …`")
    }
    do {
      let answer = try ControlClient.ask(verb.joined(separator: " "), at: path)
      Console.say(answer.text)
      if !answer.isSuccess { throw ExitCode.failure }
    } catch let error as WorldError {
      Console.complain(error)
      throw ExitCode.failure
    }
  }
}
