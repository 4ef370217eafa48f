import ArgumentParser
import Glibc
import ModemModel
import ScenarioRunner

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Walks the whole path of a scenario, once over MBIM and once over QMI.",
    discussion: "Ends with 1 when a step failed, or a packet left by the other uplink.")

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
    var commands = [["status", "--reveal"], ["connect"]]
    commands += world.scenario.checks.map { check in
      ["open", check.url] + (check.redirectURI.map { ["--redirect-uri", $0, "--reveal"] } ?? [])
    }
    commands.append(["disconnect"])
    for command in commands { try await step(["modemctl"] + command, in: world) }
  }

  private static func step(_ command: [String], in world: World) async throws {
    Console.say("$ " + command.map(quoted).joined(separator: " "))
    let process = try await world.begin(command, isForeground: true).process
    let end = await withTaskCancellationHandler {
      await process.waitForEnd()
    } onCancel: {
      process.send(SIGTERM)
    }
    Console.say("")
    try Task.checkCancellation()
    guard end.status == 0 else {
      throw WorldError(.process, "`\(command.joined(separator: " "))` ended with \(end)")
    }
  }

  /// A word as it would be typed in a shell.
  private static func quoted(_ word: String) -> String {
    word.contains { "?&;#$ ".contains($0) } ? "'\(word)'" : word
  }
}
