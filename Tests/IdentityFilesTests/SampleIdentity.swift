// swift-format-ignore-file: NeverUseForceTry
import AuthFlows
import Glibc
import JSONTree
import MPin
import MPinServer
import Testing
import MIRACLFlows

/// Identities with real points, and folders to keep them in.
enum SampleIdentity {
  private static let secret = try! MasterSecret()

  /// - Parameter id: of the registration; another one has another key too.
  static func make(user: String = "u@shop.example", id: Int = 1, state: String = "active") throws -> MIRACLIdentity {
    let keys = try DVSKeyPair()
    let key = try MPinIdentity(mpinId: Array("{\"id\":\(id)}".utf8), publicKey: keys.publicKey)
    let token = try MPinToken(
      identity: key, shares: secret.clientSecretShares(for: key), keys: keys, pin: UserPIN("1234"))
    return try MIRACLIdentity(
      document: .object([
        "version": .int(1), "service": .string("https://api.mpin.example/"), "project": .string("project-1"),
        "user": .string(user), "mpinId": .string(key.mpinIdHex), "publicKey": .string(keys.publicKey.hex),
        "token": .string(token.revealed), "dtas": .string("ZHRhcw=="), "curve": .string("BN254CX"),
        "pinLength": .int(4), "state": .string(state), "created": .string("2026-11-22T09:00:00.000Z"),
      ]))
  }

  /// A new folder that goes with what is in it.
  static func inFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    var template = Array("/tmp/modemd-identities-XXXXXX".utf8CString)
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

  static func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "we"))
    fputs(text, file)
    fclose(file)
  }

  private static func remove(_ path: String) {
    for name in names(in: path) {
      if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    }
    rmdir(path)
  }
}
