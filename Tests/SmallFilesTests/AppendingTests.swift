import DetachedThread
import Glibc
import SmallFiles
import Testing

@Suite("Appending to a journal")
struct AppendingTests {
  @Test("Records stand one behind the other, in a file of its owner alone")
  func records() throws {
    try TestFolder.with { folder in
      for record in ["one\n", "two\n", "", "three\n"] { try SmallFile.append(Array(record.utf8), to: folder.file("a")) }
      #expect(folder.text("a") == "one\ntwo\nthree\n" && folder.mode("a") == 0o600)
    }
  }

  @Test("A link is not followed, whether it leads somewhere or not")
  func link() throws {
    try TestFolder.with { folder in
      try folder.put("theirs\n", "target")
      #expect(symlink(folder.file("target"), folder.file("a")) == 0)
      #expect(symlink(folder.file("none"), folder.file("b")) == 0)
      for name in ["a", "b"] {
        let refusal = failure { try SmallFile.append([1], to: folder.file(name)) }
        #expect(refusal?.step == .open && refusal?.errno == ELOOP)
      }
      #expect(folder.text("target") == "theirs\n" && folder.names == ["a", "b", "target"])
      #expect(failure { try SmallFile.append([1], to: folder.file("no/a")) }?.errno == ENOENT)
    }
  }

  @Test(
    "A full disk takes a record whole or not at all",
    .enabled(if: geteuid() == 0, "needs root, to mount a small disk"))
  func full() async throws {
    try await TestFolder.onDisk(room: 64 << 10) { folder in
      let path = folder.file("a")
      try SmallFile.append(Array("first\n".utf8), to: path)
      let refusal = failure { try SmallFile.append(Array(repeating: 1, count: 100_000), to: path) }
      #expect(refusal?.step == .write && refusal?.errno == ENOSPC)
      #expect(folder.text("a") == "first\n")
      try SmallFile.append(Array("second\n".utf8), to: path)
      #expect(folder.text("a") == "first\nsecond\n")

      let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
      defer { close(descriptor) }
      #expect(SmallFile.append(Array(repeating: 1, count: 100_000), to: descriptor, behind: 13) == ENOSPC)
      #expect(SmallFile.append(Array("third\n".utf8), to: descriptor, behind: 13) == 0)
      #expect(folder.text("a") == "first\nsecond\nthird\n")
    }
  }

  @Test("All bytes are written where the system takes a part at a time")
  func parts() async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (input, output) = (ends[0], ends[1])
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
    async let read: [UInt8] = withCheckedContinuation { continuation in
      DetachedThread.start {
        var (all, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1000))
        while case let count = Glibc.read(input, &chunk, chunk.count), count > 0 { all += chunk[..<count] }
        continuation.resume(returning: all)
      }
    }
    #expect(SmallFile.write(bytes, to: output) == 0)
    close(output)
    #expect(await read == bytes)
    close(input)
    #expect(SmallFile.write([1], to: -1) == EBADF)
  }
}
