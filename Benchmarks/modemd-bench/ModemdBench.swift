import ArgumentParser

/// Measures modemd from outside. `Benchmarks/run` calls it.
@main
struct ModemdBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-bench",
    abstract: "Figures of modemd: name, value, unit, ratio to the limit, to the peer, and to one alone.",
    subcommands: [
      Calls.self, Chain.self, Chains.self, DrawChains.self, DrawPath.self, Endurance.self, NamedCalls.self, Pairs.self,
      Resident.self, Runs.self, Siege.self, Startup.self, Times.self, Transfer.self, VerifyPath.self, Warm.self,
    ])
}
