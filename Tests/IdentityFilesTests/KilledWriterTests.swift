import AuthFlows
import Glibc
import IdentityFiles
import Testing
import MIRACLFlows

@Suite("A process that is killed while it replaces identities", .timeLimit(.minutes(5)))
struct KilledWriterTests {
  /// How often it is killed.
  private static let rounds = 40

  @Test("Whenever it is killed, the file holds what it held before or what it was to hold")
  func kill() async throws {
    try await SampleIdentity.inFolder { path in
      let folder = "\(path)/miracl"
      let (one, two) = (try SampleIdentity.make(id: 1), try SampleIdentity.make(id: 2))
      try SampleIdentity.write(one.document.text, to: "\(path)/one")
      try SampleIdentity.write(two.document.text, to: "\(path)/two")
      let files = IdentityFiles(folder)
      try await files.keep(two, over: nil)
      var found: Set<MIRACLIdentity> = []
      for _ in 1...Self.rounds {
        let count = try Self.killed(folder, path, after: Int.random(in: 0...20))
        let all = try await files.list()
        #expect(all.damaged.isEmpty && all.whole.count == 1, "after \(count) replacements: \(all.damaged)")
        let whole = try #require(all.whole.first)
        #expect([one, two].contains(whole))
        found.insert(whole)
        // What it left half-written is in nobody's way, and goes with the next change.
        #expect(try await files.keep(whole, over: whole))
        #expect(SampleIdentity.names(in: folder).count == 1)
      }
      #expect(found.count == 2, "it was always killed at the same identity")
    }
  }

  /// Runs the writer, and kills it once it has told of so many replacements: it goes on meanwhile,
  /// so that any moment may be hit.
  ///
  /// - Returns: how many it told of.
  private static func killed(_ folder: String, _ path: String, after count: Int) throws -> Int {
    var ends: [Int32] = [0, 0]
    let made = pipe(&ends)
    try #require(made == 0)
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    defer { posix_spawn_file_actions_destroy(&actions) }
    let texts: [String] = [writer, folder, "\(path)/one", "\(path)/two"]
    let words = texts.map { (text: String) in strdup(text) }
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, writer, &actions, nil, words + [nil], environ)
    try #require(status == 0)
    close(ends[1])
    var seen = 0
    var chunk = [UInt8](repeating: 0, count: 64)
    // One at the least: before that it has not begun.
    while seen <= count, case let more = read(ends[0], &chunk, chunk.count), more > 0 { seen += more }
    // A moment that nobody chose, within one replacement.
    var time = timespec(tv_sec: 0, tv_nsec: Int.random(in: 0...3_000_000))
    nanosleep(&time, nil)
    Glibc.kill(process, SIGKILL)
    var end: Int32 = 0
    let ended = waitpid(process, &end, 0)
    // Killed, and not ended by itself.
    #expect(ended == process && end & 0x7f == SIGKILL)
    return seen
  }

  /// The program beside the one that runs the tests.
  private static let writer: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/identity-writer"
  }()
}
