import Glibc

/// What can be asked of a running world.
public enum ControlVerb: String, CaseIterable, Sendable {
  case leaks
  case packets
  case dropBearer = "drop-bearer"
  case unplug
  case plugIn = "plug-in"
  case removeSIM = "remove-sim"
  case removeInterface = "remove-interface"
  case restoreInterface = "restore-interface"
  case emptyTables = "empty-tables"
  case kill
  case start

  /// The verb with its arguments.
  public var usage: String {
    switch self {
    case .dropBearer: "\(rawValue) [CAUSE]"
    case .kill, .start: "\(rawValue) modemd|modemd-port"
    default: rawValue
    }
  }

  /// In words, for people.
  public var explanation: String {
    switch self {
    case .leaks: "how many packets left by the other uplink, and the first of them"
    case .packets: "how many packets the bearer let through and how many not"
    case .dropBearer: "the network takes the bearer away, with a 3GPP cause (36)"
    case .unplug: "the modem's control port goes away"
    case .plugIn: "it comes back"
    case .removeSIM: "the SIM is taken out"
    case .removeInterface: "wwan0 goes away"
    case .restoreInterface: "it comes back"
    case .emptyTables: "all routes but the machine's own are deleted"
    case .kill: "a daemon is ended with SIGKILL"
    case .start: "a daemon is started again"
    }
  }
}

extension World {
  /// Does what a line says, as in `drop-bearer 36`.
  ///
  /// - Returns: the answer in words.
  /// - Throws: `WorldError`, `SimulatorError`.
  public func perform(_ line: String) async throws -> String {
    let words = line.split(separator: " ").map(String.init)
    guard let verb = words.first.flatMap(ControlVerb.init) else {
      let known = ControlVerb.allCases.map(\.usage).joined(separator: ", ")
      throw WorldError(.process, "the verb is not known; known are: \(known)")
    }
    switch verb {
    case .leaks: return "\(leaks)"
    case .packets: return "\(gate.count.passed) passed, \(gate.count.dropped) dropped"
    case .dropBearer: modem.dropBearers(cause: words.dropFirst().first.flatMap { Int($0) } ?? 36)
    case .unplug: modem.unplug()
    case .plugIn: try modem.plugIn(link: devicePath)
    case .removeSIM: modem.removeSIM()
    case .removeInterface: try await removeInterface()
    case .restoreInterface: try await restoreInterface()
    case .emptyTables: return "\(try await emptyTables()) routes deleted"
    case .kill: await end(try daemon(words))
    case .start: try await start(try daemon(words))
    }
    return "done"
  }

  private func daemon(_ words: [String]) throws -> Daemon {
    guard let daemon = words.dropFirst().first.flatMap(Daemon.init) else {
      throw WorldError(.process, "modemd or modemd-port is expected after \(words[0])")
    }
    return daemon
  }
}
