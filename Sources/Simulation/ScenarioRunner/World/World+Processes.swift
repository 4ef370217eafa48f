import Glibc

/// The processes of a world, each confined to its namespace.
extension World {
  func start(
    _ name: String, _ command: [String], in namespace: NetworkNamespace, with more: [String: String] = [:]
  ) async throws -> ChildProcess {
    var streams = ChildProcess.Streams()
    streams.output = folder.log(of: name)
    streams.error = streams.output
    return try await spawn(name, command, in: namespace, streams, with: more)
  }

  func spawn(
    _ name: String, _ command: [String], in namespace: NetworkNamespace, _ streams: ChildProcess.Streams,
    with more: [String: String] = [:]
  ) async throws -> ChildProcess {
    let enter = [
      Programs.simulator(in: options.programs), "enter", "--parent", "\(getpid())", "--resolver",
      folder.file("resolv.conf"), "--",
    ]
    let environment = Programs.environment.merging(variables) { $1 }.merging(more) { $1 }
    return try await namespace.run {
      try ChildProcess.start(name, enter + command, environment: environment, streams: streams)
    }
  }

  /// What a command in the world learns about it.
  package nonisolated var variables: [String: String] {
    var variables = [
      "MODEMD_SOCKET": folder.socket, "MODEMD_PROXY": folder.proxy, "MODEM_SIMULATOR_PTY": devicePath,
      "MODEM_SIMULATOR_CA": folder.authority,
      "MODEM_SIMULATOR_FOLDER": folder.path, "MODEM_SIMULATOR_CONTROL": folder.control,
      // The machine's own bus, and its ModemManager, are not part of a world.
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.bus,
      "MODEM_SIMULATOR_CHECK_URL": scenario.checks.first?.url ?? "",
      "MODEM_SIMULATOR_PROVIDERS": folder.providers, "MODEM_SIMULATOR_CREDENTIALS": folder.credentials,
      "PATH": Programs.searchPath(options.programs),
    ]
    variables["PYTHONPATH"] = Programs.pythonPath(options.programs)
    variables["MODEM_SIMULATOR_CLIENTS"] = Programs.clients(options.programs)
    return variables
  }

  /// What systemd tells a port: the folder that all ports share and that outlives them.
  nonisolated var portVariables: [String: String] {
    let folder = folder.file("port-state")
    mkdir(folder, 0o700)
    return ["STATE_DIRECTORY": folder]
  }

  func wait(for process: ChildProcess, _ words: String, _ isReady: @Sendable () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isReady() {
      if let end = process.end {
        throw WorldError(.process, "\(process.name) ended with \(end); \(folder.tail(of: process.name))")
      }
      guard ContinuousClock.now < deadline else {
        throw WorldError(
          .notReady, "after 60 s \(process.name) is not so far that \(words); \(folder.tail(of: process.name))")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
