import Glibc
import SmallFiles
import Testing

@Suite("Replacing a small file")
struct ReplacingTests {
  @Test("It has the new content, for its owner alone, and leaves nothing behind", arguments: [true, false])
  func replaced(isForMachine: Bool) throws {
    try TestFolder.with { folder in
      let lasting: SmallFile.Lasting = isForMachine ? .machine : .process
      for text in ["one", "", String(repeating: "long", count: 50_000)] {
        try SmallFile.replace(folder.file("a"), with: Array(text.utf8), lasting: lasting)
        #expect(folder.text("a") == text && folder.mode("a") == 0o600 && folder.names == ["a"])
      }
    }
  }

  @Test("A reader of the old file goes on with it, and other names of it keep it")
  func otherFile() throws {
    try TestFolder.with { folder in
      try folder.put("old", "a", mode: 0o666)
      #expect(Glibc.link(folder.file("a"), folder.file("held")) == 0)
      try SmallFile.replace(folder.file("a"), with: Array("new".utf8))
      #expect(folder.text("held") == "old" && folder.text("a") == "new" && folder.mode("a") == 0o600)
    }
  }

  @Test("A link in its place is replaced and not written through")
  func link() throws {
    try TestFolder.with { folder in
      try folder.put("theirs", "target")
      #expect(symlink(folder.file("target"), folder.file("a")) == 0)
      try SmallFile.replace(folder.file("a"), with: Array("ours".utf8))
      #expect(folder.text("target") == "theirs" && folder.text("a") == "ours")
    }
  }

  @Test("The draft of a killed process is removed, whoever may write it, and not written into")
  func leftDraft() throws {
    try TestFolder.with { folder in
      try folder.put("old", "a")
      try folder.put("half of something that was lon", "a.new", mode: 0o666)
      // Somebody has it open, by another name.
      #expect(Glibc.link(folder.file("a.new"), folder.file("theirs")) == 0)
      try SmallFile.replace(folder.file("a"), with: Array("new".utf8))
      #expect(folder.text("a") == "new" && folder.mode("a") == 0o600 && folder.names == ["a", "theirs"])
      #expect(folder.text("theirs") == "half of something that was lon")
    }
  }

  @Test("What no process of ours leaves as a draft is refused and named")
  func oddDraft() throws {
    try TestFolder.with { folder in
      try folder.put("old", "a")
      #expect(symlink(folder.file("elsewhere"), folder.file("a.new")) == 0)
      let link = failure { try SmallFile.replace(folder.file("a"), with: [1]) }
      #expect(link?.step == .draft && link?.errno == ELOOP && link?.path == folder.file("a.new"))
      unlink(folder.file("a.new"))
      #expect(mkdir(folder.file("a.new"), 0o700) == 0)
      #expect(failure { try SmallFile.replace(folder.file("a"), with: [1]) }?.step == .draft)
      #expect(folder.text("a") == "old" && folder.names == ["a", "a.new"])
    }
  }

  @Test("A folder in its place, a missing folder and a refused finish leave all as it was")
  func refused() throws {
    try TestFolder.with { folder in
      #expect(mkdir(folder.file("folder"), 0o700) == 0)
      let taken = failure { try SmallFile.replace(folder.file("folder"), with: [1]) }
      #expect(taken?.step == .replace && taken?.errno == EISDIR)
      #expect(failure { try SmallFile.replace(folder.file("none/a"), with: [1]) }?.errno == ENOENT)
      let late = failure { try SmallFile.replace(folder.file("none/a"), with: [1], lasting: .process) }
      #expect(late?.step == .draft && late?.errno == ENOENT)
      let unfinished = failure {
        try SmallFile.replace(folder.file("a"), with: [1]) { fchmod(-1, $0 < 0 ? 0 : 0o600) == 0 }
      }
      #expect(unfinished?.step == .write && unfinished?.errno == EBADF)
      #expect(folder.names == ["folder"])
    }
  }

  @Test("Its owner and permissions are what the caller makes them, before it has its name")
  func finish() throws {
    try TestFolder.with { folder in
      try SmallFile.replace(folder.file("a"), with: [1], draft: folder.file(".a.draft")) { draft in
        var status = stat()
        let isPrivate = fstat(draft, &status) == 0 && status.st_mode & 0o077 == 0 && status.st_size == 1
        return isPrivate && folder.names == [".a.draft"] && fchmod(draft, 0o644) == 0
      }
      #expect(folder.mode("a") == 0o644 && folder.names == ["a"])
    }
  }

  @Test("Of several who write at the same time, each publishes its own, and readers see whole ones")
  func several() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let path = folder.file("a")
    try SmallFile.replace(path, with: Array(repeating: 0, count: 9000))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 1...6 {
        group.addTask {
          for _ in 0..<40 {
            try SmallFile.replace(path, with: Array(repeating: UInt8(writer), count: 9000), by: .several)
            let content = try SmallFile.content(path, limit: 10_000)
            try #require(content?.count == 9000 && Set(content ?? []).count == 1 && content?.first != 0)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(folder.names == ["a"])
  }

  @Test("Of several who make it once, one does, and what is there is never replaced")
  func once() throws {
    try TestFolder.with { folder in
      let isMade = try [1, 2].map { try SmallFile.makeOnce(folder.file("a"), [$0]) }
      #expect(isMade == [true, false])
      #expect(try SmallFile.content(folder.file("a"), limit: 9) == [1] && folder.names == ["a"])
      #expect(symlink(folder.file("elsewhere"), folder.file("b")) == 0)
      #expect(try !SmallFile.makeOnce(folder.file("b"), [3]))
      #expect(folder.names == ["a", "b"])
      #expect(failure { try SmallFile.makeOnce(folder.file("none/a"), [1]) }?.step == .openFolder)
    }
  }

  @Test("It goes with its draft, and one that is not there is no error", arguments: [true, false])
  func removed(isForMachine: Bool) throws {
    try TestFolder.with { folder in
      let lasting: SmallFile.Lasting = isForMachine ? .machine : .process
      try folder.put("x", "a")
      try folder.put("half", "a.new")
      #expect(try SmallFile.remove(folder.file("a"), lasting: lasting))
      #expect(try !SmallFile.remove(folder.file("a"), lasting: lasting))
      #expect(folder.names.isEmpty)
      #expect(mkdir(folder.file("folder"), 0o700) == 0)
      #expect(failure { try SmallFile.remove(folder.file("folder"), lasting: lasting) }?.step == .remove)
    }
  }

  @Test(
    "A full disk keeps the old file, and no draft takes its last room",
    .enabled(if: geteuid() == 0, "needs root, to mount a small disk"))
  func full() async throws {
    try await TestFolder.onDisk(room: 64 << 10) { folder in
      try SmallFile.replace(folder.file("a"), with: Array("old".utf8))
      let refusal = failure { try SmallFile.replace(folder.file("a"), with: Array(repeating: 1, count: 100_000)) }
      #expect(refusal?.step == .write && refusal?.errno == ENOSPC)
      #expect(folder.text("a") == "old" && folder.names == ["a"])
      #expect(
        failure { try SmallFile.makeOnce(folder.file("b"), Array(repeating: 1, count: 100_000)) }?.errno == ENOSPC)
      #expect(folder.names == ["a"])
      // The room is there again.
      try SmallFile.replace(folder.file("a"), with: Array(repeating: 2, count: 40_000))
      #expect(folder.text("a")?.utf8.count == 40_000)
    }
  }
}
