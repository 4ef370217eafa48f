import OperatorSimulator

/// modemd's files of providers, and the requests that the servers received.
extension World {
  /// Writes modemd's files of providers and its credentials. The folders are there without any, so
  /// that a world never reads the machine's own, and a person in it can add some.
  func prepareProviders() throws {
    for (name, text) in scenario.modemdProviders { try folder.write(text, to: "providers/\(name).json") }
    for (name, text) in scenario.modemdCredentials { try folder.write(text, to: "credentials/\(name)", mode: 0o600) }
  }

  /// The requests that the servers of one side have received, in order.
  package nonisolated func requests(_ role: ServerRole) -> [RequestLog.Entry] {
    RequestLog.entries(in: WorldFolder.read(folder.requests(role)) ?? "")
  }
}
