import Glibc
import ModemctlCommands
import ModemctlCore

exit(await Modemctl.run(Array(CommandLine.arguments.dropFirst()), on: .standard()))
