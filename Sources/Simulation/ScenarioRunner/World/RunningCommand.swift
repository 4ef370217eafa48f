/// The result of a command in a world.
package struct CommandResult: Sendable {
  package let end: ChildProcess.End
  package let output: String
  package let error: String
}

/// A command that runs in a world.
package struct RunningCommand: Sendable {
  package let process: ChildProcess
  let outputPath: String?
  let errorPath: String?

  /// Its standard output so far.
  package func output() -> String { outputPath.flatMap(WorldFolder.read) ?? "" }
  /// Its standard error so far.
  package func error() -> String { errorPath.flatMap(WorldFolder.read) ?? "" }
}
