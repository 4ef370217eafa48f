import AuthCore
import Glibc
import JSONTree
import ModemModel
import SealedFiles
import TS43Flows
import Synchronization
import Testing

@testable import TokenFiles

@Suite("Tokens of entitlement servers as files", .timeLimit(.minutes(1)))
struct EntitlementTokenFilesTests {
  private static let now = Timestamp(milliseconds: 1_800_000_000_000)

  private static func files(
    _ path: String, key byte: UInt8 = 7, at now: Timestamp = Self.now
  ) throws -> EntitlementTokenFiles {
    let key = try SealingKey([UInt8](repeating: byte, count: 48), for: .tokens)
    return EntitlementTokenFiles(path, sealedWith: key, now: { now })
  }

  private static func token(_ text: String = "zCfR-secret-token-1", expires: Timestamp? = nil) -> EntitlementToken {
    EntitlementToken(
      Secret(text), expires: expires, version: "12.0", method: .post, groupIdentifier: [0x2c, 0xff])
  }

  @Test("What is kept is found by another process, replaced, and forgotten; folder and files are their owner's alone")
  func keeping() async throws {
    try await TokenFolder.run { path in
      let folder = "\(path)/state/ts43"
      let (files, key) = (try Self.files(folder), TokenFolder.key())
      #expect(try await files.token(for: key) == nil)
      try await files.forget(Secret("zCfR-secret-token-1"), for: key)
      #expect(try await files.removeStale() == 0)
      #expect(TokenFolder.names(in: path).isEmpty)
      let end = Timestamp(milliseconds: Self.now.milliseconds + 86_400_000)
      try await files.keep(Self.token(expires: end), for: key)
      #expect(try await Self.files(folder).token(for: key) == Self.token(expires: end))
      try await files.keep(Self.token("another"), for: key)
      #expect(try await files.token(for: key) == Self.token("another"))
      #expect(TokenFolder.names(in: folder).count == 1)
      #expect(TokenFolder.mode(of: folder) == 0o700 && TokenFolder.mode(of: "\(path)/state") == 0o700)
      for name in TokenFolder.names(in: folder) { #expect(TokenFolder.mode(of: "\(folder)/\(name)") == 0o600) }
      // The server refused the old one, and meanwhile there is another.
      try await files.forget(Secret("zCfR-secret-token-1"), for: key)
      #expect(try await files.token(for: key) == Self.token("another"))
      try await files.forget(Secret("another"), for: key)
      #expect(try await files.token(for: key) == nil)
      #expect(TokenFolder.names(in: folder).isEmpty)
    }
  }

  @Test("Neither the file nor its name tells anything of the SIM, the terminal, the server or the token")
  func clear() async throws {
    try await TokenFolder.run { path in
      let key = TokenFolder.key()
      try await Self.files(path).keep(Self.token(), for: key)
      let names = TokenFolder.names(in: path)
      let text = names.map { $0 + String(decoding: TokenFolder.content(of: "\(path)/\($0)"), as: UTF8.self) }
      let all = text.joined().lowercased()
      for part in key.parts + ["zCfR-secret-token-1", "12.0", "2cff"] where !part.isEmpty {
        #expect(!all.contains(part.lowercased()), "\(part)")
      }
      // Another key gives another name: nobody finds a name by trying all SIMs.
      try await Self.files(path, key: 8).keep(Self.token(), for: key)
      #expect(Set(TokenFolder.names(in: path)).count == 2)
    }
  }

  @Test("A token is for one SIM, terminal, application and server", arguments: TokenFolder.others)
  func bound(other: EntitlementTokenKey) async throws {
    try await TokenFolder.run { path in
      let (files, key) = (try Self.files(path), TokenFolder.key())
      try await files.keep(Self.token(), for: key)
      #expect(try await files.token(for: other) == nil)
      try await files.forget(Secret("zCfR-secret-token-1"), for: other)
      #expect(try await files.token(for: key) == Self.token())
      // Somebody who writes to the folder gives the file the other's name.
      let mine = try #require(TokenFolder.names(in: path).first)
      try await files.keep(Self.token("other"), for: other)
      let theirs = try #require(TokenFolder.names(in: path).first { $0 != mine })
      #expect(rename("\(path)/\(mine)", "\(path)/\(theirs)") == 0)
      #expect(try await files.token(for: other) == nil)
    }
  }

  @Test(
    "A file that was changed, cut, emptied or put there by somebody costs a login, and is replaced by the next token",
    arguments: ["bit", "cut", "empty", "plain", "long", "link", "folder"])
  func tampering(what: String) async throws {
    try await TokenFolder.run { path in
      let (files, key) = (try Self.files(path), TokenFolder.key())
      try await files.keep(Self.token(), for: key)
      let file = "\(path)/\(try #require(TokenFolder.names(in: path).first))"
      var bytes = TokenFolder.content(of: file)
      switch what {
      case "bit": bytes[bytes.count / 2] ^= 1
      case "cut": bytes.removeLast(30)
      case "empty": bytes = []
      case "plain":
        let forged = TokenDocument(key: key, token: Self.token("forged"), kept: Self.now)
        bytes = Array(forged.document.text.utf8)
      case "long": bytes = [UInt8](repeating: 0x20, count: 2 << 20)
      default: break
      }
      unlink(file)
      switch what {
      case "link": #expect(symlink("/etc/passwd", file) == 0)
      case "folder": #expect(mkdir(file, 0o700) == 0)
      default: try TokenFolder.write(bytes, to: file)
      }
      let found = try? await files.token(for: key)
      #expect(found == nil)
      if what == "folder" {
        // The error says where, and the flow goes on without the store.
        let error = await #expect(throws: AuthError.self) { try await files.keep(Self.token("next"), for: key) }
        #expect(error?.code == .storeFailed && error?.message.contains(file) == true)
      } else {
        try await files.keep(Self.token("next"), for: key)
        #expect(try await files.token(for: key) == Self.token("next"))
        #expect(TokenFolder.names(in: path).count == 1)
      }
    }
  }

  @Test("A token's file does not open as an identity's, nor an identity's as a token's")
  func purposes() throws {
    let secret = [UInt8](repeating: 7, count: 48)
    let (tokens, identities) = (try SealingKey(secret, for: .tokens), try SealingKey(secret, for: .identities))
    let document = JSONValue.object(["a": .string("b")])
    let sealed = try #require(tokens.seal(document, as: "x"))
    #expect(tokens.open(sealed, as: "x") == document && identities.open(sealed, as: "x") == nil)
    let other = try #require(identities.seal(document, as: "x"))
    #expect(tokens.open(other, as: "x") == nil)
    #expect(tokens.name(of: ["a"]) != identities.name(of: ["a"]))
    #expect(tokens.name(of: ["ab", ""]) != tokens.name(of: ["a", "b"]))
  }

  @Test("At most 64 files: the oldest goes")
  func limit() async throws {
    try await TokenFolder.run { path in
      let files = try Self.files(path)
      try await files.keep(Self.token(), for: TokenFolder.key(iccid: "8949000000000000000"))
      let first = try #require(TokenFolder.names(in: path).first)
      var times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, "\(path)/\(first)", &times, 0) == 0)
      for index in 1..<64 {
        try await files.keep(Self.token(), for: TokenFolder.key(iccid: "89490000000000000\(100 + index)"))
      }
      #expect(TokenFolder.names(in: path).count == 64 && TokenFolder.names(in: path).contains(first))
      // A replacement needs no room.
      try await files.keep(Self.token("x"), for: TokenFolder.key(iccid: "89490000000000000101"))
      #expect(TokenFolder.names(in: path).contains(first))
      try await files.keep(Self.token(), for: TokenFolder.key(iccid: "89490000000000000999"))
      #expect(TokenFolder.names(in: path).count == 64 && !TokenFolder.names(in: path).contains(first))
      #expect(try await files.token(for: TokenFolder.key(iccid: "89490000000000000999")) != nil)
    }
  }

  @Test("At the start what is of no use goes: what has ended, what nobody used for 90 days, what another key sealed")
  func stale() async throws {
    try await TokenFolder.run { path in
      let (day, now) = (Int64(86_400_000), Self.now.milliseconds)
      let rows: [(iccid: String, expires: Int64?, kept: Int64, key: UInt8, stays: Bool)] = [
        ("89490000000000000101", now + 1, now, 7, true), ("89490000000000000102", now, now, 7, false),
        ("89490000000000000103", nil, now - 89 * day, 7, true), ("89490000000000000104", nil, now - 91 * day, 7, false),
        ("89490000000000000105", now + 400 * day, now - 300 * day, 7, true),
        ("89490000000000000106", now + day, now, 8, false),
      ]
      for row in rows {
        let files = try Self.files(path, key: row.key, at: Timestamp(milliseconds: row.kept))
        let token = Self.token(expires: row.expires.map { Timestamp(milliseconds: $0) })
        try await files.keep(token, for: TokenFolder.key(iccid: row.iccid))
      }
      try TokenFolder.write(Array("{".utf8), to: "\(path)/00.token")
      try TokenFolder.write(Array("{".utf8), to: "\(path)/other.json")
      let files = try Self.files(path)
      #expect(try await files.removeStale() == 4)
      for row in rows {
        #expect(try await (files.token(for: TokenFolder.key(iccid: row.iccid)) != nil) == row.stays, "\(row.iccid)")
      }
      #expect(TokenFolder.names(in: path).count == 4 && TokenFolder.names(in: path).contains("other.json"))
      #expect(try await files.removeStale() == 0)
    }
  }

  @Test("Many at once leave one whole file")
  func racing() async throws {
    try await TokenFolder.run { path in
      let key = TokenFolder.key()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 1...4 {
          let files = try Self.files(path)
          group.addTask { for turn in 1...5 { try await files.keep(Self.token("\(writer)-\(turn)"), for: key) } }
          group.addTask { for turn in 1...5 { try await files.forget(Secret("\(writer)-\(turn)"), for: key) } }
        }
        try await group.waitForAll()
      }
      try await Self.files(path).keep(Self.token("last"), for: key)
      #expect(try await Self.files(path).token(for: key)?.token.revealed == "last")
      #expect(TokenFolder.names(in: path).count == 1)
    }
  }

  @Test("The first failure is reported, and the first one after the store has worked again")
  func reported() async throws {
    try await TokenFolder.run { path in
      let reports = Mutex<[String]>([])
      let folder = "\(path)/ts43"
      let store = ReportedTokenStore(try Self.files(folder)) { error in reports.withLock { $0.append(error.message) } }
      let key = TokenFolder.key()
      try TokenFolder.write([], to: folder)
      for _ in 1...3 { await #expect(throws: AuthError.self) { try await store.keep(Self.token(), for: key) } }
      #expect(reports.withLock { $0.count } == 1 && reports.withLock { $0[0].hasPrefix(folder) })
      unlink(folder)
      try await store.keep(Self.token(), for: key)
      #expect(try await store.token(for: key) == Self.token())
      try await store.forget(Self.token().token, for: key)
      #expect(try await store.token(for: key) == nil && reports.withLock { $0.count } == 1)
      rmdir(folder)
      try TokenFolder.write([], to: folder)
      await #expect(throws: AuthError.self) { try await store.keep(Self.token(), for: key) }
      #expect(reports.withLock { $0.count } == 2)
    }
  }

  @Test("Where nothing can be kept the error names the place, and nothing of the SIM")
  func noPlace() async throws {
    let (files, key) = (try Self.files("/proc/modemd/ts43"), TokenFolder.key())
    let error = await #expect(throws: AuthError.self) { try await files.keep(Self.token(), for: key) }
    #expect(error?.code == .storeFailed && error?.message.contains("/proc/modemd") == true)
    for part in key.parts where part.count > 4 { #expect(error?.message.contains(part) == false) }
  }
}
