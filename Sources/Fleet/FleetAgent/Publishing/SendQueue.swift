import JSONTree
import LimitClock
import ModemModel

/// Messages of QoS 1 that wait for the broker or for its acknowledgement, in their order. A bound
/// that is hit drops the oldest, and counts that.
struct SendQueue: Sendable {
  struct Item: Sendable {
    let id: UInt64
    /// Below the machine's topic.
    let topic: String
    let body: [String: JSONValue]
    let correlation: [UInt8]?
    let time: Timestamp
    let expires: LimitClock.Instant
    let bytes: Int
    /// Of the audit, for the journal.
    let auditID: String?
    /// The connection's number of it, while the broker has not acknowledged it.
    var token: UInt64?
    /// How often the broker refused it.
    var refusals = 0
    /// After a refusal it goes again from then on. If the connection turns out to be lost instead,
    /// it was no refusal.
    var rests: LimitClock.Instant?
  }

  /// So often the broker may refuse a message before it is dropped.
  static let mostRefusals = 3

  let mostMessages: Int
  let mostBytes: Int
  /// Messages that may wait for the acknowledgement at once.
  static let mostInFlight = 16

  private(set) var items: [Item] = []
  private(set) var bytes = 0
  /// Dropped because too much waited, and because it expired.
  private(set) var dropped = 0
  private var lastID: UInt64 = 0

  init(messages: Int, bytes: Int) {
    mostMessages = messages
    mostBytes = bytes
  }

  /// - Returns: what was dropped for it.
  @discardableResult
  mutating func add(
    _ topic: String, _ body: [String: JSONValue], correlation: [UInt8]? = nil, time: Timestamp,
    expires: LimitClock.Instant, auditID: String? = nil
  ) -> [Item] {
    lastID += 1
    let size = topic.utf8.count + JSONValue.object(body).text.utf8.count
    items.append(
      Item(
        id: lastID, topic: topic, body: body, correlation: correlation, time: time, expires: expires, bytes: size,
        auditID: auditID, token: nil))
    bytes += size
    var gone: [Item] = []
    while items.count > mostMessages || bytes > mostBytes, items.count > 1 { gone.append(removeFirst()) }
    dropped += gone.count
    return gone
  }

  /// Makes room for one more message, so that adding it drops nothing.
  mutating func makeRoom() -> [Item] {
    guard items.count >= mostMessages else { return [] }
    dropped += 1
    return [removeFirst()]
  }

  private mutating func removeFirst() -> Item {
    let item = items.removeFirst()
    bytes -= item.bytes
    return item
  }

  /// Drops what has expired.
  mutating func expire(_ now: LimitClock.Instant) -> [Item] {
    let gone = items.filter { $0.expires <= now && $0.token == nil }
    guard !gone.isEmpty else { return [] }
    items.removeAll { $0.expires <= now && $0.token == nil }
    bytes -= gone.reduce(0) { $0 + $1.bytes }
    dropped += gone.count
    return gone
  }

  /// The next one to send; nil if there is none, or enough are on their way. The order is kept: one
  /// that rests holds those behind it.
  func next(_ now: LimitClock.Instant) -> Item? {
    guard items.count(where: { $0.token != nil }) < Self.mostInFlight,
      let first = items.first(where: { $0.token == nil })
    else { return nil }
    if let rests = first.rests, rests > now { return nil }
    return first
  }

  /// When one that rests goes again.
  var deadline: LimitClock.Instant? { items.compactMap(\.rests).min() }

  mutating func sent(_ id: UInt64, as token: UInt64) {
    guard let place = items.firstIndex(where: { $0.id == id }) else { return }
    items[place].token = token
    items[place].rests = nil
  }

  /// Forgets one that cannot be sent at all.
  mutating func remove(_ id: UInt64) {
    guard let place = items.firstIndex(where: { $0.id == id }) else { return }
    bytes -= items[place].bytes
    items.remove(at: place)
    dropped += 1
  }

  /// - Returns: the message that the broker has now.
  mutating func acknowledged(_ token: UInt64) -> Item? {
    guard let place = items.firstIndex(where: { $0.token == token }) else { return nil }
    bytes -= items[place].bytes
    return items.remove(at: place)
  }

  /// The broker refused a message, or is about to be lost.
  ///
  /// - Returns: what is dropped for it.
  mutating func unacknowledged(_ token: UInt64, _ now: LimitClock.Instant) -> Item? {
    guard let place = items.firstIndex(where: { $0.token == token }) else { return nil }
    items[place].token = nil
    items[place].refusals += 1
    items[place].rests = now + .seconds(1)
    guard items[place].refusals >= Self.mostRefusals else { return nil }
    bytes -= items[place].bytes
    dropped += 1
    return items.remove(at: place)
  }

  /// The connection was lost: whatever was not acknowledged goes again.
  mutating func lost() {
    for place in items.indices {
      items[place].token = nil
      if items[place].rests != nil { items[place].refusals -= 1 }
      items[place].rests = nil
    }
  }
}
