import Glibc

/// The variables that a service manager sets for a service, read once as a value.
package struct ServiceEnvironment: Hashable, Sendable {
  /// Names of the variables that are read: sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3),
  /// systemd.exec(5).
  static let names = [
    "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC",
    "CREDENTIALS_DIRECTORY", "STATE_DIRECTORY",
  ]

  private let variables: [String: String]
  /// The process that the variables are compared with.
  package let process: Int32

  /// Makes an environment from given variables.
  /// - Parameters:
  ///   - variables: names and values; only the service manager's are used.
  ///   - process: the process id that `LISTEN_PID` and `WATCHDOG_PID` must name.
  package init(_ variables: [String: String], process: Int32) {
    self.variables = variables.filter { Self.names.contains($0.key) }
    self.process = process
  }

  /// Reads the variables of this process and removes them, so that no child process uses them.
  ///
  /// Call it once, at the start of `main`, before any thread is started: `unsetenv` is not safe
  /// while another thread calls `getenv`.
  package static func take() -> ServiceEnvironment {
    var variables: [String: String] = [:]
    for name in names {
      guard let value = getenv(name) else { continue }
      variables[name] = String(cString: value)
      // The location of credentials is not secret, and a restart in place would need it again.
      if name != "CREDENTIALS_DIRECTORY" { unsetenv(name) }
    }
    return ServiceEnvironment(variables, process: getpid())
  }

  /// The service's own folder that survives reboots (`StateDirectory=`, systemd.exec(5)): the first
  /// of several; nil if the service manager gives none.
  package var stateDirectory: String? {
    self["STATE_DIRECTORY"]?.split(separator: ":").first.flatMap { $0.hasPrefix("/") ? String($0) : nil }
  }

  /// Whether a service manager started this process, because it gave a socket for reports
  /// (sd_notify(3)).
  package var isUnderServiceManager: Bool { self["NOTIFY_SOCKET"] != nil }

  subscript(name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
