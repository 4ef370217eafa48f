import ModemAPI
import ModemModel
import ModemService
import Synchronization
import Varlink

/// Modems as JSON for one kind of caller, each encoded once for each of its changes: with a
/// thousand modems, a change of one costs one.
final class EncodedModems: Sendable {
  private struct Contents {
    /// The newest, by the modem's id.
    var parts: [String: (revision: UInt64, part: EncodedPart)] = [:]
    var list: (version: UInt64, reply: EncodedReply<ModemInterface.List.Reply>)?
    /// Answers by the name that was asked for, until the next change.
    var gets: (version: UInt64, replies: [String?: EncodedReply<ModemInterface.Get.Reply>]) = (0, [:])
    /// What the last watcher was told: the others are told the same.
    var change: (change: ModemRegistry.Change, reply: EncodedReply<ModemInterface.Watch.Reply>)?
  }

  /// Modems that are gone may stay until there are so many more than present ones.
  private static let slack = 64

  private let shown: @Sendable (ModemState) -> ModemInterface.Modem
  private let contents = Mutex(Contents())

  /// - Parameter shown: what these callers may see.
  init(_ shown: @escaping @Sendable (ModemState) -> ModemInterface.Modem) { self.shown = shown }

  /// All modems of a registry.
  func list(of registry: ModemRegistry) -> EncodedReply<ModemInterface.List.Reply> {
    // The version is read first: a list that is newer than its version is only made once more.
    let version = registry.version
    return contents.withLock { contents in
      if let list = contents.list, list.version == version { return list.reply }
      let entries = registry.entries
      let parts = entries.map { part(of: $0, &contents) }
      if contents.parts.count > entries.count + Self.slack { contents.parts = [:] }
      let reply = EncodedReply<ModemInterface.List.Reply>(field: "modems", parts)
      contents.list = (version, reply)
      return reply
    }
  }

  /// One modem by any of its names, or the only one.
  ///
  /// - Throws: `ServiceError` as `ModemRegistry.find`. Nothing is kept then: callers choose names,
  ///   and those of modems are few.
  func modem(_ name: String?, of registry: ModemRegistry) throws -> EncodedReply<ModemInterface.Get.Reply> {
    // As above.
    let version = registry.version
    return try contents.withLock { contents in
      if contents.gets.version != version { contents.gets = (version, [:]) }
      if let reply = contents.gets.replies[name] { return reply }
      let reply = EncodedReply<ModemInterface.Get.Reply>(
        field: "modem", part(of: try registry.find(name), &contents))
      contents.gets.replies[name] = reply
      return reply
    }
  }

  /// What a watcher is told.
  func change(_ change: ModemRegistry.Change) -> EncodedReply<ModemInterface.Watch.Reply> {
    if let last = contents.withLock(\.change), last.change == change { return last.reply }
    let word: ModemInterface.Watch.Reply.Change =
      switch change {
      case .added: .added
      case .changed: .changed
      case .removed: .removed
      }
    let reply = EncodedReply(ModemInterface.Watch.Reply(change: word, modem: shown(change.modem)))
    contents.withLock { $0.change = (change, reply) }
    return reply
  }

  private func part(of entry: ModemRegistry.Entry, _ contents: inout Contents) -> EncodedPart {
    if let known = contents.parts[entry.state.id], known.revision == entry.revision { return known.part }
    let part = EncodedPart(shown(entry.state))
    contents.parts[entry.state.id] = (entry.revision, part)
    return part
  }
}
