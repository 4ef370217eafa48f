import Glibc
import ModemModel
import Testing

@testable import ModemPort

/// A folder for notes, removed when the test is over.
struct NoteFolder: Sendable {
  let path: String

  static func with<Value>(_ body: (NoteFolder) async throws -> Value) async throws -> Value {
    var template = Array("/tmp/modemd-kept-XXXXXX".utf8CString)
    _ = try #require(mkdtemp(&template))
    let folder = NoteFolder(path: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    defer {
      for name in folder.names { if unlink("\(folder.path)/\(name)") != 0 { rmdir("\(folder.path)/\(name)") } }
      rmdir(folder.path)
    }
    return try await body(folder)
  }

  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func bytes(of name: String) -> [UInt8] {
    guard let file = fopen("\(path)/\(name)", "re") else { return [] }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    return Array(buffer[..<fread(&buffer, 1, buffer.count, file)])
  }

  func text(of name: String) -> String { String(decoding: bytes(of: name), as: UTF8.self) }

  func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    _ = Glibc.write(descriptor, bytes, bytes.count)
    fchmod(descriptor, mode)
    close(descriptor)
  }
}

@Suite("Notes of kept bearers", .timeLimit(.minutes(1)))
struct KeptBearerFolderTests {
  private static let modem = "modem-0011223344556677"
  private static let file = "kept-bearer-modem-0011223344556677"

  private static func note(
    _ request: BearerRequest = BearerRequest(apn: "internet"), modem: String = modem, device: String = "/dev/cdc-wdm0",
    boot: String = "b1"
  ) -> KeptBearer {
    KeptBearer(request, modem: modem, sim: "0123456789abcdef", device: device, boot: boot)
  }

  static let requests: [BearerRequest] =
    BearerRequest.IPType.allCases.map { BearerRequest(ipType: $0) }
    + BearerRequest.Authentication.allCases.map { BearerRequest(apn: "internet", authentication: $0) }
    + AccessPoint.Source.allCases.map { BearerRequest(apn: "a.b-c.example", source: $0) }
    + ["x", String(repeating: "é", count: 127), #"quotes " and \ and / and 🛰"#].map { BearerRequest(apn: $0) }

  @Test("What was asked for comes back as it was, from a file for its owner alone", arguments: requests)
  func whole(request: BearerRequest) async throws {
    try await NoteFolder.with { notes in
      let folder = KeptBearerFolder(path: notes.path, boot: "b1")
      try folder.write(Self.note(request))
      #expect(notes.names == [Self.file])
      var status = stat()
      stat("\(notes.path)/\(Self.file)", &status)
      #expect(status.st_mode & 0o777 == 0o600)
      var expected = request
      expected.isKept = true
      #expect(try folder.note(of: Self.modem)?.request == expected)
      #expect(try folder.note(of: "modem-other") == nil)
      try folder.erase(of: Self.modem)
      try folder.erase(of: Self.modem)
      #expect(notes.names == [])
    }
  }

  @Test("User name and password are not written, and what wants them is not asked for again")
  func credentials() async throws {
    try await NoteFolder.with { notes in
      let folder = KeptBearerFolder(path: notes.path, boot: "b1")
      for request in [
        BearerRequest(apn: "internet", user: "hunter", authentication: .chap),
        BearerRequest(apn: "internet", user: "hunter", password: APNPassword("swordfish")),
        BearerRequest(apn: "internet", password: APNPassword("swordfish")),
      ] {
        try folder.write(Self.note(request))
        #expect(try folder.note(of: Self.modem)?.request == nil)
        let text = notes.text(of: Self.file)
        #expect(!text.contains("hunter") && !text.contains("swordfish"))
      }
    }
  }

  @Test("A file is replaced as a whole, and not touched where nothing is new")
  func replaced() async throws {
    try await NoteFolder.with { notes in
      let folder = KeptBearerFolder(path: notes.path, boot: "b1")
      func number() -> UInt {
        var status = stat()
        stat("\(notes.path)/\(Self.file)", &status)
        return UInt(status.st_ino)
      }
      try folder.write(Self.note())
      // Keeps the number from being given away again.
      link("\(notes.path)/\(Self.file)", "\(notes.path)/held")
      let first = number()
      try folder.write(Self.note())
      #expect(number() == first)
      // What a killed process left is in nobody's way.
      notes.write(Array("half".utf8), to: Self.file + ".new")
      try folder.write(Self.note(BearerRequest(apn: "other")))
      #expect(number() != first)
      #expect(notes.names == ["held", Self.file])
      #expect(try folder.note(of: Self.modem)?.apn == "other")
    }
  }

  private static let good =
    #"{"apn":"internet","apnSource":"asked","authentication":"none","boot":"b1","device":"/dev/x","hasCredentials":false,"ipType":"ipv4v6","modem":"modem-0011223344556677","sim":"0123456789abcdef","version":1}"#

  /// What stands in the good note, and what is put in its place.
  static let damages: [(String, String)] = [
    (#""version":1"#, #""version":2"#), (#""version":1"#, #""version":"1""#), (#""version":1"#, #""version":1e400"#),
    (#","version":1"#, ""), (#""sim":"0123456789abcdef","#, ""), (#""modem":"modem-0011223344556677","#, ""),
    (#""boot":"b1","#, ""), (#""device":"/dev/x","#, ""), (#""ipType":"ipv4v6","#, ""),
    (#""apnSource":"asked","#, ""), (#""authentication":"none","#, ""), (#""hasCredentials":false,"#, ""),
    ("false", "0"), ("false", #""no""#), ("false", "null"), ("ipv4v6", "ipv5"), ("asked", ""), (#""none""#, "7"),
    ("0011223344556677", "0011223344556678"), ("0123456789abcdef", "01"), ("0123456789abcdef", "0123456789abcde/"),
    ("0123456789abcdef", String(repeating: "0", count: 65)), ("b1", ""), ("b1", "b 1"), ("b1", "b\\u00001"),
    ("internet", ""), ("internet", "inter\\nnet"), ("internet", "\\u001b[31m"), ("internet", "\\u009b"),
    ("internet", String(repeating: "a", count: 256)), (#""internet""#, "null"), (#""internet""#, #"["internet"]"#),
    (#""apn""#, #""apm""#), (#"{"apn""#, #"{"password":"x","apn""#), (#"{"apn""#, #"{"apn":"first","apn""#),
    ("{", "["), ("}", ""), ("}", "}}"), (#"{"apn""#, #"{"a":{"b":{"c":{}}},"apn""#),
    (#"{"apn""#, "{" + (0..<40).map { #""a\#($0)":0,"# }.joined() + #""apn""#),
    ("internet", String(repeating: "a", count: 5000)),
  ]

  @Test("A damaged note is named, used for nothing and left", arguments: damages)
  func damaged(old: String, new: String) async throws {
    try await NoteFolder.with { notes in
      let folder = KeptBearerFolder(path: notes.path, boot: "b1")
      notes.write(Array(Self.good.utf8), to: Self.file)
      #expect(try folder.note(of: Self.modem) != nil, "the good one is none: the test would prove nothing")
      let text = Self.good.replacing(old, with: new, maxReplacements: 1)
      #expect(text != Self.good)
      notes.write(Array(text.utf8), to: Self.file)
      let error = #expect(throws: ModemError.self) { try folder.note(of: Self.modem) }
      #expect(error?.message.contains(Self.file) == true && error?.message.contains("modemctl connect") == true)
      #expect(error?.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } == true)
      #expect(notes.text(of: Self.file) == text)
      // The next one takes its place.
      try folder.write(Self.note())
      #expect(try folder.note(of: Self.modem) == Self.note())
    }
  }

  @Test("A note that was cut short anywhere, and bytes that are none, are damaged")
  func bytes() async throws {
    try await NoteFolder.with { notes in
      let folder = KeptBearerFolder(path: notes.path, boot: "b1")
      let good = Array(Self.good.utf8)
      var generator = SystemRandomNumberGenerator()
      let noise = (0..<200).map { _ in
        (0..<Int.random(in: 1...300)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      }
      for text in (0..<good.count).map({ Array(good.prefix($0)) }) + noise {
        notes.write(text, to: Self.file)
        #expect(throws: ModemError.self) { try folder.note(of: Self.modem) }
      }
    }
  }

  @Test("A file that others may change, a link, a pipe and a folder are none")
  func otherFiles() async throws {
    try await NoteFolder.with { notes in
      let folder = KeptBearerFolder(path: notes.path, boot: "b1")
      let path = "\(notes.path)/\(Self.file)"
      for mode: mode_t in [0o640, 0o604, 0o620, 0o666] {
        notes.write(Array(Self.good.utf8), to: Self.file, mode: mode)
        #expect(throws: ModemError.self) { try folder.note(of: Self.modem) }
      }
      unlink(path)
      notes.write(Array(Self.good.utf8), to: "elsewhere")
      symlink("\(notes.path)/elsewhere", path)
      #expect(throws: ModemError.self) { try folder.note(of: Self.modem) }
      unlink(path)
      mkfifo(path, 0o600)
      #expect(throws: ModemError.self) { try folder.note(of: Self.modem) }
      unlink(path)
      mkdir(path, 0o700)
      #expect(throws: ModemError.self) { try folder.note(of: Self.modem) }
      #expect(throws: ModemError.self) { try folder.write(Self.note()) }
      #expect(throws: ModemError.self) { try KeptBearerFolder(path: "/nonexistent").write(Self.note()) }
      #expect(try KeptBearerFolder(path: "/nonexistent").note(of: Self.modem) == nil)
      for modem in ["", "../x", "a b", String(repeating: "m", count: 65)] {
        #expect(try folder.note(of: modem) == nil)
        try folder.erase(of: modem)
      }
    }
  }

  @Test("Modems without end leave a bounded number of notes, and none of what is not theirs is taken")
  func bounded() async throws {
    try await NoteFolder.with { notes in
      let folder = KeptBearerFolder(path: notes.path, boot: "b1")
      notes.write([1], to: "id-key")
      for number in 0..<100 { try folder.write(Self.note(modem: "modem-\(number)")) }
      #expect(notes.names.count == KeptBearerFolder.most + 1)
      #expect(notes.names.contains("id-key"))
      #expect(try folder.note(of: "modem-99") != nil)
    }
  }

  @Test("For a modem that has not said who it is, the notes of its control port go, of this start of the machine")
  func device() async throws {
    try await NoteFolder.with { notes in
      let folder = KeptBearerFolder(path: notes.path, boot: "b1")
      try folder.write(Self.note(modem: "modem-1"))
      try folder.write(Self.note(modem: "modem-2", device: "/dev/cdc-wdm1"))
      try folder.write(Self.note(modem: "modem-3", boot: "b0"))
      try folder.erase(at: "/dev/cdc-wdm0")
      #expect(notes.names == ["kept-bearer-modem-2", "kept-bearer-modem-3"])
    }
  }
}
