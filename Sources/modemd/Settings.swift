import FoundationEssentials
import Glibc
import ModemModel
import NetworkAddress
import SystemdSupport

/// What the configuration file says: JSON, every key optional, no other key allowed.
///
///     { "access": { "groups": ["modemd"] },
///       "bearer": { "apn": "internet", "user": "…", "authentication": "chap", "ipType": "ipv4v6", "flowLimit": 64 },
///       "tls": { "extraRoots": "/etc/modemd/extra-roots.pem" },
///       "check": { "allowedAddresses": [] } }
///
/// The password of the APN is the credential `apn-password`; it never stands in the file.
struct Settings: Hashable, Sendable {
  var groups = ["modemd"]
  var request = BearerRequest()
  /// Flows at one time, 1 to 1024.
  var flowLimit = 64
  var extraRoots: String?
  var allowedAddresses: Set<IPAddress> = []

  /// Reads the file; without one, and for what it leaves out, the defaults hold.
  ///
  /// - Throws: `SettingsError`.
  static func read(_ path: String?, credentials: CredentialsDirectory?) throws -> Settings {
    var settings = Settings()
    if let path {
      do {
        settings = try Settings(json: try contents(of: path))
      } catch {
        throw SettingsError("\(path): \(error.description); correct it and start modemd again")
      }
    }
    if let password = try credentials?.read("apn-password") {
      let text = String(decoding: password, as: UTF8.self)
      settings.request.password = APNPassword(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    return settings
  }

  private static func contents(of path: String) throws(SettingsError) -> Data {
    guard let file = fopen(path, "r") else {
      throw SettingsError("it cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    return Data(chunk[..<fread(&chunk, 1, chunk.count, file)])
  }

  /// Reads the file's text, of which 64 KiB count.
  init(json: Data) throws(SettingsError) {
    let document: SettingsDocument
    do {
      document = try JSONDecoder().decode(SettingsDocument.self, from: json)
    } catch {
      throw SettingsError(error)
    }
    groups = document.access?.groups ?? groups
    try apply(document.bearer)
    extraRoots = document.tls?.extraRoots
    for text in document.check?.allowedAddresses ?? [] {
      guard let address = IPAddress(text) else {
        throw SettingsError(key: "check.allowedAddresses", expected: "IP addresses")
      }
      allowedAddresses.insert(address)
    }
  }

  init() {}

  private mutating func apply(_ bearer: SettingsDocument.Bearer?) throws(SettingsError) {
    request.apn = bearer?.apn
    request.user = bearer?.user
    if let word = bearer?.authentication {
      guard let value = BearerRequest.Authentication(rawValue: word) else {
        throw SettingsError(key: "bearer.authentication", expected: "one of none, pap, chap, mschapv2")
      }
      request.authentication = value
    }
    if let word = bearer?.ipType {
      guard let value = BearerRequest.IPType(rawValue: word) else {
        throw SettingsError(key: "bearer.ipType", expected: "one of ipv4, ipv6, ipv4v6")
      }
      request.ipType = value
    }
    if let limit = bearer?.flowLimit {
      guard (1...1024).contains(limit) else { throw SettingsError(key: "bearer.flowLimit", expected: "1 to 1024") }
      flowLimit = limit
    }
  }
}

/// What is wrong with the configuration file: the key and what was expected, never the value.
struct SettingsError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  init(key: String, expected: String) { self.init("\(key) is not \(expected)") }

  init(_ error: any Error) {
    switch error {
    case let error as SettingsError: self = error
    case DecodingError.typeMismatch(let type, let context):
      self.init(key: Self.path(context.codingPath), expected: "of type \(type)")
    case DecodingError.valueNotFound(let type, let context):
      self.init(key: Self.path(context.codingPath), expected: "of type \(type)")
    default: self.init("it is no JSON object")
    }
  }

  private static func path(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "the document" : path.map(\.stringValue).joined(separator: ".")
  }
}

/// The file's own form. A key that is not here is an error: a misspelt one would be without effect.
private struct SettingsDocument: Decodable {
  struct Access: Decodable {
    var groups: [String]?
  }
  struct Bearer: Decodable {
    var apn: String?
    var user: String?
    var authentication: String?
    var ipType: String?
    var flowLimit: Int?
  }
  struct TLS: Decodable {
    var extraRoots: String?
  }
  struct Check: Decodable {
    var allowedAddresses: [String]?
  }
  var access: Access?
  var bearer: Bearer?
  var tls: TLS?
  var check: Check?

  private static let keys = [
    "access": ["groups"], "bearer": ["apn", "user", "authentication", "ipType", "flowLimit"], "tls": ["extraRoots"],
    "check": ["allowedAddresses"],
  ]

  private enum CodingKeys: String, CodingKey {
    case access, bearer, tls, check
  }

  init(from decoder: any Decoder) throws {
    let sections = try decoder.container(keyedBy: AnyKey.self)
    for section in sections.allKeys {
      guard let known = Self.keys[section.stringValue] else { throw Self.unknown(section.stringValue) }
      let fields = try sections.nestedContainer(keyedBy: AnyKey.self, forKey: section)
      for field in fields.allKeys where !known.contains(field.stringValue) {
        throw Self.unknown("\(section.stringValue).\(field.stringValue)")
      }
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    access = try container.decodeIfPresent(Access.self, forKey: .access)
    bearer = try container.decodeIfPresent(Bearer.self, forKey: .bearer)
    tls = try container.decodeIfPresent(TLS.self, forKey: .tls)
    check = try container.decodeIfPresent(Check.self, forKey: .check)
  }

  private static func unknown(_ key: String) -> SettingsError {
    let known = keys.sorted { $0.key < $1.key }.flatMap { section in section.value.map { "\(section.key).\($0)" } }
    return SettingsError("there is no key \(key); the keys are \(known.joined(separator: ", "))")
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
