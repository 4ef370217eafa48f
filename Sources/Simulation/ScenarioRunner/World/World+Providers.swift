import OperatorSimulator

/// What modemd is told of providers, and what the servers were asked.
extension World {
  /// Writes modemd's files of providers and its credentials.
  func prepareProviders() throws {
    if !scenario.modemdProviders.isEmpty {
      try folder.makeFolder("providers")
      for (name, text) in scenario.modemdProviders { try folder.write(text, to: "providers/\(name).json") }
    }
    if !scenario.modemdCredentials.isEmpty {
      try folder.makeFolder("credentials")
      for (name, text) in scenario.modemdCredentials { try folder.write(text, to: "credentials/\(name)", mode: 0o600) }
    }
  }

  /// modemd's arguments, where the scenario has files for it.
  var providerArguments: [String] {
    scenario.modemdProviders.isEmpty ? [] : ["--providers", folder.file("providers")]
  }

  /// modemd's variables, where the scenario has credentials: as systemd sets them.
  var providerVariables: [String: String] {
    scenario.modemdCredentials.isEmpty ? [:] : ["CREDENTIALS_DIRECTORY": folder.file("credentials")]
  }

  /// The requests that the servers of one side got so far, in order.
  package nonisolated func requests(_ role: ServerRole) -> [RequestLog.Entry] {
    RequestLog.entries(in: WorldFolder.read(folder.requests(role)) ?? "")
  }
}
