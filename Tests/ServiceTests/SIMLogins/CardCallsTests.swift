import Glibc
import ModemModel
import Testing

@testable import ModemPort

/// The limits of a SIM's authentications, over time, restarts, reboots and clocks that jump.
@Suite struct `Authentications within a minute and a day` {
  private static let limit = CardCalls.Limit(perDay: 100)
  private static let noon: Int64 = 1_700_000_000_000

  /// A moment of a boot, `seconds` after it began; the time of day is `time` seconds after noon.
  private static func moment(_ seconds: Int64, boot: String = "a", time: Int64? = nil) -> CardCalls.Moment {
    CardCalls.Moment(
      boot: boot, sinceBoot: seconds * 1000, time: Timestamp(milliseconds: noon + (time ?? seconds) * 1000))
  }

  /// What a port that starts now would know.
  private static func read(_ calls: CardCalls) throws -> CardCalls { try CardCalls(text: calls.text) }

  @Test func `six are allowed within a minute, and the next when the first is a minute old`() {
    var calls = CardCalls(at: Self.moment(0))
    for second in 0..<6 {
      calls.advance(to: Self.moment(Int64(second)))
      #expect(calls.refusal(Self.limit) == nil)
      calls.note()
    }
    #expect(calls.refusal(Self.limit) == .init(limit: 6, isOfDay: false, wait: .seconds(55)))
    calls.advance(to: Self.moment(59))
    #expect(calls.refusal(Self.limit) == .init(limit: 6, isOfDay: false, wait: .seconds(1)))
    calls.advance(to: Self.moment(60))
    #expect(calls.refusal(Self.limit) == nil)
  }

  @Test func `a hundred are allowed within a day, and the day's limit is told`() {
    var calls = CardCalls(at: Self.moment(0))
    for minute in 0..<100 {
      calls.advance(to: Self.moment(Int64(minute) * 60))
      #expect(calls.refusal(Self.limit) == nil)
      calls.note()
    }
    #expect(calls.refusal(Self.limit) == .init(limit: 100, isOfDay: true, wait: .seconds(86_400 - 99 * 60)))
    calls.advance(to: Self.moment(86_399))
    #expect(calls.refusal(Self.limit) == .init(limit: 100, isOfDay: true, wait: .seconds(1)))
    calls.advance(to: Self.moment(86_400))
    #expect(calls.refusal(Self.limit) == nil)
  }

  @Test(arguments: [1, 6, 7, 1000]) func `another limit of a day is kept to the number`(perDay: Int) {
    let limit = CardCalls.Limit(perDay: perDay)
    var calls = CardCalls(at: Self.moment(0))
    var allowed = 0
    // One every 11 s is never more than 6 in a minute.
    for step in 0..<2000 {
      calls.advance(to: Self.moment(Int64(step) * 11))
      guard calls.refusal(limit) == nil else { break }
      calls.note()
      allowed += 1
    }
    #expect(allowed == perDay)
    #expect(calls.refusal(limit)?.isOfDay == true)
  }

  @Test func `a restart of the port gives no call back, and takes none`() throws {
    var calls = CardCalls(at: Self.moment(0))
    for second in 0..<6 {
      calls.advance(to: Self.moment(Int64(second)))
      calls.note()
    }
    var later = try Self.read(calls)
    #expect(later == calls)
    later.advance(to: Self.moment(30))
    #expect(later.refusal(Self.limit)?.wait == .seconds(30))
    later.advance(to: Self.moment(65))
    #expect(later.refusal(Self.limit) == nil)
  }

  @Test(arguments: [-1_000_000_000, -3600, 0, 3600, 86_400, 1_000_000_000] as [Int64])
  func `within a boot, the time of day counts for nothing`(jump: Int64) throws {
    var calls = CardCalls(at: Self.moment(0))
    for _ in 0..<6 { calls.note() }
    calls = try Self.read(calls)
    calls.advance(to: Self.moment(10, time: 10 + jump))
    #expect(calls.refusal(Self.limit)?.wait == .seconds(50))
  }

  @Test(
    arguments: [
      (-1_000_000_000, 60), (-1, 60), (0, 60), (20, 40), (59, 1), (60, nil), (1_000_000_000, nil),
    ] as [(Int64, Int?)])
  func `over a reboot, only time that the clock shows forwards passes`(passed: Int64, wait: Int?) throws {
    var calls = CardCalls(at: Self.moment(5000, time: 0))
    for _ in 0..<6 { calls.note() }
    calls = try Self.read(calls)
    calls.advance(to: Self.moment(3, boot: "b", time: passed))
    #expect(calls.refusal(Self.limit)?.wait == wait.map { .seconds($0) })
  }

  @Test func `after a reboot the new boot's own clock counts`() throws {
    var calls = CardCalls(at: Self.moment(5000, time: 0))
    for _ in 0..<6 { calls.note() }
    // The battery is empty: 1970.
    calls.advance(to: Self.moment(3, boot: "b", time: -Self.noon / 1000))
    calls = try Self.read(calls)
    // Then the network tells the time: years later, and nothing has passed but 20 s.
    calls.advance(to: Self.moment(23, boot: "b", time: 40_000_000))
    #expect(calls.refusal(Self.limit)?.wait == .seconds(40))
  }

  @Test func `a clock since boot that went back lets no time pass`() {
    var calls = CardCalls(at: Self.moment(500))
    for _ in 0..<6 { calls.note() }
    calls.advance(to: Self.moment(3))
    #expect(calls.refusal(Self.limit)?.wait == .seconds(60))
  }

  @Test func `a record that cannot be read counts as used up for a day, from now`() {
    var calls = CardCalls(usedUpAt: Self.moment(7), Self.limit)
    #expect(calls.refusal(Self.limit) == .init(limit: 100, isOfDay: true, wait: .seconds(86_400)))
    calls.advance(to: Self.moment(7 + 86_399))
    #expect(calls.refusal(Self.limit)?.wait == .seconds(1))
    calls.advance(to: Self.moment(7 + 86_400))
    #expect(calls.refusal(Self.limit) == nil)
  }

  @Test func `extreme moments do not trap`() throws {
    for sinceBoot in [Int64.min, -1, 0, .max] {
      for time in [Int64.min, -1, 0, .max] {
        let moment = CardCalls.Moment(boot: "a", sinceBoot: sinceBoot, time: Timestamp(milliseconds: time))
        var calls = CardCalls(at: moment)
        calls.note()
        for other in [Int64.min, 0, .max] {
          calls.advance(to: .init(boot: "a", sinceBoot: other, time: Timestamp(milliseconds: other)))
          calls.advance(to: .init(boot: "b", sinceBoot: other, time: Timestamp(milliseconds: other)))
        }
        #expect(calls.refusal(.init(perDay: 0)) != nil)
      }
    }
    let far = "card-calls 1\nat a 999999999999999 999999999999999\n86399999\nend\n"
    var calls = try CardCalls(text: Array(far.utf8))
    calls.advance(to: .init(boot: "a", sinceBoot: .max, time: Timestamp(milliseconds: .max)))
    #expect(calls.refusal(Self.limit) == nil)
  }

  // MARK: Text

  @Test func `a whole record of a thousand is read as it was written`() throws {
    var calls = CardCalls(at: Self.moment(0, boot: "0b8a0c6a-7a9c-4b0e-8f58-0d7b2a1e5c11"))
    for second in 0..<1200 {
      calls.advance(to: Self.moment(Int64(second), boot: "0b8a0c6a-7a9c-4b0e-8f58-0d7b2a1e5c11"))
      calls.note()
    }
    #expect(calls.text.count < CardCalls.bytesLimit)
    #expect(try Self.read(calls) == calls)
  }

  @Test(arguments: [
    "", "\n", "card-calls 1", "card-calls 1\n", "card-calls 2\nat a 1 2\nend\n", "card-calls 1\nat a 1 2\n",
    "card-calls 1\nat a 1 2\nend", "card-calls 1\nat a 1 2\n5\nend\nend\n", "card-calls 1\nat a 1 2\n\nend\n",
    "card-calls 1\nat a -1 2\nend\n", "card-calls 1\nat a 1 -2\nend\n", "card-calls 1\nat a 1\nend\n",
    "card-calls 1\nat a 1 2 3\nend\n", "card-calls 1\nat  1 2\nend\n", "card-calls 1\nat a/b 1 2\nend\n",
    "card-calls 1\nat a 1 2\n-5\nend\n", "card-calls 1\nat a 1 2\n+5\nend\n", "card-calls 1\nat a 1 2\n5 \nend\n",
    "card-calls 1\nat a 1 2\n86400000\nend\n", "card-calls 1\nat a 1 2\n9\n5\nend\n",
    "card-calls 1\nat a 1 2\n99999999999999999999\nend\n", "card-calls 1\nat a 1 9999999999999999\nend\n",
    "card-calls 1\r\nat a 1 2\r\nend\r\n", "\u{FEFF}card-calls 1\nat a 1 2\nend\n",
  ]) func `any other text is damaged`(text: String) {
    #expect(throws: CardCalls.Damage.self) { try CardCalls(text: Array(text.utf8)) }
  }

  @Test func `a record that was cut off anywhere, or that is too long, is damaged`() throws {
    var calls = CardCalls(at: Self.moment(3))
    for _ in 0..<3 { calls.note() }
    let text = calls.text
    for count in 0..<text.count {
      #expect(throws: CardCalls.Damage.self, "\(count)") { try CardCalls(text: Array(text.prefix(count))) }
    }
    let many = "card-calls 1\nat a 1 2\n" + String(repeating: "0\n", count: 1001) + "end\n"
    #expect(throws: CardCalls.Damage.self) { try CardCalls(text: Array(many.utf8)) }
    let long = text + Array(repeating: 0x0A, count: CardCalls.bytesLimit)
    #expect(throws: CardCalls.Damage.self) { try CardCalls(text: long) }
  }
}

/// The record's files.
@Suite struct `A folder of authentications` {
  private static let moment = CardCalls.Moment(boot: "a", sinceBoot: 5, time: Timestamp(milliseconds: 7))

  private static var some: CardCalls {
    var calls = CardCalls(at: moment)
    calls.note()
    return calls
  }

  private static func put(_ text: String, _ path: String, mode: mode_t = 0o600) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
    try #require(descriptor >= 0)
    _ = fchmod(descriptor, mode)
    let bytes = Array(text.utf8)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  @Test func `each SIM has a file, for this user alone, that has nothing of the SIM`() async throws {
    try await withCallFolder { path in
      let folder = CardCallFolder(path: path)
      #expect(try folder.calls(of: "0123abcd") == nil)
      try folder.keep(Self.some, of: "0123abcd")
      #expect(try folder.calls(of: "0123abcd") == Self.some && folder.calls(of: "4567") == nil)
      #expect(callFiles(in: path) == ["card-calls-0123abcd"])
      var status = stat()
      #expect(stat("\(path)/card-calls-0123abcd", &status) == 0 && status.st_mode & 0o777 == 0o600)
      // A later process.
      #expect(try CardCallFolder(path: path).calls(of: "0123abcd") == Self.some)
    }
  }

  @Test func `without marks that stay, all SIMs share one record`() async throws {
    try await withCallFolder { path in
      try CardCallFolder(path: path, isMarked: false).keep(Self.some, of: "one")
      #expect(try CardCallFolder(path: path, isMarked: false).calls(of: "other") == Self.some)
      #expect(callFiles(in: path) == ["card-calls-any"])
    }
  }

  @Test(arguments: ["", "x/y", "../x", "a b", String(repeating: "a", count: 65)])
  func `a mark that is no file's name is refused`(mark: String) async throws {
    try await withCallFolder { path in
      #expect(throws: ModemError.self) { try CardCallFolder(path: path).keep(Self.some, of: mark) }
      #expect(throws: ModemError.self) { try CardCallFolder(path: path).calls(of: mark) }
    }
  }

  @Test func `damage is told with the file's name and what to do`() async throws {
    try await withCallFolder { path in
      let (folder, file) = (CardCallFolder(path: path), "\(path)/card-calls-a")
      try Self.put("card-calls 1\n", file)
      let damage = #expect(throws: CardCallsDamaged.self) { try folder.calls(of: "a") }
      #expect(damage?.description.contains(file) == true && damage?.description.contains("Remove the file") == true)
      try Self.put(String(decoding: Self.some.text, as: UTF8.self), file, mode: 0o620)
      #expect(throws: CardCallsDamaged.self) { try folder.calls(of: "a") }
      unlink(file)
      try Self.put(String(decoding: Self.some.text, as: UTF8.self), "\(path)/card-calls-b")
      #expect(symlink("\(path)/card-calls-b", file) == 0)
      #expect(throws: CardCallsDamaged.self) { try folder.calls(of: "a") }
      unlink(file)
      #expect(mkfifo(file, 0o600) == 0)
      #expect(throws: CardCallsDamaged.self) { try folder.calls(of: "a") }
      // Whatever was there, the next record takes its place.
      try folder.keep(Self.some, of: "a")
      #expect(try folder.calls(of: "a") == Self.some)
    }
  }

  @Test func `a folder that cannot be written is told`() throws {
    let error = #expect(throws: ModemError.self) {
      try CardCallFolder(path: "/proc/modemd-no-such-folder").keep(Self.some, of: "a")
    }
    #expect(error?.code == .failed && error?.message.contains("is not done without") == true)
  }

  @Test func `of many SIMs, the oldest records go`() async throws {
    try await withCallFolder { path in
      let folder = CardCallFolder(path: path)
      for number in 0..<40 {
        try folder.keep(Self.some, of: "sim-\(number)")
        let file = "\(path)/card-calls-sim-\(number)"
        let times = Array(repeating: timeval(tv_sec: 1000 + number, tv_usec: 0), count: 2)
        #expect(utimes(file, times) == 0)
      }
      let names = callFiles(in: path)
      #expect(names.count == CardCallFolder.most)
      #expect(try folder.calls(of: "sim-39") != nil && folder.calls(of: "sim-0") == nil)
    }
  }

  @Test func `the machine's own moment is of its boot`() {
    let one = CardCalls.Moment.now(Timestamp(milliseconds: 1))
    let other = CardCalls.Moment.now(Timestamp(milliseconds: 2))
    #expect(one.boot == other.boot && one.boot != "unknown" && one.sinceBoot > 0 && one.sinceBoot <= other.sinceBoot)
  }
}

/// A folder that is there for `body` alone.
func withCallFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  var template = Array("/tmp/modemd-calls-XXXXXX".utf8CString)
  let path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  defer {
    for name in callFiles(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }
  return try await body(path)
}

/// What a folder has, in order.
func callFiles(in path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}
