import Glibc
import ModemModel
import TS43Flows
import Testing

/// Folders to keep tokens in, and what tokens are for.
enum TokenFolder {
  static func key(
    iccid: String = "8949000000000000017", imsi: String = "001010123456789", terminal: String = "350077523237513",
    app: String = "ap2014", name: String = "gate-application", version: String = "7.31",
    host: String = "entitlement.operator.example"
  ) -> EntitlementTokenKey {
    EntitlementTokenKey(
      iccid: ICCID(iccid), imsi: IMSI(imsi), terminalID: terminal, app: app, appName: name, appVersion: version,
      host: host)
  }

  /// Each differs from `key()` in one part.
  static let others = [
    key(iccid: "8949000000000000025"), key(imsi: "001010123456780"),
    key(terminal: "0b0a3f5e-0d6c-4a0e-9a2c-5f1f3a0c7d11"), key(app: "ap2004"), key(name: ""), key(version: ""),
    key(host: "entitlement.other.example"),
  ]

  /// Runs `body` with a new folder that goes with what is in it.
  static func run<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    var template = Array("/tmp/modemd-tokens-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    let path = String(cString: try #require(made))
    defer { remove(path) }
    return try await body(path)
  }

  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  static func mode(of path: String) -> mode_t? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : nil
  }

  static func content(of path: String) -> [UInt8] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<count])
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "we"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
  }

  private static func remove(_ path: String) {
    for name in names(in: path) {
      if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    }
    rmdir(path)
  }
}
