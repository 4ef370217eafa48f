import Configuration
import ModemModel
import NetworkAddress
import SystemPackage
import SystemdSupport

/// What the configuration file says: JSON, every key optional.
///
///     { "access": { "groups": ["modemd"] },
///       "bearer": { "apn": "internet", "user": "…", "authentication": "chap", "ipType": "ipv4v6", "flowLimit": 64 },
///       "tls": { "extraRoots": "/etc/modemd/extra-roots.pem" },
///       "check": { "allowedAddresses": [] } }
///
/// The password of the APN is the credential `apn-password`; it never stands in the file.
struct Settings: Sendable {
  var groups = ["modemd"]
  var request = BearerRequest()
  var flowLimit = 64
  var extraRoots: String?
  var allowedAddresses: Set<IPAddress> = []

  /// A value that the file may not have.
  struct Invalid: Error, CustomStringConvertible {
    let key: String
    let expected: String
    let file: String

    var description: String { "\(file): \(key) is not \(expected); correct it and start modemd again" }
  }

  /// Reads the file; without one, and for what it leaves out, the defaults hold.
  ///
  /// - Throws: `Invalid`, and the reader's own error for a file that is missing or no JSON.
  static func read(_ path: String?, credentials: CredentialsDirectory?) async throws -> Settings {
    var settings = Settings()
    if let path {
      let reader = ConfigReader(provider: try await FileProvider<JSONSnapshot>(filePath: FilePath(path)))
      try settings.apply(reader, from: path)
    }
    if let password = try credentials?.read("apn-password") {
      let text = String(decoding: password, as: UTF8.self)
      settings.request.password = APNPassword(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    return settings
  }

  private mutating func apply(_ reader: ConfigReader, from file: String) throws {
    groups = reader.stringArray(forKey: "access.groups") ?? groups
    request.apn = reader.string(forKey: "bearer.apn")
    request.user = reader.string(forKey: "bearer.user")
    if let word = reader.string(forKey: "bearer.authentication") {
      guard let value = BearerRequest.Authentication(rawValue: word) else {
        throw Invalid(key: "bearer.authentication", expected: "one of none, pap, chap, mschapv2", file: file)
      }
      request.authentication = value
    }
    if let word = reader.string(forKey: "bearer.ipType") {
      guard let value = BearerRequest.IPType(rawValue: word) else {
        throw Invalid(key: "bearer.ipType", expected: "one of ipv4, ipv6, ipv4v6", file: file)
      }
      request.ipType = value
    }
    if let limit = reader.int(forKey: "bearer.flowLimit") {
      guard (1...1024).contains(limit) else {
        throw Invalid(key: "bearer.flowLimit", expected: "a number from 1 to 1024", file: file)
      }
      flowLimit = limit
    }
    extraRoots = reader.string(forKey: "tls.extraRoots")
    allowedAddresses = Set(
      try (reader.stringArray(forKey: "check.allowedAddresses") ?? []).map { text in
        guard let address = IPAddress(text) else {
          throw Invalid(key: "check.allowedAddresses", expected: "a list of IP addresses", file: file)
        }
        return address
      })
  }
}
