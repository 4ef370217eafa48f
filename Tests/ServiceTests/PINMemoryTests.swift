import Glibc
import ModemModel
import ModemPort
import Testing

/// Which PINs a SIM refused: the third wrong one blocks it, so that none may be entered twice by
/// itself.
@Suite struct `A memory of refused PINs` {
  private static let (one, two) = (PIN("1234")!, PIN("12345678")!)

  /// A digest for tests: FNV-1a four times over, in hexadecimal digits.
  @Sendable private static func digest(_ bytes: [UInt8]) -> String {
    (UInt8(0)..<4).map { round in
      let number = ([round] + bytes).reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
        ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
      }
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private static func withFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/modemd-pins-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer {
      for name in files(in: folder) { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
    try body(folder)
  }

  private static func files(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func text(of file: String) -> String {
    guard let opened = fopen(file, "re") else { return "" }
    defer { fclose(opened) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&buffer, 1, buffer.count, opened)
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  private func expectMemory(_ memory: some PINMemory) throws {
    #expect(!memory.contains(Self.one, for: "a"))
    try memory.note(Self.one, for: "a")
    try memory.note(Self.one, for: "a")
    try memory.note(Self.two, for: "a")
    #expect(memory.contains(Self.one, for: "a") && memory.contains(Self.two, for: "a"))
    // Of another SIM, and of a PIN that begins alike, it says nothing.
    #expect(!memory.contains(Self.one, for: "b") && !memory.contains(PIN("12345")!, for: "a"))
    memory.forget(Self.one, for: "b")
    memory.forget(Self.one, for: "a")
    #expect(!memory.contains(Self.one, for: "a") && memory.contains(Self.two, for: "a"))
  }

  @Test func `keeps each SIM's own, in a process or in a folder`() throws {
    try expectMemory(PINMemoryInProcess())
    try Self.withFolder { try expectMemory(PINMemoryFolder(path: $0, digest: Self.digest)) }
  }

  @Test func `in a folder outlives the process, and has neither SIM nor PIN in it`() throws {
    try Self.withFolder { folder in
      try PINMemoryFolder(path: folder, digest: Self.digest).note(Self.one, for: "8944110012345678901")
      #expect(PINMemoryFolder(path: folder, digest: Self.digest).contains(Self.one, for: "8944110012345678901"))
      let names = Self.files(in: folder)
      #expect(names.count == 1)
      for name in names {
        let said = name + Self.text(of: "\(folder)/\(name)")
        #expect(!said.contains("1234") && !said.contains("8944"), "\(said)")
        var facts = stat()
        #expect(stat("\(folder)/\(name)", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
      }
    }
  }

  @Test func `has another digest of one PIN each time, and no file when nothing is left`() throws {
    try Self.withFolder { folder in
      let memory = PINMemoryFolder(path: folder, digest: Self.digest)
      var seen: Set<String> = []
      for _ in 0..<3 {
        try memory.note(Self.one, for: "a")
        for name in Self.files(in: folder) { seen.insert(Self.text(of: "\(folder)/\(name)")) }
        memory.forget(Self.one, for: "a")
        #expect(Self.files(in: folder).isEmpty)
      }
      #expect(seen.count == 3)
    }
  }

  @Test func `forgets the oldest of many`() throws {
    try Self.withFolder { folder in
      let memory = PINMemoryFolder(path: folder, digest: Self.digest)
      let pins = (1000...1020).map { PIN("\($0)")! }
      for pin in pins { try memory.note(pin, for: "a") }
      #expect(pins.map { memory.contains($0, for: "a") } == pins.indices.map { $0 >= 5 })
    }
  }

  @Test func `that cannot be written says so, and does not follow a link`() throws {
    let missing = PINMemoryFolder(path: "/nonexistent/folder", digest: Self.digest)
    let error = #expect(throws: ModemError.self) { try missing.note(Self.one, for: "a") }
    #expect(error?.message.contains("/nonexistent/folder") == true && error?.cause?.isEmpty == false)
    #expect(error.map { !"\($0)".contains("1234") } == true)
    try Self.withFolder { folder in
      let memory = PINMemoryFolder(path: folder, digest: Self.digest)
      try memory.note(Self.one, for: "a")
      let name = try #require(Self.files(in: folder).first)
      #expect(rename("\(folder)/\(name)", "\(folder)/elsewhere") == 0)
      #expect(symlink("\(folder)/elsewhere", "\(folder)/\(name)") == 0)
      #expect(!memory.contains(Self.one, for: "a"))
      #expect(unlink("\(folder)/\(name)") == 0 && mkfifo("\(folder)/\(name)", 0o600) == 0)
      // Nobody writes into it, and nobody waits.
      #expect(!memory.contains(Self.one, for: "a"))
      let draft = "\(folder)/\(name).new"
      #expect(symlink("\(folder)/elsewhere", draft) == 0)
      #expect(throws: ModemError.self) { try memory.note(Self.two, for: "a") }
    }
  }
}
