import ModemctlCore

/// modemd-fleet itself, which reads the settings and knows the broker: modemctl does neither.
struct FleetProgram {
  let path: String
  /// As whom it asks the broker, if root runs it; nil for the caller.
  let user: String?

  /// What it found.
  struct Report {
    let lines: [String]
    let isGood: Bool

    /// The lines with the user's own files in place of those that modemd-fleet was given.
    func naming(_ names: [String: String]) -> Report {
      // The longest first: one path may begin with another.
      let sorted = names.sorted { $0.key.utf8.count > $1.key.utf8.count }
      return Report(
        lines: lines.map { line in sorted.reduce(line) { $0.replacing($1.key, with: $1.value) } }, isGood: isGood)
    }
  }

  /// Reads the settings, the certificates and the key, without the network.
  func checkFiles(_ settings: String) throws -> Report {
    try run(["--check", "--configuration", settings], seconds: 20)
  }

  /// Connects to the broker as the service would, and leaves it again.
  func checkBroker(_ settings: String) throws -> Report {
    try run(["--check-broker", "--configuration", settings] + (user.map { ["--user", $0] } ?? []), seconds: 60)
  }

  private func run(_ arguments: [String], seconds: Int) throws -> Report {
    let (bytes, end) = try BoundedCommand(
      path, arguments, seconds: seconds, maximumOutput: 65_536, joinsErrors: true
    ).output()
    var lines = ForeignText.visible(String(decoding: bytes, as: UTF8.self)).split(separator: "\n").map(String.init)
    if end == .tooLong { lines.append("modemd-fleet gave no answer within \(seconds) s") }
    return Report(lines: lines, isGood: end == .exited(0))
  }
}
