/// The topics of one machine (Docs/fleet.md).
struct FleetTopics: Hashable, Sendable {
  let base: String

  init(machine: String) { base = "modemd/1/\(machine)" }

  /// A topic below the machine's.
  func callAsFunction(_ rest: String) -> String { "\(base)/\(rest)" }

  /// What the agent subscribes to.
  var commands: String { "\(base)/command/+/+" }

  func reply(to requester: String) -> String { "\(base)/reply/\(requester)" }

  /// Requester and command's name of a command's topic; nil for any other topic.
  func command(of topic: String) -> (requester: String, name: String)? {
    guard topic.hasPrefix(base + "/command/") else { return nil }
    let levels = topic.dropFirst(base.count + 9).split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 2, !levels[0].isEmpty, !levels[1].isEmpty else { return nil }
    return (String(levels[0]), String(levels[1]))
  }
}
