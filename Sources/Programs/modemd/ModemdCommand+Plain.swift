import DaemonRuntime
import Logging
import PlainArguments

extension ModemdCommand: PlainCommand {
  static func plain(_ arguments: ArraySlice<String>) -> ModemdCommand? {
    guard
      let given = PlainArguments(
        arguments, flags: ["--check"],
        values: [
          "--socket", "--proxy", "--proxy-port", "--metrics", "--metrics-http", "--ports", "--configuration",
          "--providers", "--state-directory", "--extra-roots", "--log-level",
        ])
    else { return nil }
    var command = ModemdCommand()
    command.socket = given["--socket"] ?? usual.socket
    command.proxy = given["--proxy"]
    command.metrics = given["--metrics"]
    command.metricsHttp = given["--metrics-http"]
    command.ports = given["--ports"] ?? usual.ports
    command.configuration = given["--configuration"]
    command.providers = given["--providers"] ?? usual.providers
    command.stateDirectory = given["--state-directory"]
    command.extraRoots = given["--extra-roots"]
    command.check = given.contains("--check")
    command.proxyPort = nil
    if let text = given["--proxy-port"] {
      guard let port = UInt16(text) else { return nil }
      command.proxyPort = port
    }
    guard let level = given["--log-level"].map(Logger.Level.init(rawValue:)) ?? usual.logLevel else { return nil }
    command.logLevel = level
    return command
  }
}
