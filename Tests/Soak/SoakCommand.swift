import ArgumentParser
import Glibc
import ModemModel
import ScenarioRunner
import SoakSupport

@main
struct SoakCommand: AsyncParsableCommand {
  private enum ControlProtocol: String, ExpressibleByArgument, CaseIterable { case mbim, qmi }
  private enum Part: String, ExpressibleByArgument, CaseIterable { case bearers, flows }

  static let configuration = CommandConfiguration(
    commandName: "modemd-soak", abstract: "A day's work of both daemons, with faults, and a look at what is left.",
    discussion: """
      First a bearer goes up and down many times, over MBIM and over QMI. Then come chains and flows of every kind, all at the same \
      time. Everything goes through modemd, modemd-port and the kernel's network. Ends with 1 when at the end there are more or fewer \
      open files, addresses, routes, rules, client ids or sessions than near the beginning, noticeably more memory, or a verdict that \
      is not true.
      """)

  @Option(help: "How many times to go up and down.")
  var cycles = 10_000

  @Option(help: "How many queries.")
  var queries = 100_000

  @Option(help: "How many chains.")
  var chains = 100_000

  @Option(help: "How many flows of each kind.")
  var flows = 10_000

  @Option(help: "A part of all these numbers, as in 0.01.")
  var scale = 1.0

  @Option(help: "Only a part of the work: bearers or flows.")
  private var part: Part?

  @Option(help: "The seed of random numbers: the same seed gives the same faults.")
  var seed: UInt64 = 1

  @Option(help: "How many of a thousand cycles meet a fault.")
  var faults = 20

  @Option(help: "How many of a thousand chains and flows bring a fault about.")
  var flowFaults = 5

  @Option(name: .customLong("protocol"), help: "Only this protocol.")
  private var only: ControlProtocol?

  @Option(help: "A Markdown file; the figures go between its lines `soak: begin` and `soak: end`.")
  var write: String?

  @Option(help: "A file for the flows' figures as JSON.")
  var json: String?

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
    guard cycles > 0, queries >= 0, chains > 0, flows > 0 else {
      throw ValidationError("expected at least one cycle, chain and flow, and no less than 0 queries")
    }
    guard (0...1000).contains(faults), (0...1000).contains(flowFaults) else {
      throw ValidationError("faults are 0 to 1000 of a thousand")
    }
    guard scale > 0, scale <= 100 else { throw ValidationError("--scale is above 0 and at most 100") }
  }

  func run() async throws {
    let interrupts = await Interrupts.trap()
    do {
      let (texts, problems) = try await interrupts.cancelling {
        var (texts, problems): ([String], Int) = ([], 0)
        for report in part == .flows ? [] : try await bearers() {
          texts.append(report.text)
          problems += report.problems.count
        }
        if part != .bearers {
          let report = try await soakFlows()
          texts.append(report.text)
          problems += report.problems.count
          if let json { try Self.write(report.json + "\n", to: json) }
        }
        return (texts, problems)
      }
      for text in texts { Console.say("\n" + text) }
      if let write { try FaultTable.write(texts.joined(separator: "\n"), between: "soak", to: write) }
      if problems > 0 { throw ExitCode.failure }
    } catch is CancellationError {
      throw ExitCode(130)
    } catch let error as WorldError {
      Console.complain(error, program: "modemd-soak")
      throw ExitCode.failure
    }
  }

  private func scaled(_ number: Int) -> Int { max(Int(Double(number) * scale), 1) }

  private func bearers() async throws -> [SoakReport] {
    let plan = SoakPlan(cycles: scaled(cycles), queries: scaled(queries), seed: seed, faultsPerThousand: faults)
    let kinds = only.flatMap { ModemProtocol(rawValue: $0.rawValue) }.map { [$0] } ?? ModemProtocol.allCases
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

  private func soakFlows() async throws -> FlowSoakReport {
    let plan = FlowSoakPlan(
      chains: scaled(chains), flows: scaled(flows), seed: seed, faultsPerThousand: flowFaults)
    let bar = ProgressBar("flows", total: plan.total)
    defer { bar.end() }
    let kind = only.flatMap { ModemProtocol(rawValue: $0.rawValue) } ?? .mbim
    return try await FlowSoak.run(plan, kind: kind) { done, faults in bar.show(done, "\(faults) faults") }
  }

  private static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "we") else {
      throw ValidationError("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
    fputs(text, file)
    fclose(file)
  }
}
