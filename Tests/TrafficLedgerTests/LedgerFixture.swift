import ClockTestSupport
import Glibc
import ModemModel
import ModemService
import Synchronization
import Testing

@testable import TrafficLedger

/// A ledger with a time of day that the test sets.
final class LedgerFixture: Sendable {
  let driven = DrivenClock()
  private let moment: Mutex<Timestamp>
  private let told = Mutex<[String]>([])
  let folder: String?

  init(at time: String = "2026-11-26T12:00:00Z", folder: String? = nil) throws {
    moment = Mutex(try #require(Timestamp(rfc3339: time)))
    self.folder = folder
  }

  /// What the ledger told the journal.
  var sentences: [String] { told.withLock { $0 } }

  func set(_ time: String) throws {
    let time = try #require(Timestamp(rfc3339: time))
    moment.withLock { $0 = time }
  }

  func ledger(
    _ limits: BudgetLimits? = nil, users: [UInt32: BudgetLimits] = [:], groups: [UInt32: BudgetLimits] = [:],
    destinations: ByCaller<DestinationRule> = ByCaller()
  ) -> TrafficLedger {
    TrafficLedger(policy: Self.policy(limits, users, groups, destinations), means: means)
  }

  static func policy(
    _ limits: BudgetLimits? = nil, _ users: [UInt32: BudgetLimits] = [:], _ groups: [UInt32: BudgetLimits] = [:],
    _ destinations: ByCaller<DestinationRule> = ByCaller()
  ) -> TrafficPolicy {
    typealias Entry = ByCaller<BudgetLimits>.Entry
    return TrafficPolicy(
      budgets: ByCaller(
        general: limits.map { Entry(key: "usage.budgets.*", value: $0) },
        users: Dictionary(uniqueKeysWithValues: users.map { ($0, Entry(key: "usage.budgets.u\($0)", value: $1)) }),
        groups: Dictionary(uniqueKeysWithValues: groups.map { ($0, Entry(key: "usage.budgets.@g\($0)", value: $1)) })),
      destinations: destinations)
  }

  var means: TrafficLedger.Means {
    var means = TrafficLedger.Means(folder: folder)
    means.now = { self.moment.withLock { $0 } }
    means.calendar = .utc
    means.clock = driven.clock
    means.tell = { text in self.told.withLock { $0.append(text) } }
    return means
  }

  /// Runs a test in a folder of its own.
  static func inFolder(_ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/modemd-ledger-XXXXXX\0".utf8CString.dropLast())
    let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) != nil }
    try #require(made)
    let path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      for name in names(in: "\(path)/usage") { unlink("\(path)/usage/\(name)") }
      rmdir("\(path)/usage")
      rmdir(path)
    }
    try await body(path)
  }

  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// The files of a folder change as `change` has it.
  static func damage(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    let file = try #require(fopen(path, "re"))
    var content = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&content, 1, content.count, file)
    content.removeLast(content.count - count)
    fclose(file)
    change(&content)
    let output = try #require(fopen(path, "we"))
    #expect(fwrite(content, 1, content.count, output) == content.count)
    fclose(output)
  }
}

extension LocalCalendar {
  static let utc = LocalCalendar { moment in
    var (time, parts) = (time_t(moment.seconds), tm())
    gmtime_r(&time, &parts)
    return CivilDay(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
  } start: { year, month, day in
    var parts = tm()
    parts.tm_year = Int32(year - 1900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    return Timestamp(milliseconds: Int64(timegm(&parts)) * 1000)
  }
}

extension TrafficRequest {
  static func of(
    _ user: UInt32?, _ purpose: TrafficPurpose = .streams, groups: Set<UInt32> = [], modem: String = "modem-1",
    host: String? = "server.example", port: Int? = 443, isRoaming: Bool = false
  ) -> TrafficRequest {
    TrafficRequest(
      caller: user.map { Caller(userID: $0, groupIDs: groups) }, modem: modem, interface: "wwan0", purpose: purpose,
      host: host, port: port, isRoaming: isRoaming)
  }
}

extension TrafficAccount {
  /// Moves bytes as a splice does.
  ///
  /// - Returns: how many were moved.
  @discardableResult func move(_ wanted: Int) -> Int {
    let granted = reserve(wanted)
    took(sent: granted, received: 0, ofReserved: granted)
    return granted
  }
}

extension TrafficLedger {
  func used(_ kind: BudgetKind, of user: UInt32) -> Int? { budgets(of: user).first { $0.kind == kind }?.used }
}
