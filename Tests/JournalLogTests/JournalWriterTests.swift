import CLinux
import Glibc
import Logging
import Testing

@testable import JournalLog

/// A socket in place of the journal's.
final class JournalSocket: Sendable {
  let path: String
  let descriptor: Int32
  private let folder: String

  init() throws {
    var template = Array("/tmp/modemd-journal-XXXXXX".utf8CString)
    folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    path = folder + "/socket"
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(descriptor >= 0 && bound == 0)
  }

  deinit {
    close(descriptor)
    unlink(path)
    rmdir(folder)
  }

  /// The next entry's bytes, and whether they came in a file.
  func next() -> (bytes: [UInt8], isFile: Bool)? {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var files = [Int32](repeating: -1, count: Int(clinux_most_descriptors))
    var number = 0
    let count = clinux_receive_with_descriptors(descriptor, &buffer, buffer.count, &files, &number, 0)
    guard count >= 0 else { return nil }
    guard number == 1 else { return (Array(buffer.prefix(count)), false) }
    defer { close(files[0]) }
    // Nobody may change it any more: more seals, a shorter, a longer and another file.
    guard fcntl(files[0], 1034) == 0xf, ftruncate(files[0], 0) != 0 else { return nil }
    lseek(files[0], 0, SEEK_SET)
    var content: [UInt8] = []
    while case let count = read(files[0], &buffer, buffer.count), count > 0 { content += buffer[..<count] }
    return (content, true)
  }
}

@Suite("Writing to the journal")
struct JournalWriterTests {
  private static func entry(_ message: String) -> JournalEntry {
    var entry = JournalEntry()
    entry.add("MESSAGE", message)
    return entry
  }

  private static func write(_ message: String, _ writer: JournalWriter) {
    writer.write(entry(message)) { entry("lost \($0)") }
  }

  @Test func `An entry is a datagram, and a long one a sealed file`() throws {
    let journal = try JournalSocket()
    let writer = try #require(JournalWriter(socket: journal.path))
    Self.write("short", writer)
    let long = String(repeating: "x", count: JournalEntry.mostBytes)
    Self.write(long, writer)
    let (first, second) = (try #require(journal.next()), try #require(journal.next()))
    #expect(first.bytes == Array("MESSAGE=short\n".utf8) && !first.isFile)
    #expect(second.bytes == Array("MESSAGE=\(long)\n".utf8) && second.isFile)
    #expect(writer.unreportedDrops == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A journal that does not read never blocks; what was dropped is told later`() throws {
    let journal = try JournalSocket()
    let writer = try #require(JournalWriter(socket: journal.path))
    var written = 0
    while writer.unreportedDrops < 3, written < 10_000 {
      Self.write("line \(written)", writer)
      written += 1
    }
    #expect(writer.unreportedDrops == 3)
    var read = 0
    while journal.next() != nil { read += 1 }
    #expect(read == written - 3 && read > 0)
    Self.write("again", writer)
    #expect(journal.next()?.bytes == Array("MESSAGE=again\n".utf8))
    #expect(journal.next()?.bytes == Array("MESSAGE=lost 3\n".utf8))
    #expect(writer.unreportedDrops == 0)
  }

  @Test func `A journal that is not there costs the line and nothing else`() throws {
    let writer = try #require(JournalWriter(socket: "/nonexistent/socket"))
    Self.write("x", writer)
    #expect(writer.unreportedDrops == 1)
    #expect(JournalWriter(socket: String(repeating: "/x", count: 100)) == nil)
  }

  @Test func `Only stderr's own device and inode make it the journal's`() throws {
    var status = stat()
    try #require(fstat(STDERR_FILENO, &status) == 0)
    let (device, inode) = (status.st_dev, status.st_ino)
    #expect(JournalStream.isJournal("\(device):\(inode)"))
    for wrong in [
      nil, "", "\(device)", "\(device):\(inode + 1)", "\(device + 1):\(inode)", "\(device):\(inode):0",
      "+\(device):\(inode)", " \(device):\(inode)", "\(device):", String(repeating: "1", count: 100),
    ] { #expect(!JournalStream.isJournal(wrong)) }
    #expect(!JournalStream.isJournal("\(device):\(inode)", descriptor: -1))
  }

  @Test func `By hand a text with a line break is one line, and ids are left out`() throws {
    let lines = Recorder()
    var logger = Logger(label: "test") { _ in PlainLogHandler(lines) }
    logger[metadataKey: "modem"] = "m\n1"
    logger.event(.bearerLost, level: .warning, "bad\nline", metadata: ["cause": "a\r\nb"])
    #expect(lines.all == ["warning bad line cause=a b modem=m 1"])
  }
}

/// Keeps lines instead of writing them.
private struct Recorder: LogHandler {
  private final class Lines: @unchecked Sendable {
    // One test writes and reads it, on one thread.
    var all: [String] = []
  }

  private let lines = Lines()
  var all: [String] { lines.all }
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace
  var metadataProvider: Logger.MetadataProvider?

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: Logging.LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let words = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    lines.all.append("\(event.level) \(event.message)\(words)")
  }
}
