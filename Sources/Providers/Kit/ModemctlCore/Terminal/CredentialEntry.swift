import Glibc

/// Reads a secret that the service manager passed to this process (`LoadCredential=`, systemd.exec(5)).
package enum CredentialEntry {
  /// - Parameter folder: the variable CREDENTIALS_DIRECTORY.
  /// - Returns: its first line.
  /// - Throws: `ModemctlError` where there is no such credential.
  package static func read(_ name: String, in folder: String?) throws -> String {
    guard let folder, folder.hasPrefix("/") else {
      throw ModemctlError(.usage, "there are no credentials: CREDENTIALS_DIRECTORY is not set; run modemctl in a unit")
    }
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."),
      let file = fopen("\(folder)/\(name)", "re")
    else { throw ModemctlError(.usage, "there is no credential \(name) in CREDENTIALS_DIRECTORY") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count].prefix { $0 != 0x0a && $0 != 0x0d }, as: UTF8.self)
  }
}
