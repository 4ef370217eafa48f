import Glibc
import Testing

@testable import MIRACLCommands
@testable import ModemctlCore

/// Images with QR codes, made by qrencode and read by zbar.
@Suite("QR codes in images", .timeLimit(.minutes(2)))
struct QRImageTests {
  static let tools: Bool = BoundedCommand.find("zbarimg") != nil && BoundedCommand.find("qrencode") != nil
  static let reason: Comment = "needs zbarimg (zbar-tools) and qrencode"
  static let link = "https://mcl.miracl.example/mobile-login/#3f9a0c"

  /// A folder that goes with the test.
  static func inFolder(_ body: (String) async throws -> Void) async throws {
    var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/qr-image-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { _ = BoundedCommandTests.run("/bin/rm", ["-r", folder]) }
    try await body(folder)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "we"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  static func make(_ text: String, _ path: String, _ options: [String] = []) throws {
    let program = try #require(BoundedCommand.find("qrencode"))
    let command = BoundedCommand(program, ["-o", path] + options + [text], seconds: 20, maximumOutput: 0)
    #expect(try command.run(input: []) == .output([]))
  }

  /// Modules of a code, with its margin; true for a dark one.
  static func modules(_ text: String) throws -> [[Bool]] {
    let program = try #require(BoundedCommand.find("qrencode"))
    let command = BoundedCommand(
      program, ["-t", "ASCII", "-m", "4", "-o", "-", text], seconds: 20, maximumOutput: 100_000)
    guard case .output(let bytes) = try command.run(input: []) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      stride(from: 0, to: line.utf8.count, by: 2).map { Array(line.utf8)[$0] == UInt8(ascii: "#") }
    }
  }

  /// Codes side by side as an image in PBM.
  static func bitmap(_ codes: [[[Bool]]]) -> [UInt8] {
    let height = codes.map(\.count).max() ?? 0
    let rows = (0..<height).map { row in codes.flatMap { $0.indices.contains(row) ? $0[row] : $0[0].map { _ in false } }
    }
    let pixels = rows.flatMap { row in Array(repeating: row.flatMap { Array(repeating: $0, count: 6) }, count: 6) }
    let body = pixels.map { $0.map { $0 ? "1" : "0" }.joined(separator: " ") }.joined(separator: "\n")
    return Array("P1\n\(pixels.first?.count ?? 0) \(pixels.count)\n\(body)\n".utf8)
  }

  @Test("The text of a code", .enabled(if: tools, reason), arguments: [link, "", "0001", "a;b &c"])
  func reads(text: String) async throws {
    try await Self.inFolder { folder in
      let text = text.isEmpty ? String(repeating: "long ", count: 300) + "end" : text
      // A name that would be an option.
      try Self.make(text, "\(folder)/-image.png")
      #expect(try QRImage.text(of: "\(folder)/-image.png") == text)
      try Self.write(Self.bitmap([Self.modules(text)]), to: "\(folder)/image.pbm")
      #expect(try QRImage.text(of: "\(folder)/image.pbm") == text)
    }
  }

  @Test("Two codes are one too many; the same code twice is not", .enabled(if: tools, reason))
  func several() async throws {
    try await Self.inFolder { folder in
      let path = "\(folder)/two.pbm"
      try Self.write(Self.bitmap([Self.modules(Self.link), Self.modules("another")]), to: path)
      #expect(Self.refusal(path)?.contains("more than one QR code") == true)
      try Self.write(Self.bitmap([Self.modules(Self.link), Self.modules(Self.link)]), to: path)
      #expect(try QRImage.text(of: path) == Self.link)
    }
  }

  @Test(
    "What is no readable code", .enabled(if: tools, reason),
    arguments: [
      (Array("P1\n20 20\n".utf8) + Array(String(repeating: "0 ", count: 400).utf8), "no QR code"),
      ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0], "no QR code"),
      ([], "no image in PNG"), (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), "no image in PNG"),
      (Array("push graphic-context".utf8), "no image in PNG"),
      (Array("https://mcl.example/#1".utf8), "no image in PNG"),
    ])
  func unreadable(bytes: [UInt8], words: String) async throws {
    try await Self.inFolder { folder in
      try Self.write(bytes, to: "\(folder)/image")
      #expect(Self.refusal("\(folder)/image")?.contains(words) == true)
    }
  }

  @Test("A file that is not there, or is too large, and a machine without zbar")
  func refusals() async throws {
    try await Self.inFolder { folder in
      #expect(Self.refusal("\(folder)/missing")?.contains("cannot be read") == true)
      let path = "\(folder)/image"
      try Self.write(Array("P1\n".utf8) + [UInt8](repeating: 0x20, count: QRImage.maximumSize), to: path)
      #expect(Self.refusal(path)?.contains("more than 16 MiB") == true)
      try Self.write(Array("P1\n1 1\n0".utf8), to: path)
      #expect(Self.refusal(path, in: [folder])?.contains("apt-get install zbar-tools") == true)
    }
  }

  static func refusal(_ path: String, in folders: [String]? = nil) -> String? {
    do {
      return "read \(try QRImage.text(of: path, in: folders).utf8.count) bytes"
    } catch let error as ModemctlError {
      return error.message
    } catch {
      return nil
    }
  }
}

/// Programs with limits.
@Suite("Commands with limits", .timeLimit(.minutes(1)))
struct BoundedCommandTests {
  static func run(
    _ program: String, _ arguments: [String], seconds: Int = 20, maximumOutput: Int = 100, input: String = ""
  ) -> BoundedCommand.Result? {
    try? BoundedCommand(program, arguments, seconds: seconds, maximumOutput: maximumOutput).run(
      input: Array(input.utf8))
  }

  @Test("It reads, writes, and hears nothing of the environment")
  func whole() {
    #expect(Self.run("/bin/cat", [], input: "abc") == .output(Array("abc".utf8)))
    #expect(Self.run("/usr/bin/env", []) == .output(Array("LC_ALL=C\n".utf8)))
    #expect(Self.run("/bin/sh", ["-c", "echo out; echo err >&2; exit 3"]) == .output(Array("out\n".utf8)))
    #expect(Self.run("/nowhere/program", []) == nil)
  }

  @Test("It is killed when it takes too long, or writes too much")
  func limits() {
    #expect(Self.run("/bin/sleep", ["1000"], seconds: 1) == .tooLong)
    #expect(Self.run("/bin/sh", ["-c", "while :; do echo more; done"]) == .tooMuch)
  }
}
