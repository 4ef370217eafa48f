import ArgumentParser
import Glibc
import ModemModel
import ScenarioRunner
import SoakSupport

@main
struct SoakCommand: AsyncParsableCommand {
  private enum ControlProtocol: String, ExpressibleByArgument, CaseIterable { case mbim, qmi }

  static let configuration = CommandConfiguration(
    commandName: "modemd-soak", abstract: "Takes a bearer up and down many times, with faults, and looks what is left.",
    discussion: """
      Over MBIM and over QMI, through modemd, modemd-port and the kernel's network. Ends with 1 when at the end there are more or fewer \
      open files, addresses, routes, rules, client ids or sessions than after the first hundred times, or noticeably more memory.
      """)

  @Option(help: "How many times to go up and down.")
  var cycles = 10_000

  @Option(help: "How many queries.")
  var queries = 100_000

  @Option(help: "The seed of random numbers: the same seed gives the same faults.")
  var seed: UInt64 = 1

  @Option(help: "How many of a thousand cycles meet a fault.")
  var faults = 20

  @Option(name: .customLong("protocol"), help: "Only this protocol.")
  private var only: ControlProtocol?

  @Option(help: "A Markdown file; the figures go between its lines `soak: begin` and `soak: end`.")
  var write: String?

  /// A world without root needs a user namespace, which only a process without other threads can
  /// make: so before all else.
  static func main() async {
    do {
      try UserNamespace.enterUnlessRoot()
    } catch {
      Console.complain(error, program: "modemd-soak")
      Glibc.exit(1)
    }
    await main(nil)
  }

  func validate() throws {
    guard cycles > 0, queries >= 0, (0...1000).contains(faults) else {
      throw ValidationError("expected at least one cycle, no less than 0 queries, and 0 to 1000 faults")
    }
  }

  func run() async throws {
    let interrupts = await Interrupts.trap()
    let plan = SoakPlan(cycles: cycles, queries: queries, seed: seed, faultsPerThousand: faults)
    let kinds = only.flatMap { ModemProtocol(rawValue: $0.rawValue) }.map { [$0] } ?? ModemProtocol.allCases
    do {
      let reports = try await interrupts.cancelling {
        var reports: [SoakReport] = []
        for kind in kinds {
          let bar = ProgressBar(kind.rawValue, total: plan.cycles)
          defer { bar.end() }
          reports.append(
            try await Soak.run(plan, kind: kind) { progress in
              bar.show(progress.cycles, "\(progress.queries) queries, \(progress.faults) faults")
            })
        }
        return reports
      }
      for report in reports { Console.say("\n" + report.text) }
      if let write {
        try FaultTable.write(reports.map(\.text).joined(separator: "\n"), between: "soak", to: write)
      }
      if reports.contains(where: { !$0.problems.isEmpty }) { throw ExitCode.failure }
    } catch is CancellationError {
      throw ExitCode(130)
    } catch let error as WorldError {
      Console.complain(error, program: "modemd-soak")
      throw ExitCode.failure
    }
  }
}
