import Testing

/// scripts/check-layers on small trees of its own.
@Suite(.timeLimit(.minutes(1)))
struct LayerScriptTests {
  /// Folders of targets, as in the repository.
  private static let folders = [
    "C/CLinux", "Base/ModemModel", "Web/Web", "API/ModemAPI", "Port/ModemPort", "Providers/Kit/AuthCore",
    "Providers/Kit/ModemctlCore", "Providers/TruID/API", "Providers/TruID/Flows", "Providers/TruID/Settings",
    "Providers/TruID/Commands", "Providers/MIRACL/Commands", "Client/ModemAPIClient", "Service/ModemService",
    "Programs/ModemctlCommands", "Programs/modemctl", "Programs/modemd",
  ]

  /// Runs the script on a tree in which a target imports another one.
  private static func run(_ folder: String, imports target: String) async throws -> Tool.Result {
    try await Scratch.with { scratch in
      for folder in folders { File.makeFolder("\(scratch.path)/Sources/\(folder)") }
      File.write("import Glibc\nimport \(target)\n", to: "\(scratch.path)/Sources/\(folder)/Source.swift")
      return try await Tool.run("scripts/check-layers", [scratch.path])
    }
  }

  @Test(
    "A target may import what its layer and its part may know",
    arguments: [
      ("Providers/TruID/Commands", "ModemctlCore"), ("Providers/TruID/Commands", "TruIDAPI"),
      ("Providers/TruID/Commands", "ModemAPI"), ("Providers/TruID/Flows", "AuthCore"),
      ("Providers/TruID/Settings", "TruIDFlows"), ("Providers/TruID/API", "ModemAPI"),
      ("Client/ModemAPIClient", "TruIDAPI"), ("Programs/ModemctlCommands", "TruIDCommands"),
      ("Programs/modemctl", "ModemctlCommands"), ("Programs/modemd", "TruIDFlows"),
    ]) func allowed(_ folder: String, _ target: String) async throws
  {
    let result = try await Self.run(folder, imports: target)
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }

  @Test(
    "The first import that a target must not have is named",
    arguments: [
      ("Base/ModemModel", "ModemAPI", "Base must not know API"),
      ("Port/ModemPort", "Web", "Port must not know Web"),
      ("Service/ModemService", "ModemPort", "Service must not know Port"),
      ("Providers/TruID/Commands", "ModemAPIClient", "Providers must not know Client"),
      ("Providers/TruID/Commands", "MIRACLCommands", "TruID must not know MIRACL"),
      ("Providers/TruID/Commands", "TruIDFlows", "modemctl must link no flows"),
      ("Providers/TruID/Commands", "TruIDConfiguration", "modemctl must link no flows and no settings"),
      ("Providers/TruID/Commands", "AuthCore", "modemctl must link no flows"),
      ("Providers/Kit/ModemctlCore", "AuthCore", "modemctl must link no flows"),
      ("Programs/ModemctlCommands", "TruIDFlows", "modemctl must link no flows"),
      ("Programs/modemctl", "ModemService", "modemctl must link no flows"),
      ("Providers/TruID/API", "ModemctlCore", "the wire types of TruID must know nothing of Providers"),
      ("Client/ModemAPIClient", "TruIDCommands", "Client must know the wire types of providers alone"),
    ]) func refused(_ folder: String, _ target: String, _ sentence: String) async throws
  {
    let result = try await Self.run(folder, imports: target)
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("Sources/\(folder)/Source.swift:2: \(sentence)"), "\(result.output)")
    #expect(result.output.contains("import") && result.output.hasSuffix(" \(target)\n"), "\(result.output)")
  }
}
