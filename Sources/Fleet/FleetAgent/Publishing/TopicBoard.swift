import JSONTree
import LimitClock

/// The retained topics: what they should say, what the broker was told, and when the next message
/// is due. Topics are those below the machine's.
struct TopicBoard: Sendable {
  /// Changes within this time become one message.
  static let settling = Duration.seconds(1)
  /// Between two messages of one topic.
  static let pause = Duration.seconds(5)

  private struct Topic: Sendable {
    /// Nil where the topic is to be cleared.
    var body: [String: JSONValue]?
    /// Members whose change alone sends nothing.
    var quiet: Set<String> = []
    /// What was sent last, without quiet members; nil if nothing was since the birth.
    var sent: [String: JSONValue]?
    var isDue = false
    /// When it is worth sending: nothing more is expected to change.
    var ripe: LimitClock.Instant?
    var sentAt: LimitClock.Instant?
    /// Of an earlier process: nobody knows yet whether it is still a topic.
    var isDoubtful = false
    /// How often the broker was told to forget it. The second time is at the next connection,
    /// because the first message may have been lost.
    var clears = 0

    var loud: [String: JSONValue]? { body.map { body in body.filter { !quiet.contains($0.key) } } }
  }

  private var topics: [String: Topic] = [:]

  init() {}

  /// - Parameter known: topics that an earlier process had, which the broker may still keep.
  init(known: Set<String>) { for topic in known { topics[topic] = Topic(isDoubtful: true) } }

  /// All topics that the broker may keep.
  var names: Set<String> { Set(topics.filter { $0.value.body != nil || $0.value.clears < 2 }.keys) }

  subscript(topic: String) -> [String: JSONValue]? { topics[topic]?.body }

  /// - Parameters:
  ///   - quiet: members whose change alone sends nothing.
  ///   - isUrgent: whether it is not worth waiting for further changes.
  mutating func set(
    _ topic: String, _ body: [String: JSONValue], quiet: Set<String> = [], isUrgent: Bool = false,
    now: LimitClock.Instant
  ) {
    var entry = topics[topic] ?? Topic()
    let isNew = entry.body == nil
    entry.body = body
    entry.quiet = quiet
    (entry.isDoubtful, entry.clears) = (false, 0)
    note(&entry, isNew: isNew, isUrgent: isUrgent, now)
    topics[topic] = entry
  }

  /// Has the broker forget a topic.
  mutating func clear(_ topic: String, now: LimitClock.Instant) {
    guard var entry = topics[topic], entry.body != nil else { return }
    entry.body = nil
    entry.isDue = true
    entry.ripe = entry.ripe ?? now + Self.settling
    topics[topic] = entry
  }

  private func note(_ entry: inout Topic, isNew: Bool, isUrgent: Bool, _ now: LimitClock.Instant) {
    guard isNew || entry.sent != entry.loud else {
      // It is again what the broker has.
      if entry.sent != nil { (entry.isDue, entry.ripe) = (false, nil) }
      return
    }
    entry.isDue = true
    entry.ripe = isUrgent ? now : entry.ripe ?? now + Self.settling
    if isUrgent { entry.sentAt = nil }
  }

  /// A connection was made: every topic is told anew, and what is no topic any more is cleared.
  mutating func birth(now: LimitClock.Instant) {
    topics = topics.filter { $0.value.body != nil || $0.value.clears < 2 }
    for topic in topics.keys where topics[topic]?.isDoubtful == false {
      topics[topic]?.isDue = true
      topics[topic]?.sent = nil
      topics[topic]?.sentAt = nil
      topics[topic]?.ripe = now
    }
  }

  /// The machine has told all that it has: what an earlier process had and this one has not is to
  /// be forgotten.
  mutating func settle(now: LimitClock.Instant) {
    for topic in topics.keys where topics[topic]?.isDoubtful == true {
      topics[topic]?.isDoubtful = false
      topics[topic]?.isDue = true
      topics[topic]?.ripe = now
    }
  }

  private static func moment(_ topic: Topic) -> LimitClock.Instant? {
    guard topic.isDue, let ripe = topic.ripe else { return nil }
    return topic.sentAt.map { max(ripe, $0 + pause) } ?? ripe
  }

  /// When the next message is due; nil if nothing has changed.
  var deadline: LimitClock.Instant? { topics.values.compactMap(Self.moment).min() }

  /// Topics that are due, in their order.
  func due(_ now: LimitClock.Instant) -> [String] {
    topics.filter { _, topic in Self.moment(topic).map { $0 <= now } ?? false }.keys.sorted()
  }

  /// The broker was told what the topic says.
  mutating func told(_ topic: String, now: LimitClock.Instant) {
    guard var entry = topics[topic] else { return }
    if entry.body == nil { entry.clears += 1 }
    (entry.isDue, entry.ripe, entry.sent, entry.sentAt) = (false, nil, entry.loud, now)
    topics[topic] = entry
  }
}
