import ArgumentParser
import ModemModel
import OutsideNumber
import ScenarioRunner

struct FaultsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults", abstract: "Tries every fault of a modem, and reports its effects.",
    discussion: """
      For each fault, over MBIM and over QMI: what a caller of modemd is told, which events follow, when a bearer comes up again, and \
      whether anything is left behind. Ends with 1 when something is not as it should be.
      """)

  @Option(help: "A Markdown file; the table goes between its lines `faults: begin` and `faults: end`.")
  var write: String?

  @Option(name: .customLong("only"), help: "Only faults with this text in their title.")
  var part: String?

  func run() async throws {
    let interrupts = await Interrupts.trap()
    do {
      let rows = try await interrupts.cancelling { [part] in
        var rows: [FaultRow] = []
        for kind in ModemProtocol.allCases { rows += try await Self.tryAll(kind, part) }
        return rows
      }
      if let write { try FaultTable.write(FaultTable.text(rows), between: "faults", to: write) }
      let wrong = rows.filter { !$0.problems.isEmpty }
      Console.say("\(rows.count) faults tried, \(wrong.count) with something wrong")
      if !wrong.isEmpty { throw ExitCode.failure }
    } catch is CancellationError {
      throw ExitCode(130)
    } catch let error as WorldError {
      Console.complain(error)
      throw ExitCode.failure
    }
  }

  private static func tryAll(_ kind: ModemProtocol, _ part: String?) async throws -> [FaultRow] {
    let trial = try await FaultTrial.start(try Scenario(text: "{}"), kind: kind)
    do {
      var rows: [FaultRow] = []
      for fault in FaultCase.all(kind) where part.map({ fault.title.contains($0) }) ?? true {
        try Task.checkCancellation()
        let row = try await trial.run(fault)
        rows.append(row)
        Console.say("\(kind.rawValue)  \(row.title)  [\(row.asked)]")
        Console.say("      \(row.sight) after \(row.toldAfter.words); works again after \(row.worksAfter.words)")
        for event in row.events { Console.say("      event: \(event)") }
        for problem in row.problems { Console.say("      WRONG: \(problem)") }
      }
      await trial.world.stop()
      return rows
    } catch {
      await trial.world.stop()
      throw error
    }
  }
}
