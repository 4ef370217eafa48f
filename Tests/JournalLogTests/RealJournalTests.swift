import Glibc
import Logging
import Testing

@testable import JournalLog

@Suite("systemd's own journal", .timeLimit(.minutes(1)), .enabled(if: RealJournal.isHere, "needs root and journald"))
struct RealJournalTests {
  @Test func `Takes lines with priority, id and fields, whatever is in them`() async throws {
    let journal = try await RealJournal()
    let writer = try #require(JournalWriter(socket: journal.socket))
    var logger = Logger(label: "modemd-port") { JournalLogHandler(label: $0, writer: writer) }
    logger[metadataKey: "modem"] = "m1"
    let forged = "ended\nPRIORITY=0\nMODEMD_MODEM=other\n\u{0}_PID=1"
    logger.event(.bearerLost, level: .warning, "\(forged)", metadata: ["code": "33", "cause": "a\nMESSAGE_ID=b"])
    logger.info("usual")
    logger.error("\(String(repeating: "long ", count: JournalEntry.mostBytes / 5))")
    #expect(writer.unreportedDrops == 0)

    let lost = try await journal.entries("MESSAGE_ID=\(JournalLog.LogEvent.bearerLost.messageID)")
    #expect(lost.count == 1)
    let entry = try #require(lost.first)
    for field in [
      #""PRIORITY":"4""#, #""SYSLOG_IDENTIFIER":"modemd-port""#, #""MODEMD_MODEM":"m1""#, #""MODEMD_CODE":"33""#,
      #""_PID":"\#(getpid())""#, #""MODEMD_CAUSE":"a\nMESSAGE_ID=b""#, #""DOCUMENTATION":"man:modemd-port(8)""#,
    ] { #expect(entry.contains(field), "\(entry)") }
    #expect(try await journal.entries("MODEMD_MODEM=other").isEmpty)
    // What somebody must act on, and nothing else.
    #expect(try await journal.entries("-p", "warning", "SYSLOG_IDENTIFIER=modemd-port").count == 2)
    #expect(try await journal.entries("-p", "info", "SYSLOG_IDENTIFIER=modemd-port").count == 3)
    // The entry that came in a file.
    let long = try await journal.entries("--all", "-p", "err", "SYSLOG_IDENTIFIER=modemd-port")
    #expect(long.count == 1 && long.first.map { $0.utf8.count > JournalEntry.mostBytes } == true)
  }

  @Test(
    "each daemon speaks to it where stderr is the journal's, and only there",
    arguments: [
      ("modemd", ["--configuration", "/nonexistent"]),
      (
        "modemd-port",
        [
          "--device", "/dev/null", "--protocol", "mbim", "--socket", "/run/port", "--configuration", "/nonexistent",
        ]
      ),
      ("modemd-web", ["--configuration", "/nonexistent"]),
    ])
  func daemons(_ program: String, _ arguments: [String]) async throws {
    let journal = try await RealJournal()
    let script = """
      program=$1; shift
      exec 3>/run/stderr
      JOURNAL_STREAM=$(stat --dereference --format=%d:%i /proc/self/fd/3)
      export JOURNAL_STREAM
      "$program" "$@" 2>&3 && exit 9
      cat /run/stderr
      """
    #expect(try await journal.run(script, [Built.path(program)] + arguments) == "")
    let failed = try await journal.entries("MESSAGE_ID=\(JournalLog.LogEvent.startFailed.messageID)")
    #expect(failed.count == 1)
    #expect(failed.first?.contains(#""PRIORITY":"2""#) == true && failed.first?.contains("/nonexistent") == true)
    #expect(failed.first?.contains(#""SYSLOG_IDENTIFIER":"\#(program)""#) == true)
    // With another stderr than the variable names.
    let other = """
      program=$1; shift
      JOURNAL_STREAM=$(stat --dereference --format=%d:%i /dev/null) "$program" "$@" 2>&1 && exit 9; :
      """
    #expect(try await journal.run(other, [Built.path(program)] + arguments).contains("/nonexistent"))
    #expect(try await journal.entries("MESSAGE_ID=\(JournalLog.LogEvent.startFailed.messageID)").count == 1)
  }

  @Test func `journalctl -x explains every event`() async throws {
    let journal = try await RealJournal()
    let writer = try #require(JournalWriter(socket: journal.socket))
    let logger = Logger(label: "modemd") { JournalLogHandler(label: $0, writer: writer) }
    for (number, event) in JournalLog.LogEvent.all.enumerated() {
      logger.event(event, level: .notice, "the line of \(event.name)")
      // Where the kernel's queue is short (net.unix.max_dgram_qlen), the journal reads between.
      if number % 8 == 7 { _ = try await journal.entries("MESSAGE=") }
    }
    #expect(writer.unreportedDrops == 0)
    let script = """
      cp "$1" /run/systemd/catalog/
      mount --bind /run/systemd/catalog /usr/lib/systemd/catalog
      journalctl --update-catalog
      journalctl --sync
      journalctl --directory=/run/log/journal --catalog --quiet SYSLOG_IDENTIFIER=modemd
      """
    let text = try await journal.run(script, ["\(Built.repository)/systemd/modemd.catalog"])
    for event in JournalLog.LogEvent.all {
      #expect(text.components(of: "the line of \(event.name)\n").count == 2, "\(event.name)")
    }
    #expect(text.components(of: "Defined-By: modemd").count == JournalLog.LogEvent.all.count + 1)
  }
}

/// The source tree and what was built from it.
enum Built {
  static let repository = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// A program beside this test.
  static func path(_ program: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return "/" + own.split(separator: "/").dropLast().joined(separator: "/") + "/" + program
  }

  static func read(_ path: String) throws -> String {
    let file = try #require(fopen("\(repository)/\(path)", "re"))
    defer { fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { content += buffer[..<count] }
    return String(decoding: content, as: UTF8.self)
  }
}

extension String {
  /// The parts between the places where a text stands.
  func components(of separator: String) -> [Substring] { split(separator: separator, omittingEmptySubsequences: false) }
}
