import ModemModel
import Synchronization

/// The modems of this machine and their last known state, read from memory and updated by the
/// ports.
package final class ModemRegistry: Sendable {
  /// What happened to a modem. It is in one place however many watchers have not read it yet.
  package indirect enum Change: Hashable, Sendable {
    case added(ModemState)
    case changed(ModemState)
    case removed(ModemState)

    package var modem: ModemState {
      switch self {
      case .added(let modem), .changed(let modem), .removed(let modem): modem
      }
    }
  }

  /// A modem and the access to its port.
  package struct Entry: Sendable {
    package fileprivate(set) var state: ModemState
    package let link: any ModemLink
    /// Increments with every entry that is made or updated: of two with one id, the later one shows
    /// where the modem is.
    fileprivate(set) var order: UInt64 = 0
    /// The registry's version since which the state is this: a value derived from it can be kept as
    /// long as this stays.
    package fileprivate(set) var revision: UInt64 = 0
  }

  private struct Contents {
    var modems = ModemTable()
    var watchers: [UInt64: AsyncStream<Change>.Continuation] = [:]
    var bearers = FollowedBearers()
    var newsReaders: [UInt64: AsyncStream<BearerNews>.Continuation] = [:]
    /// The followers of one bearer, by number.
    var followers: [UInt64: AsyncStream<BearerLoss>.Continuation] = [:]
    var lastNumber: UInt64 = 0
    var version: UInt64 = 0
    var lastOrder: UInt64 = 0

    mutating func newNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// Increments with every change, so that a value derived from a state can be kept until the next
  /// change.
  package var version: UInt64 { contents.withLock { $0.version } }

  /// Every modem, ordered by name.
  package var modems: [ModemState] { entries.map(\.state) }

  /// Every modem with the access to its port, ordered by the modems' names.
  package var entries: [Entry] { contents.withLock { $0.modems.current }.sorted { $0.state.id < $1.state.id } }

  /// How many modems there are.
  package var count: Int { contents.withLock { $0.modems.count } }

  /// The id of the modem whose bearer is on an interface; of the modem to which the interface
  /// belongs, where no bearer is; nil if there is none.
  package func modem(on interface: String) -> String? {
    contents.withLock { contents in
      let found =
        contents.modems.firstCurrent { $0.bearer.state.installed?.interface == interface }
        ?? contents.modems.firstCurrent { $0.interface == interface }
      return found?.state.id
    }
  }

  /// The modem with this id, device path, interface or port name; without a name, the only modem.
  ///
  /// - Throws: `ServiceError`: noModem, moreThanOneModem, noSuchModem.
  package func find(_ name: String?) throws -> Entry {
    guard let name else { return try only() }
    guard let entry = contents.withLock({ $0.modems.named(name) }) else {
      throw ServiceError(.noSuchModem(name), "no modem is named \(name); `modemctl list` shows the names")
    }
    return entry
  }

  private func only() throws -> Entry {
    let (first, ids) = contents.withLock { contents in
      // Of one modem alone, so that a caller cannot have a thousand names put in order for nothing.
      contents.modems.count == 1
        ? (contents.modems.current.first, []) : (nil, Array(contents.modems.ids))
    }
    if let first { return first }
    guard !ids.isEmpty else {
      throw ServiceError(.noModem, "there is no modem; plug one in, and look at `systemctl status 'modemd-port@*'`")
    }
    let names = ids.sorted()
    let more = names.count > Self.namesInErrors ? " (`modemctl list` shows all)" : ""
    throw ServiceError(
      .moreThanOneModem(names),
      "there are \(names.count) modems; name one of \(names.prefix(Self.namesInErrors).joined(separator: ", "))\(more)")
  }

  /// A sentence with more names is none that a person reads.
  private static let namesInErrors = 8

  /// What is known about the modem behind a port; nil if there is no such port.
  package func state(of port: String) -> ModemState? { contents.withLock { $0.modems[port]?.state } }

  /// How many changes wait for a watcher: a few of each of a thousand modems that all change at
  /// once.
  private static let unreadChanges = 4096

  /// Changes from now on. A reader that falls 4,096 changes behind loses the oldest.
  package func watch() -> AsyncStream<Change> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Change.self, bufferingPolicy: .bufferingNewest(Self.unreadChanges))
    let id = contents.withLock { contents in
      let id = contents.newNumber()
      contents.watchers[id] = continuation
      return id
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.contents.withLock { $0.watchers.removeValue(forKey: id) }
    }
    return stream
  }

  /// The bearers that are up, and what the bearers do from now on. None of it is left out: what was
  /// learnt over a lost bearer must not be used on the next.
  package func bearerNews() -> AsyncStream<BearerNews> {
    let (stream, continuation) = AsyncStream.makeStream(of: BearerNews.self)
    let id = contents.withLock { contents in
      let id = contents.newNumber()
      // Before any later news, and nobody reads yet.
      for news in contents.bearers.present { continuation.yield(news) }
      contents.newsReaders[id] = continuation
      return id
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.contents.withLock { $0.newsReaders.removeValue(forKey: id) }
    }
    return stream
  }

  /// Follows one bearer from the moment that a port returned it: its loss is the stream's only
  /// element.
  ///
  /// - Parameters:
  ///   - port: whose it is.
  ///   - since: when it came up, as the port said.
  package func loss(of bearer: InstalledBearer, on port: String, since: Timestamp) -> AsyncStream<BearerLoss> {
    let (stream, continuation) = AsyncStream.makeStream(of: BearerLoss.self)
    let (id, loss) = contents.withLock { contents in
      let id = contents.newNumber()
      let loss = contents.bearers.follow(
        bearer, as: id, on: port, since: since, state: contents.modems[port]?.state)
      if loss == nil { contents.followers[id] = continuation }
      return (id, loss)
    }
    if let loss {
      continuation.yield(loss)
      continuation.finish()
    }
    continuation.onTermination = { [weak self] _ in
      self?.contents.withLock { contents in
        contents.bearers.forget(id)
        contents.followers[id] = nil
      }
    }
    return stream
  }

  /// A port told its state.
  package func update(_ state: ModemState, from link: any ModemLink) {
    apply(to: link.name) { contents in
      let old = contents.modems[link.name]
      var entry = Entry(
        state: state, link: link, order: old?.order ?? 0,
        revision: old?.state == state ? old?.revision ?? 0 : contents.version + 1)
      if old == nil || old?.state.id != state.id || (old?.state.fault != nil && state.fault == nil) {
        contents.lastOrder += 1
        entry.order = contents.lastOrder
      }
      let isKnown = contents.modems.isKnown(state.id, besides: link.name)
      contents.modems.set(entry)
      guard let old else { return isKnown ? .changed(state) : .added(state) }
      return old.state == state ? nil : .changed(state)
    }
  }

  /// Changes a port's entry, and tells the watchers outside the lock. A watcher that is being
  /// cancelled holds its task's own lock while it waits for this one.
  private func apply(to port: String, _ change: (inout Contents) -> Change?) {
    let tell = contents.withLock { contents -> @Sendable () -> Void in
      let change = change(&contents)
      if change != nil { contents.version += 1 }
      let tidings = contents.bearers.see(contents.modems[port]?.state, of: port)
      let (watchers, readers) = (Array(contents.watchers.values), Array(contents.newsReaders.values))
      let followers = tidings.losses.compactMap { id, loss in
        contents.followers.removeValue(forKey: id).map { (follower: $0, loss: loss) }
      }
      return {
        for (follower, loss) in followers {
          follower.yield(loss)
          follower.finish()
        }
        for news in tidings.news { for reader in readers { reader.yield(news) } }
        if let change { for watcher in watchers { watcher.yield(change) } }
      }
    }
    tell()
  }

  /// A port stopped answering: the last known state is kept, its bearer no longer counts as up, and
  /// the fault holds the reason.
  package func markUnavailable(_ name: String, because cause: String, at time: Timestamp) {
    apply(to: name) { contents in
      guard var entry = contents.modems[name] else { return nil }
      guard entry.state.fault?.cause != cause else { return nil }
      var state = entry.state
      state.fault = Fault(cause: cause, since: time)
      if state.bearer.state != .down(nil) {
        state.bearer = BearerStatus(
          state: .down(NetworkCause(code: nil, text: cause)), apn: state.bearer.apn, since: time)
      }
      (entry.state, entry.revision) = (state, contents.version + 1)
      contents.modems.set(entry)
      return .changed(state)
    }
  }

  /// A port was removed for good.
  package func remove(_ name: String) {
    apply(to: name) { contents in
      guard let removed = contents.modems.remove(name) else { return nil }
      // The modem itself has only moved.
      if let moved = contents.modems.current(removed.state.id) { return .changed(moved.state) }
      return .removed(removed.state)
    }
  }
}
