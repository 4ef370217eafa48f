import Testing

/// scripts/check-layers on small trees of its own.
@Suite(.timeLimit(.minutes(1)))
struct LayerScriptTests {
  /// Folders of a tree in which each layer with a say has a target, and two providers all their
  /// parts.
  private static let folders = [
    "C/CLinux", "Base/Values", "Web/Chains", "API/Wire", "Port/Radio", "Service/Daemon", "Client/ModemAPIClient",
    "Simulation/OperatorSimulator", "Programs/modemd", "Programs/modemctl", "Programs/ModemctlCommands",
    "Browser/Pages", "Programs/modemd-web", "Fleet/Agents", "Programs/modemd-fleet",
    "Programs/modem-simulator", "Providers/Kit/Core", "Providers/Kit/ModemctlCore", "Providers/Ours/API",
    "Providers/Ours/Flows", "Providers/Ours/Settings", "Providers/Ours/Commands", "Providers/Ours/Simulation",
    "Providers/Ours/Arithmetic", "Providers/Theirs/Flows", "Providers/Theirs/Commands", "Providers/Theirs/Simulation",
  ]

  /// Runs the script on a tree in which one file imports one module.
  private static func run(_ folder: String, imports module: String) async throws -> Tool.Result {
    try await Scratch.with { scratch in
      for folder in folders { File.makeFolder("\(scratch.path)/Sources/\(folder)") }
      File.write("import \(module)\n", to: "\(scratch.path)/Sources/\(folder)/Source.swift")
      return try await Tool.run("scripts/check-layers", [scratch.path])
    }
  }

  @Test(
    "A target may import what its layer and its part may know",
    arguments: [
      ("Providers/Ours/Commands", "ModemctlCore"), ("Providers/Ours/Commands", "OursAPI"),
      ("Providers/Ours/Commands", "Wire"), ("Providers/Ours/Flows", "Core"),
      ("Providers/Ours/Settings", "OursFlows"), ("Providers/Ours/API", "Wire"),
      ("Client/ModemAPIClient", "OursAPI"), ("Programs/ModemctlCommands", "OursCommands"),
      ("Programs/modemctl", "ModemctlCommands"), ("Programs/modemd", "OursFlows"),
      ("Browser/Pages", "ModemAPIClient"), ("Browser/Pages", "OursAPI"), ("Programs/modemd-web", "Pages"),
      ("Fleet/Agents", "ModemAPIClient"), ("Programs/modemd-fleet", "Agents"),
    ]) func allowed(_ folder: String, _ target: String) async throws
  {
    let result = try await Self.run(folder, imports: target)
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }

  @Test(
    "The first import that a target must not have is named",
    arguments: [
      ("Base/Values", "Wire", "Base must not know API"),
      ("Port/Radio", "Chains", "Port must not know Web"),
      ("Service/Daemon", "Radio", "Service must not know Port"),
      ("Providers/Ours/Commands", "ModemAPIClient", "Providers must not know Client"),
      ("Providers/Ours/Commands", "TheirsCommands", "Ours must not know Theirs"),
      ("Providers/Ours/Commands", "OursFlows", "modemctl must link no flows"),
      ("Providers/Ours/Commands", "OursConfiguration", "modemctl must link no flows and no settings"),
      ("Providers/Ours/Commands", "Core", "modemctl must link no flows"),
      ("Providers/Kit/ModemctlCore", "Core", "modemctl must link no flows"),
      ("Programs/ModemctlCommands", "OursFlows", "modemctl must link no flows"),
      ("Programs/modemctl", "Daemon", "modemctl must link no flows"),
      ("Providers/Ours/API", "ModemctlCore", "the wire types of Ours must know API, Base and C alone"),
      ("Client/ModemAPIClient", "OursCommands", "Client must know the wire types of providers alone"),
      ("Browser/Pages", "Daemon", "Browser must not know Service"),
      ("Browser/Pages", "OursFlows", "Browser must know the wire types of providers alone"),
      ("Programs/modemd-web", "Daemon", "modemd-web is a client of modemd like any other"),
      ("Fleet/Agents", "Daemon", "Fleet must not know Service"),
      ("Programs/modemd-fleet", "Daemon", "modemd-fleet is a client of modemd like any other"),
    ]) func refused(_ folder: String, _ target: String, _ sentence: String) async throws
  {
    let result = try await Self.run(folder, imports: target)
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("Sources/\(folder)/Source.swift:1: \(sentence)"), "\(result.output)")
    #expect(result.output.contains("import") && result.output.hasSuffix(" \(target)\n"), "\(result.output)")
  }

  @Test(arguments: [
    ("Service/Daemon", "OursFlows"), ("Service/Daemon", "Core"), ("Simulation/OperatorSimulator", "Core"),
    ("Simulation/OperatorSimulator", "Radio"), ("Programs/modem-simulator", "OursSimulation"),
    ("Programs/modem-simulator", "OperatorSimulator"), ("Programs/modemd", "OursConfiguration"),
    ("Providers/Ours/Settings", "OursFlows"), ("Providers/Ours/Flows", "Core"),
    ("Providers/Ours/Simulation", "OperatorSimulator"), ("Providers/Ours/Simulation", "Values"),
    ("Providers/Ours/Simulation", "Chains"), ("Providers/Ours/Simulation", "Core"),
    ("Providers/Ours/Simulation", "Arithmetic"), ("Providers/Ours/Simulation", "Synchronization"),
  ]) func whatALayerMayKnowPasses(_ folder: String, _ module: String) async throws {
    let result = try await Self.run(folder, imports: module)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test(arguments: [
    ("Base/Values", "Chains"), ("Web/Chains", "Core"), ("Service/Daemon", "Radio"),
    ("Service/Daemon", "OperatorSimulator"), ("Service/Daemon", "OursSimulation"),
    ("Programs/modemd", "OursSimulation"), ("Programs/modemd", "OperatorSimulator"),
    ("Simulation/OperatorSimulator", "OursSimulation"), ("Simulation/OperatorSimulator", "OursFlows"),
    ("Simulation/OperatorSimulator", "Arithmetic"), ("Providers/Ours/Flows", "OursSimulation"),
    ("Providers/Ours/Flows", "OperatorSimulator"), ("Providers/Ours/Flows", "TheirsFlows"),
    ("Providers/Ours/Simulation", "TheirsSimulation"), ("Providers/Ours/Simulation", "TheirsFlows"),
    ("Providers/Ours/Simulation", "Wire"), ("Providers/Ours/Simulation", "Radio"),
    ("Providers/Ours/Simulation", "Daemon"), ("Providers/Kit/Core", "OursFlows"),
  ]) func whatALayerMustNotKnowFails(_ folder: String, _ module: String) async throws {
    let result = try await Self.run(folder, imports: module)
    #expect(result.status == 1, "\(result.output)")
    #expect(result.output.contains("Sources/\(folder)/Source.swift:1: "), "\(result.output)")
    #expect(result.output.contains(" must not know "), "\(result.output)")
  }

  @Test func twoTargetsMustNotShareAName() async throws {
    let result = try await Scratch.with { scratch in
      for folder in ["Base/Same", "Web/Same"] { File.makeFolder("\(scratch.path)/Sources/\(folder)") }
      File.write("import Same\n", to: "\(scratch.path)/Sources/Base/Same/Source.swift")
      return try await Tool.run("scripts/check-layers", [scratch.path])
    }
    #expect(result.status == 1 && result.output.contains("two targets have the name Same"), "\(result.output)")
  }

  @Test func theSourcesOfThisRepositoryKeepTheLayers() async throws {
    let result = try await Tool.run("scripts/check-layers")
    #expect(result.status == 0, "\(result.output)")
  }
}
