import Glibc
import NativeMessaging
import SettingsFile

/// The part `fetch` of modemd-web's configuration file.
package struct FetchSettings: Sendable {
  /// What an origin may do.
  package struct Rule: Hashable, Sendable {
    package let asks: [Ask]
    package let startsPerMinute: Int
    package let flows: Int
  }

  /// Beside `WebSettings.usualPort`, and chosen for the same reasons.
  package static let usualPort = 61_978

  /// What a page may ask this way. `login` needs a PIN, which no page is to have.
  static let asks: [Ask] = [.verify, .simChange, .signIn]

  package let user: UInt32
  package let port: Int
  package let origins: [PageOrigin: Rule]

  /// Reads the file; what else is in it is the service's.
  ///
  /// - Throws: `SettingsError` that names the file, the line and the key.
  package static func read(_ path: String) throws(SettingsError) -> FetchSettings {
    try SettingsFile.read(path, keys: WebDocument.keys) { (document: WebDocument) throws(SettingsError) in
      try FetchSettings(of: document)
    }
  }

  /// Reads the text of a file.
  package init(json: [UInt8]) throws(SettingsError) {
    self = try SettingsFile.settings(in: json, keys: WebDocument.keys) {
      (document: WebDocument) throws(SettingsError) in
      try FetchSettings(of: document)
    }
  }

  private init(of document: WebDocument) throws(SettingsError) {
    guard let fetch = document.fetch else {
      throw SettingsError(key: "fetch", expected: "there: pages cannot ask by fetch unless it says who may")
    }
    self = try FetchSettings(fetch)
  }

  init(_ document: WebDocument.Fetch) throws(SettingsError) {
    guard let name = document.user, let user = Self.user(name) else {
      throw SettingsError(key: "fetch.user", expected: "there, the name or the number of one user of this machine")
    }
    // Whoever has no number here, as in another user namespace, appears as nobody.
    guard user != Self.nobody else {
      throw SettingsError(key: "fetch.user", expected: "a user of its own: nobody stands for all unknown users")
    }
    self.user = user
    port = try Backend.number(document.port ?? Self.usualPort, in: 1024...65_535, "fetch.port")
    let given = document.origins ?? [:]
    guard (1...32).contains(given.count) else {
      throw SettingsError(key: "fetch.origins", expected: "an object with 1 to 32 origins")
    }
    var origins: [PageOrigin: Rule] = [:]
    for (text, rule) in given {
      guard let origin = PageOrigin(text) ?? PageOrigin.ofLoopback(text) else {
        throw SettingsError(
          key: "fetch.origins",
          expected: "named with https:// and a host in small letters, perhaps with a port, or http://localhost")
      }
      origins[origin] = try Self.rule(rule, "fetch.origins.\(text)")
    }
    self.origins = origins
  }

  private static func rule(_ rule: WebDocument.Fetch.Origin, _ place: String) throws(SettingsError) -> Rule {
    var asks: [Ask] = []
    for word in rule.asks ?? [Ask.verify.rawValue] {
      guard let ask = Ask(rawValue: word), Self.asks.contains(ask) else {
        throw SettingsError(
          key: "\(place).asks", expected: "a list of \(Self.asks.map(\.rawValue).joined(separator: ", "))")
      }
      if !asks.contains(ask) { asks.append(ask) }
    }
    guard !asks.isEmpty else {
      throw SettingsError(key: "\(place).asks", expected: "a list with one word at least")
    }
    return Rule(
      asks: asks,
      startsPerMinute: try Backend.number(rule.startsPerMinute ?? 10, in: 1...600, "\(place).startsPerMinute"),
      flows: try Backend.number(rule.flows ?? 2, in: 1...8, "\(place).flows"))
  }

  private static func user(_ text: String) -> UInt32? {
    if let entry = getpwnam(text) { return entry.pointee.pw_uid }
    guard let number = UInt32(text), "\(number)" == text, number != UInt32.max else { return nil }
    return number
  }

  /// The kernel's overflow user (/proc/sys/kernel/overflowuid), which is 65534 unless somebody
  /// changed it.
  private static let nobody: UInt32 = 65_534
}
