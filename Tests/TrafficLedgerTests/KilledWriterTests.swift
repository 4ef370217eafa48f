import Glibc
import Testing

@testable import TrafficLedger

@Suite("A process that is killed while it moves bytes", .timeLimit(.minutes(5)))
struct KilledWriterTests {
  private static let limit = 100_000_000
  private static let rounds = 20

  @Test(
    "A budget of 100 MB is never passed, and met within 1 %, however often its keeper is killed", arguments: [16_384])
  func kill(piece: Int) async throws {
    try await LedgerFixture.inFolder { folder in
      var moved = 0
      var kills = 0
      for round in 1...Self.rounds {
        let (count, isKilled) = try Self.run(
          "\(folder)/usage", piece, killAfter: Int.random(in: 0...(Self.limit / Self.rounds)))
        moved += count
        kills += isKilled ? 1 : 0
        #expect(moved <= Self.limit, "in round \(round)")
      }
      // The last one comes to the end.
      moved += try Self.run("\(folder)/usage", piece, killAfter: nil).moved
      #expect(moved <= Self.limit)
      #expect(moved >= Self.limit / 100 * 99, "\(moved) bytes after \(kills) kills")
      #expect(kills >= Self.rounds / 2)
      #expect(try Self.run("\(folder)/usage", piece, killAfter: nil).moved == 0)
    }
  }

  /// Runs the writer, kills it once it has moved so many bytes, and takes what it moved.
  private static func run(
    _ folder: String, _ piece: Int, killAfter bytes: Int?
  ) throws -> (moved: Int, isKilled: Bool) {
    var ends: [Int32] = [0, 0]
    let made = pipe(&ends)
    try #require(made == 0)
    // Other tests start processes meanwhile, and this one's end must be seen.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let texts: [String] = [writer, folder, "\(limit)", "\(piece)"]
    let words = texts.map { (text: String) in strdup(text) }
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, writer, &actions, nil, words + [nil], environ)
    close(ends[1])
    try #require(status == 0)
    var moved = 0
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while moved <= bytes ?? .max, case let more = read(ends[0], &chunk, chunk.count), more > 0 { moved += more }
    if bytes != nil { Glibc.kill(process, SIGKILL) }
    // What it had written before.
    while case let more = read(ends[0], &chunk, chunk.count), more > 0 { moved += more }
    var end: Int32 = 0
    #expect(waitpid(process, &end, 0) == process)
    let isKilled = end & 0x7f == SIGKILL
    #expect(isKilled || end == 0)
    return (moved, isKilled)
  }

  /// The program beside the one that runs the tests.
  private static let writer: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/ledger-writer"
  }()
}
