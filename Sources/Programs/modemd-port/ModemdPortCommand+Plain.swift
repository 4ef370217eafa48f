import DaemonRuntime
import Logging
import PlainArguments

extension ModemdPortCommand: PlainCommand {
  static func plain(_ arguments: ArraySlice<String>) -> ModemdPortCommand? {
    guard
      let given = PlainArguments(
        arguments, flags: ["--elect", "--proxy"],
        values: [
          "--device", "--protocol", "--interface", "--socket", "--configuration", "--state-directory", "--id-key",
          "--user", "--log-level",
        ]),
      let device = given["--device"], let socket = given["--socket"],
      let controlProtocol = given["--protocol"].map(ControlProtocol.init(rawValue:)) ?? usual.controlProtocol,
      let level = given["--log-level"].map(Logger.Level.init(rawValue:)) ?? usual.logLevel
    else { return nil }
    var command = ModemdPortCommand()
    (command.device, command.socket) = (device, socket)
    (command.controlProtocol, command.logLevel) = (controlProtocol, level)
    command.interface = given["--interface"]
    command.configuration = given["--configuration"]
    command.stateDirectory = given["--state-directory"]
    command.idKey = given["--id-key"]
    command.user = given["--user"]
    (command.elect, command.proxy) = (given.contains("--elect"), given.contains("--proxy"))
    (command.mbimExtensions, command.giveUpAfter) = (usual.mbimExtensions, usual.giveUpAfter)
    (command.sharing, command.limits) = (nil, [])
    return command
  }
}
