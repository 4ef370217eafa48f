import Glibc
import ModemModel
import SettingsFile
import SystemdSupport

/// modemd-web's configuration file.
package struct WebSettings: Sendable {
  /// Sites link to it. It is in the range that no service has registered, and above the ports that
  /// Linux gives to connections (32768 to 60999).
  package static let usualPort = 61_977

  package var port = usualPort
  package var users: Set<UInt32> = []
  package var groups: Set<UInt32> = []
  package var inspectors: Set<UInt32> = []
  /// Nil: as the browser asks.
  package var language: Language?
  package var extraRoots: String?
  package var backends: [Backend] = []

  /// Reads the file, and the backends' credentials.
  ///
  /// - Throws: `SettingsError` that names the file, the line and the key.
  package static func read(_ path: String, credentials: CredentialsDirectory?) throws(SettingsError) -> WebSettings {
    try SettingsFile.read(path, keys: WebDocument.keys) { (document: WebDocument) throws(SettingsError) in
      try WebSettings(document) { (name) throws(SettingsError) in try token(name, credentials) }
    }
  }

  /// Reads the text of a file.
  ///
  /// - Parameter token: the secret of a backend, by its name in the file.
  package init(
    json: [UInt8], token: (String) throws(SettingsError) -> WipedText
  ) throws(SettingsError) {
    self = try SettingsFile.settings(in: json, keys: WebDocument.keys) {
      (document: WebDocument) throws(SettingsError) in
      try WebSettings(document, token: token)
    }
  }

  private init(_ document: WebDocument, token: (String) throws(SettingsError) -> WipedText) throws(SettingsError) {
    port = try Backend.number(document.port ?? Self.usualPort, in: 1024...65_535, "port")
    users = try Self.users(document.users, "users")
    inspectors = try Self.users(document.inspectors, "inspectors")
    for name in document.groups ?? [] {
      guard let entry = getgrnam(name) else {
        throw SettingsError(key: "groups", expected: "a list of groups that exist")
      }
      groups.insert(entry.pointee.gr_gid)
    }
    switch document.language {
    case nil, "auto": language = nil
    case .some(let word):
      guard let chosen = Language(rawValue: word) else {
        throw SettingsError(key: "language", expected: "auto, en or de")
      }
      language = chosen
    }
    extraRoots = document.extraRoots
    // It is for another process; a mistake in it is one of the file.
    if let fetch = document.fetch { _ = try FetchSettings(fetch) }
    let named = (document.backends ?? [:]).sorted { $0.key < $1.key }
    guard (1...32).contains(named.count) else {
      throw SettingsError(key: "backends", expected: "an object with 1 to 32 sites")
    }
    for (name, backend) in named {
      let isName =
        (1...64).contains(name.utf8.count)
        && name.utf8.allSatisfy { byte in
          (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2d
        }
      guard isName else {
        throw SettingsError(key: "backends", expected: "named with small letters, digits and dashes")
      }
      backends.append(try Backend(key: name, backend, token: try token(name)))
    }
    for (index, backend) in backends.enumerated()
    where backends[..<index].contains(where: { $0.tickets == backend.tickets }) {
      throw SettingsError(key: "backends.\(backend.key).tickets", expected: "this site's alone")
    }
  }

  private static func users(_ names: [String]?, _ key: String) throws(SettingsError) -> Set<UInt32> {
    var users: Set<UInt32> = []
    for name in names ?? [] {
      guard let entry = getpwnam(name) else {
        throw SettingsError(key: key, expected: "a list of users that exist")
      }
      users.insert(entry.pointee.pw_uid)
    }
    return users
  }

  /// The credential `NAME.token`: 16 to 512 printable characters.
  private static func token(_ name: String, _ credentials: CredentialsDirectory?) throws(SettingsError) -> WipedText {
    // If a whole folder is loaded, each file has the credential's name as a prefix
    // (systemd.exec(5), LoadCredential=).
    for file in ["\(name).token", "modemd-web_\(name).token"] {
      let bytes: [UInt8]?
      do {
        bytes = try credentials?.read(file)
      } catch {
        throw SettingsError(.unreadable, "the credential \(file) cannot be used", key: "backends.\(name)")
      }
      guard var bytes else { continue }
      if bytes.last == 0x0a { bytes.removeLast() }
      guard (16...512).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw SettingsError(
          .wrongValue, "the credential \(file) is not 16 to 512 printable characters without blanks",
          key: "backends.\(name)")
      }
      return WipedText(String(decoding: bytes, as: UTF8.self))
    }
    throw SettingsError(
      .unreadable,
      "backends.\(name) has no secret: there is no credential \(name).token (LoadCredential=, systemd.exec(5))",
      key: "backends.\(name)")
  }
}
