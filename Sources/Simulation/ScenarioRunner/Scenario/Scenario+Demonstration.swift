import OperatorSimulator

extension Scenario {
  /// One command of the demonstration.
  package struct DemonstrationStep: Hashable, Sendable {
    package var title: String?
    /// The program, to be found in the world's PATH, and its arguments.
    package var command: [String]
    /// The exit status that it must have.
    package var status: Int

    package init(title: String? = nil, command: [String], status: Int = 0) {
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
