import Glibc
import SmallFiles
import Testing

@Suite("Reading a small file")
struct ReadingTests {
  @Test("Its content is read as a whole, and no file is no error", arguments: [0, 1, 4095, 4096, 4097, 70_000])
  func whole(count: Int) throws {
    try TestFolder.with { folder in
      #expect(try SmallFile.content(folder.file("a"), limit: 100_000) == nil)
      let text = String(repeating: "x", count: count)
      try folder.put(text, "a")
      #expect(try SmallFile.content(folder.file("a"), limit: 100_000) == Array(text.utf8))
      #expect(try SmallFile.content(folder.file("a"), limit: count) == Array(text.utf8))
      #expect(try SmallFile.beginning(folder.file("a"), limit: 10) == Array(text.utf8.prefix(10)))
    }
  }

  @Test("One that is longer than its reader accepts is refused, and costs no more memory")
  func long() throws {
    try TestFolder.with { folder in
      try folder.put("12345678", "a")
      #expect(failure { try SmallFile.content(folder.file("a"), limit: 7) }?.step == .size)
      // A hole of many gigabytes.
      #expect(truncate(folder.file("a"), 1 << 36) == 0)
      #expect(failure { try SmallFile.content(folder.file("a"), limit: 5000) }?.errno == EFBIG)
      #expect(try SmallFile.beginning(folder.file("a"), limit: 5000)?.count == 5000)
    }
  }

  @Test("One whose size the system does not say is read all the same")
  func unsized() throws {
    #expect(try SmallFile.content("/proc/self/status", limit: 65_536)?.isEmpty == false)
  }

  @Test("Links, pipes, folders and devices are refused, and nothing is waited for")
  func kinds() throws {
    try TestFolder.with { folder in
      try folder.put("secret", "file")
      #expect(symlink(folder.file("file"), folder.file("link")) == 0)
      #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
      #expect(mkdir(folder.file("folder"), 0o700) == 0)
      let link = failure { try SmallFile.content(folder.file("link"), limit: 100) }
      #expect(link?.step == .open && link?.errno == ELOOP)
      for path in [folder.file("pipe"), folder.file("folder"), "/dev/zero"] {
        for source in [SmallFile.Source.owner, .anyone] {
          let refusal = failure { try SmallFile.content(path, limit: 100, from: source) }
          #expect(refusal?.step == .kind && refusal?.path == path)
          #expect(refusal?.description == "\(path): it is no file")
        }
      }
      #expect(failure { try SmallFile.content(folder.file("file/x"), limit: 100) }?.errno == ENOTDIR)
    }
  }

  @Test("One that others may read or write is refused where it must be the owner's", arguments: [0o640, 0o604, 0o620])
  func open(mode: Int) throws {
    try TestFolder.with { folder in
      try folder.put("x", "a", mode: mode_t(mode))
      let refusal = failure { try SmallFile.content(folder.file("a"), limit: 100, from: .owner) }
      #expect(refusal?.step == .access(mode_t(mode)))
      #expect(refusal?.clause == "other users may read or write it")
      #expect(try SmallFile.content(folder.file("a"), limit: 100) == Array("x".utf8))
      chmod(folder.file("a"), 0o600)
      #expect(try SmallFile.content(folder.file("a"), limit: 100, from: .owner) == Array("x".utf8))
    }
  }

  @Test("One of another user is refused too", .enabled(if: geteuid() == 0, "needs root, to give a file away"))
  func foreign() throws {
    try TestFolder.with { folder in
      try folder.put("x", "a")
      #expect(chown(folder.file("a"), 65_534, 65_534) == 0)
      #expect(failure { try SmallFile.content(folder.file("a"), limit: 100, from: .owner) }?.step == .access(0o600))
    }
  }

  @Test("The names in a folder come in order, and the oldest files are those that go")
  func names() throws {
    try TestFolder.with { folder in
      let records = RecordFolder(path: folder.path, beginning: "r-", most: 3)
      for (time, name) in ["c", "a", "b", "d"].enumerated() {
        let file = try #require(records.file(of: name))
        try SmallFile.replace(file, with: [1])
        let times = Array(repeating: timeval(tv_sec: 1000 + time, tv_usec: 0), count: 2)
        #expect(utimes(file, times) == 0)
      }
      try folder.put("x", "other")
      try folder.put("x", "r-c.new")
      #expect(records.files == ["a", "b", "c", "d"].map { folder.file("r-\($0)") })
      records.makeRoom(keeping: folder.file("r-c"))
      // The oldest one is kept, and counts.
      #expect(folder.names == ["other", "r-b", "r-c", "r-c.new", "r-d"])
      for name in ["", "x/y", "a b", "ü", String(repeating: "a", count: 65)] { #expect(records.file(of: name) == nil) }
      #expect(try SmallFile.names(in: folder.file("none")) { _ in true } == [])
      #expect(failure { try SmallFile.names(in: folder.file("other")) { _ in true } }?.step == .readFolder)
    }
  }
}
