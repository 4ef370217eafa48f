import ArgumentParser
import Glibc
import ModemModel
import ScenarioRunner

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Runs the whole path of a scenario, once over MBIM and once over QMI.",
    discussion: "Ends with 1 if a step failed, or if a packet left by the other uplink.")

  @Argument(help: "The scenario's folder.")
  var scenario: String

  func run() async throws {
    let interrupts = await Interrupts.trap()
    do {
      let scenario = try Scenario(folder: self.scenario)
      let leaks = try await interrupts.cancelling {
        var leaks = 0
        for kind in ModemProtocol.allCases { leaks += try await Self.show(scenario, over: kind) }
        return leaks
      }
      Console.say("Packets that left by the other uplink: \(leaks)")
      if leaks > 0 { throw ExitCode.failure }
    } catch is CancellationError {
      throw ExitCode(130)
    } catch let error as WorldError {
      Console.complain(error)
      throw ExitCode.failure
    }
  }

  /// Shows one protocol and returns how many packets leaked.
  private static func show(_ scenario: Scenario, over kind: ModemProtocol) async throws -> Int {
    Console.say("=== \(kind.rawValue.uppercased()) ===\n")
    let world = try await World.start(scenario, World.Options(kind: kind))
    do {
      try await walk(world)
    } catch {
      await world.stop()
      throw error
    }
    let leaks = world.leaks
    if leaks.packets > 0 { Console.say("Left by the other uplink: \(leaks)\n") }
    await world.stop()
    return leaks.packets
  }

  private static func walk(_ world: World) async throws {
    var steps = [["status", "--reveal"], ["connect"]]
    steps += world.scenario.checks.map { check in
      ["open", check.url] + (check.redirectURI.map { ["--redirect-uri", $0, "--reveal"] } ?? [])
    }
    for words in steps { try await step(.init(command: ["modemctl"] + words), in: world) }
    for step in world.scenario.demonstration { try await Self.step(step, in: world, isTimed: true) }
    try await step(.init(command: ["modemctl", "disconnect"]), in: world)
  }

  private static func step(
    _ step: Scenario.DemonstrationStep, in world: World, isTimed: Bool = false
  ) async throws {
    if let title = step.title { Console.say("--- \(title)") }
    Console.say("$ " + step.command.map(quoted).joined(separator: " "))
    let start = ContinuousClock.now
    let process = try await world.begin(step.command, isForeground: true).process
    let end = await withTaskCancellationHandler {
      await process.waitForEnd()
    } onCancel: {
      process.send(SIGTERM)
    }
    if isTimed { Console.say("(\(Int((ContinuousClock.now - start) / .milliseconds(1))) ms, \(end))") }
    Console.say("")
    try Task.checkCancellation()
    guard end == .exited(Int32(step.status)) else {
      throw WorldError(
        .process,
        "`\(step.command.joined(separator: " "))` ended with \(end); expected exit status \(step.status)")
    }
  }

  /// A word as it would be typed in a shell.
  private static func quoted(_ word: String) -> String {
    word.isEmpty || word.contains { "?&;#$ \"{}|<>*".contains($0) } ? "'\(word)'" : word
  }
}
