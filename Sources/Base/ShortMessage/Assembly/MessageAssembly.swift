import ModemModel

/// Joins the parts of long messages, which may come in any order, late, twice or never.
///
/// Parts belong together if sender, service centre's reference and count are equal (3GPP TS 23.040,
/// 9.2.3.24.1), the place is free, and they were sent within an hour of each other, because senders
/// reuse their references.
package struct MessageAssembly: Sendable {
  /// How much is kept.
  package struct Limits: Hashable, Sendable {
    /// Parts in total. Parts that are only in memory are dropped first, the oldest before others.
    package var parts: Int
    /// How long a part stays that is only in memory.
    package var memory: Duration
    /// How far apart parts of one message may have been sent.
    package var spread: Duration

    package init(parts: Int = 1024, memory: Duration = .seconds(86_400), spread: Duration = .seconds(3600)) {
      self.parts = parts
      self.memory = memory
      self.spread = spread
    }
  }

  private struct Key: Hashable {
    let sender: MessageAddress
    let reference: UInt16
    let isWide: Bool
    let total: Int

    init?(_ part: MessagePart) {
      guard let joint = part.delivery.header.concatenation else { return nil }
      sender = part.delivery.sender
      (reference, isWide, total) = (joint.reference, joint.isWide, joint.total)
    }
  }

  private struct Group {
    /// Nil for a single-part message.
    let key: Key?
    var parts: [Int: MessagePart]

    var message: AssembledMessage {
      AssembledMessage(parts: parts.sorted { $0.key < $1.key }.map(\.value), total: key?.total ?? 1)
    }
  }

  private let limits: Limits
  /// In the order in which their first parts were added.
  private var groups: [Group] = []

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// The messages, complete or not, in the order of arrival.
  package var messages: [AssembledMessage] { groups.map(\.message) }

  /// Adds a part.
  ///
  /// - Returns: the message that this part completes. Otherwise nil, also for a duplicate part,
  ///   unless its arrival is first seen now.
  @discardableResult
  package mutating func add(_ part: MessagePart) -> AssembledMessage? {
    if let known = position(of: part) { return note(again: part, at: known) }
    let index: Int
    if let key = Key(part), let number = part.delivery.header.concatenation?.number {
      if let known = groups.lastIndex(where: { $0.key == key && $0.parts[number] == nil && isNear(part, $0) }) {
        index = known
        groups[index].parts[number] = part
      } else {
        index = groups.endIndex
        groups.append(Group(key: key, parts: [number: part]))
      }
    } else {
      index = groups.endIndex
      groups.append(Group(key: nil, parts: [1: part]))
    }
    let message = groups[index].message
    keepToLimit()
    return message.isComplete ? message : nil
  }

  /// Forgets a PDU that is no longer kept.
  package mutating func remove(reference: String) {
    change { part in
      part.references.removeAll { $0 == reference }
      return !part.references.isEmpty
    }
  }

  /// Forgets parts that are only in memory and have expired.
  package mutating func expire(at now: Timestamp) {
    let oldest = now.later(by: .zero - limits.memory)
    change { part in part.isStored || (part.received.map { $0 >= oldest } ?? true) }
  }

  /// Forgets everything.
  package mutating func removeAll() { groups = [] }

  private func position(of part: MessagePart) -> (group: Int, number: Int)? {
    for (index, group) in groups.enumerated() {
      if let known = group.parts.first(where: { $0.value.fingerprint == part.fingerprint }) {
        return (index, known.key)
      }
    }
    return nil
  }

  private mutating func note(again part: MessagePart, at known: (group: Int, number: Int)) -> AssembledMessage? {
    guard var kept = groups[known.group].parts[known.number] else { return nil }
    kept.references += part.references.filter { !kept.references.contains($0) }
    let isNews = kept.received == nil && part.received != nil
    if isNews { kept.received = part.received }
    groups[known.group].parts[known.number] = kept
    let message = groups[known.group].message
    return isNews && message.isComplete ? message : nil
  }

  private func isNear(_ part: MessagePart, _ group: Group) -> Bool {
    guard let time = part.delivery.sent?.time else { return true }
    return group.parts.values.allSatisfy { other in
      guard let known = other.delivery.sent?.time else { return true }
      return max(known.time(since: time), time.time(since: known)) <= limits.spread
    }
  }

  /// - Parameter keep: changes a part, and returns whether it stays.
  private mutating func change(_ keep: (inout MessagePart) -> Bool) {
    for index in groups.indices {
      for (number, part) in groups[index].parts {
        var part = part
        groups[index].parts[number] = keep(&part) ? part : nil
      }
    }
    groups.removeAll { $0.parts.isEmpty }
  }

  private mutating func keepToLimit() {
    var count = groups.reduce(0) { $0 + $1.parts.count }
    while count > limits.parts {
      // Except the last one, which the part was just added to.
      let older = groups.dropLast()
      let index = older.firstIndex { !$0.message.isStored } ?? older.startIndex
      guard index < older.endIndex else { return }
      count -= groups[index].parts.count
      groups.remove(at: index)
    }
  }
}
