import ModemModel
import OutsideNumber

/// The SIM's authentications of the last day, as a value without I/O: when another one is allowed.
///
/// Each is remembered by its age. Ages grow only with time that certainly passed. Within one boot
/// of the machine, that is its clock since boot, which nobody can set. From one boot to the next,
/// only the time of day tells, and only forwards: a clock that was set back, or that a machine
/// without a battery lost, lets no time pass.
package struct CardCalls: Hashable, Sendable {
  /// How many authentications are allowed.
  package struct Limit: Hashable, Sendable {
    /// Two logins with a lost sequence number each, and two more attempts. A login needs one
    /// authentication, or two after a lost sequence number.
    package static let perMinute = 6

    /// Within any 24 hours, 0 or more.
    package let perDay: Int

    package init(perDay: Int) { self.perDay = perDay }
  }

  /// A moment on the machine's two clocks.
  package struct Moment: Hashable, Sendable {
    /// Id of the machine's boot.
    package var boot: String
    /// Milliseconds since that boot, the machine's sleep included; never negative.
    package var sinceBoot: Int64
    /// The time of day, as far as the machine knows it.
    package var time: Timestamp

    package init(boot: String, sinceBoot: Int64, time: Timestamp) {
      self.boot = boot
      self.sinceBoot = max(sinceBoot, 0)
      self.time = time
    }
  }

  /// Why no authentication is allowed now.
  package struct Refusal: Hashable, Sendable {
    /// The number that is used up, of a minute or of a day.
    package var limit: Int
    package var isOfDay: Bool
    /// Until the next one is allowed.
    package var wait: Duration
  }

  /// What is wrong with a text that is no such record, without a value.
  struct Damage: Error, Hashable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// More authentications a day cannot be configured, and a record with more is damaged.
  package static let most = 1000
  /// A longer record is not this program's, in bytes.
  static let bytesLimit = 32 << 10
  private static let minute: Int64 = 60_000
  private static let day: Int64 = 86_400_000
  private static let title = "card-calls 1"

  /// Milliseconds since each, at `moment`: the latest one first.
  private var ages: [Int64]
  private(set) var moment: Moment

  /// No authentication yet.
  package init(at moment: Moment) {
    ages = []
    self.moment = moment
  }

  /// As if a day's authentications were all made at this moment, for a record that cannot be read.
  package init(usedUpAt moment: Moment, _ limit: Limit) {
    ages = Array(repeating: 0, count: min(max(limit.perDay, Limit.perMinute), Self.most))
    self.moment = moment
  }

  /// Lets time pass until a moment.
  package mutating func advance(to next: Moment) {
    let passed =
      next.boot == moment.boot
      ? next.sinceBoot - moment.sinceBoot : moment.time.time(to: next.time).saturatedMilliseconds
    let credit = min(max(passed, 0), Self.day)
    ages = ages.map { $0 + credit }.filter { $0 < Self.day }
    moment = next
  }

  /// Why another authentication is not allowed at `moment`; nil if it is.
  package func refusal(_ limit: Limit) -> Refusal? {
    let day = wait(for: limit.perDay, within: Self.day).map { Refusal(limit: limit.perDay, isOfDay: true, wait: $0) }
    let minute = wait(for: Limit.perMinute, within: Self.minute).map {
      Refusal(limit: Limit.perMinute, isOfDay: false, wait: $0)
    }
    guard let day else { return minute }
    guard let minute, minute.wait > day.wait else { return day }
    return minute
  }

  /// Counts one at `moment`.
  package mutating func note() { ages = Array(([0] + ages).prefix(Self.most)) }

  private func wait(for count: Int, within span: Int64) -> Duration? {
    guard count > 0 else { return .milliseconds(span) }
    guard ages.count >= count, ages[count - 1] < span else { return nil }
    return .milliseconds(span - ages[count - 1])
  }

  // MARK: Text

  /// Reads what `text` wrote.
  ///
  /// - Throws: `Damage` for anything else.
  init(text bytes: [UInt8]) throws(Damage) {
    guard bytes.count <= Self.bytesLimit else { throw Damage("it has more than \(Self.bytesLimit) bytes") }
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    // Every line ends with its break, so that a record that was cut off is not taken for a whole
    // one.
    guard lines.popLast() == "", lines.count >= 3, lines[0] == Self.title else {
      throw Damage("it has no such beginning")
    }
    guard lines.popLast() == "end" else { throw Damage("it has no end") }
    let head = lines[1].split(separator: " ", omittingEmptySubsequences: false)
    guard head.count == 4, head[0] == "at", Self.isPlain(head[1]), let sinceBoot = Self.number(head[2]),
      let time = Self.number(head[3])
    else { throw Damage("its second line is not a moment") }
    guard lines.count - 2 <= Self.most else { throw Damage("it has more than \(Self.most) authentications") }
    moment = Moment(boot: String(head[1]), sinceBoot: sinceBoot, time: Timestamp(milliseconds: time))
    ages = []
    for line in lines.dropFirst(2) {
      guard let age = Self.number(line), age < Self.day, age >= ages.last ?? 0 else {
        throw Damage("a line is not the age of an authentication, in order")
      }
      ages.append(age)
    }
  }

  /// The record as lines. It has times, and nothing of the SIM.
  var text: [UInt8] {
    let head = "\(Self.title)\nat \(moment.boot) \(moment.sinceBoot) \(max(moment.time.milliseconds, 0))\n"
    return Array((head + ages.map { "\($0)\n" }.joined() + "end\n").utf8)
  }

  private static func isPlain(_ text: Substring) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
      }
  }

  /// Up to 15 digits: sums of two such numbers are in range.
  private static func number(_ text: Substring) -> Int64? {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }
}
