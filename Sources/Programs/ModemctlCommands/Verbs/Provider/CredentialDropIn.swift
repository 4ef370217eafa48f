import Glibc
import ModemctlCore

/// The drop-in of modemd's unit that names a provider's credentials.
struct CredentialDropIn: Hashable {
  private static let folder = "/etc/systemd/system/modemd.service.d"
  private static let plain = "LoadCredential="
  private static let encrypted = "LoadCredentialEncrypted="

  let provider: String
  /// By name, as in `truid.client-secret`: whether it is encrypted.
  var credentials: [String: Bool]

  private var path: String { "\(Self.folder)/provider-\(provider).conf" }

  /// The drop-in of a provider; one without credentials if there is none.
  static func read(_ provider: String) -> CredentialDropIn {
    let empty = CredentialDropIn(provider: provider, credentials: [:])
    guard let bytes = try? ArgumentFile.read(empty.path, for: "the drop-in") else { return empty }
    return CredentialDropIn(provider: provider, text: String(decoding: bytes, as: UTF8.self))
  }

  init(provider: String, credentials: [String: Bool]) {
    self.provider = provider
    self.credentials = credentials
  }

  /// Reads the lines that `text` writes; others are not of this provider.
  init(provider: String, text: String) {
    self.init(provider: provider, credentials: [:])
    for line in text.split(separator: "\n") {
      for (start, isEncrypted) in [(Self.plain, false), (Self.encrypted, true)] where line.hasPrefix(start) {
        let parts = line.dropFirst(start.count).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == parts[1], parts[0].hasPrefix("\(provider)."), !parts[0].contains("/") else {
          continue
        }
        credentials[String(parts[0])] = isEncrypted
      }
    }
  }

  /// The file. Without a folder, systemd searches its credential stores, and a credential that is
  /// missing does not stop the unit.
  var text: String {
    let lines = credentials.sorted { $0.key < $1.key }.map { name, isEncrypted in
      "\(isEncrypted ? Self.encrypted : Self.plain)\(name):\(name)"
    }
    return "# The credentials of the provider \(provider). `modemctl provider` writes and removes this file.\n"
      + (["[Service]"] + lines).joined(separator: "\n") + "\n"
  }

  func write() throws { try SafeFile.write(Array(text.utf8), to: path, mode: 0o644, group: "root") }

  /// - Returns: false if there was none.
  func remove() throws -> Bool { try SafeFile.remove(path) }
}
