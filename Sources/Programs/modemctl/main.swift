import Dispatch
import Glibc
import ModemctlCommands
import ModemctlCore

// At once and on this thread: a verb that need not wait ends before Dispatch has begun.
Task.immediate {
  exit(await Modemctl.run(Array(CommandLine.arguments.dropFirst()), on: .standard()))
}
dispatchMain()
