import Glibc
import ModemctlCommands

exit(await Modemctl.run(Array(CommandLine.arguments.dropFirst()), on: .standard()))
