/// What a command in a world did.
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

  /// What it has written to standard output so far.
  package func output() -> String { outputPath.flatMap(WorldFolder.read) ?? "" }
  /// What it has written to standard error so far.
  package func error() -> String { errorPath.flatMap(WorldFolder.read) ?? "" }
}
