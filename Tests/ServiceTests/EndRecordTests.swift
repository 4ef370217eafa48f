import Glibc
import ModemPort
import Testing

@Suite struct `A port's record of its ends` {
  private let limit = EndRecord.Limit(ends: 3, within: .seconds(600))

  /// Starts at these times, each start after an end that nobody asked for; says what each start is
  /// told.
  private func verdicts(_ times: [Int64], _ limit: EndRecord.Limit) -> [EndRecord.Verdict] {
    var record = EndRecord()
    return times.map { time in
      record = EndRecord(text: record.text)
      return record.begin(at: time, limit)
    }
  }

  @Test func `leaves a modem alone that ends it again and again`() {
    #expect(
      verdicts([0, 10, 20, 30, 40], limit) == [.serve, .serve, .serve, .leaveAlone(ends: 3), .leaveAlone(ends: 4)])
  }

  @Test(arguments: [Int64.min, -1, 0, .max]) func `is read with times of any size`(_ time: Int64) {
    for now in [Int64.min, 0, .max] {
      var record = EndRecord(text: "ended \(time)\nended 99999999999999999999\nended -9223372036854775808\nrunning\n")
      _ = record.begin(at: now, limit)
    }
  }

  @Test func `does not count ends that something else than the modem made`() {
    var record = EndRecord()
    let others = (Int64(0)..<10).map { record.begin(at: $0, limit, mayBeModems: false) }
    #expect(others.allSatisfy { $0 == .serve })
    let own = (Int64(10)..<13).map { record.begin(at: $0, limit) }
    #expect(own == [.serve, .serve, .leaveAlone(ends: 3)])
  }

  @Test func `has a witness that says what the process before was doing`() throws {
    let path = "/tmp/modemd-witness-\(getpid())"
    defer { unlink(path) }
    let first = try #require(EndWitness(path: path))
    #expect(first.last == nil)
    first.byte?.pointee = UInt8(ascii: "r")
    let second = try #require(EndWitness(path: path))
    #expect(second.last == UInt8(ascii: "r"))
    second.byte?.pointee = UInt8(ascii: "w")
    #expect(try #require(EndWitness(path: path)).last == UInt8(ascii: "w"))
  }

  @Test func `forgives ends that are long ago`() {
    #expect(verdicts([0, 10, 20, 700], limit) == [.serve, .serve, .serve, .serve])
    // The third end is at 700, by which the first is forgotten.
    #expect(verdicts([0, 10, 500, 605, 700], limit).last == .leaveAlone(ends: 3))
  }

  @Test func `has no limit where none is set`() {
    #expect(verdicts(Array(0..<50), .init(ends: nil)).allSatisfy { $0 == .serve })
  }

  @Test func `forgets all when the end was asked for`() {
    var record = EndRecord()
    for time in 0..<10 { _ = record.begin(at: Int64(time), limit) }
    record.finish()
    #expect(record == EndRecord())
    #expect(record.begin(at: 11, limit) == .serve)
  }

  @Test func `does not count an end with an error of its own`() {
    var record = EndRecord()
    for time in 0..<10 {
      #expect(record.begin(at: Int64(time), limit) == .serve)
      record.giveUp()
    }
  }

  @Test func `takes no time that is to come for one that was`() {
    var record = EndRecord(text: "ended 5000\nended 6000\nended 7000\nrunning\nnonsense\nended x\n")
    #expect(record.begin(at: 10, limit) == .serve)
    #expect(record.text == "ended 10\nrunning\n")
  }

  /// systemd's own limit would take the port away, and with it the word of what is wrong.
  @Test func `comes before the unit's limit of starts`() throws {
    let unit = "\(#filePath.dropLast("Tests/ServiceTests/EndRecordTests.swift".utf8.count))systemd/modemd-port@.service"
    let file = try #require(fopen(unit, "re"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    let burst = text.split(separator: "\n").first { $0.hasPrefix("StartLimitBurst=") }?.split(separator: "=").last
    // One more start than ends.
    let (starts, ends) = (try #require(burst.flatMap { Int($0) }), try #require(EndRecord.Limit().ends))
    #expect(starts > ends + 1)
  }

  @Test func `outlives the process in a file`() throws {
    var template = Array("/tmp/modemd-ends-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer { rmdir(folder) }
    let file = { EndRecordFile(path: "\(folder)/ends", limit: limit) }
    let verdicts = (0..<4).map { _ in file().begin() }
    #expect(verdicts == [.serve, .serve, .serve, .leaveAlone(ends: 3)])
    file().finish()
    #expect(access("\(folder)/ends", F_OK) != 0)
    #expect(file().begin() == .serve)
    file().giveUp()
    #expect(file().begin() == .serve)
    file().finish()
  }
}
