extension Scenario {
  /// One command of the demonstration.
  public struct DemonstrationStep: Hashable, Sendable {
    public var title: String?
    /// The program, to be found in the world's PATH, and its arguments.
    public var command: [String]
    /// The exit status that it must have.
    public var status: Int

    public init(title: String? = nil, command: [String], status: Int = 0) {
      self.title = title
      self.command = command
      self.status = status
    }
  }

  static func demonstration(_ file: ScenarioFields) throws -> [DemonstrationStep]? {
    try file.list("demonstration", known: ["title", "command", "status"])?.map { fields in
      guard let command = try fields.texts("command", "text", { $0 }), !command.isEmpty else {
        throw fields.missing("command", "a program and its arguments, each as text,")
      }
      return DemonstrationStep(
        title: try fields.text("title", "text", { $0 }), command: command,
        status: try fields.number("status", 0...255) ?? 0)
    }
  }
}
