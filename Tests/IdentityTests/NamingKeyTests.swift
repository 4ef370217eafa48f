import GLibBridge
import Glibc
import ModemModel
import ModemPort
import Testing

@Suite struct `The key of modems' names` {
  @Test func `is made once, for its owner alone, and the same for all who come at the same time`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/id-key"
      let keys = try await withThrowingTaskGroup(of: [UInt8].self, returning: Set<[UInt8]>.self) { group in
        for _ in 0..<8 { group.addTask { try NamingKey(path: path).bytes } }
        return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
      }
      #expect(keys.count == 1 && keys.first?.count == NamingKey.count)
      #expect(names(in: folder) == ["id-key"])
      var status = stat()
      stat(path, &status)
      #expect(status.st_mode & 0o777 == 0o600)
      #expect(try NamingKey(path: path).bytes == keys.first)
      #expect(NamingKey.forThisProcess().bytes != NamingKey.forThisProcess().bytes)
    }
  }

  @Test func `that others may read, that is cut short or that is a link is not used, and not replaced`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/id-key"
      _ = try NamingKey(path: path)
      for mode: mode_t in [0o640, 0o604, 0o660] {
        chmod(path, mode)
        #expect(throws: ModemError.self) { try NamingKey(path: path) }
      }
      chmod(path, 0o600)
      truncate(path, 31)
      #expect(throws: ModemError.self) { try NamingKey(path: path) }
      truncate(path, 33)
      #expect(throws: ModemError.self) { try NamingKey(path: path) }
      rename(path, "\(folder)/other")
      symlink("\(folder)/other", path)
      #expect(throws: ModemError.self) { try NamingKey(path: path) }
      #expect(throws: ModemError.self) { try NamingKey(path: "/nonexistent/id-key") }
    }
  }

  @Test func `makes other names of one modem than another key, and the digest is HMAC-SHA-256`() {
    // RFC 4231, test case 2.
    #expect(
      Checksum.hmacSHA256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let names = (0..<2).map { number in
      ModemNaming { Checksum.hmacSHA256($0, key: [UInt8(number)]) }.name(imei: "490154203237518", device: "")
    }
    #expect(names[0] != names[1])
    #expect(names.allSatisfy { $0.count == "modem-".count + 16 })
  }
}
