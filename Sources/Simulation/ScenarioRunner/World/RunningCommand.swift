/// What a command in a world did.
public struct CommandResult: Sendable {
  public let end: ChildProcess.End
  public let output: String
  public let error: String
}

/// A command that runs in a world.
public struct RunningCommand: Sendable {
  public let process: ChildProcess
  let outputPath: String?
  let errorPath: String?

  /// What it has written to standard output so far.
  public func output() -> String { outputPath.flatMap(WorldFolder.read) ?? "" }
  /// What it has written to standard error so far.
  public func error() -> String { errorPath.flatMap(WorldFolder.read) ?? "" }
}
