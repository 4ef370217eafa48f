import NativeMessaging
import SettingsFile

/// The form of the native host's configuration file. Users who run a browser read it, so it holds
/// no secret.
package struct HostDocument: Decodable {
  package struct Origin: Decodable {
    /// What its pages may ask: verify, simChange, signIn, login. modemd asks for the last two with
    /// the rights of the browser's user (`access.table` of modemd.conf(5)).
    ///
    /// - Default: `["verify"]`
    /// - Example: `["verify", "simChange"]`
    var asks: [String]?
    /// Calls of one user in a minute, 1 to 600.
    ///
    /// - Default: `10`
    /// - Example: `30`
    var startsPerMinute: Int?
  }
  /// The ids of the extensions that may start the host: Chromium's is 32 letters, Firefox's like a
  /// mail address. The browsers' own manifests of the host name them too.
  ///
  /// - Default: none: one is needed
  /// - Example: `["modemd@modemd.org"]`
  var extensions: [String]?
  /// The origins of pages that may ask, each as in `https://kiosk.example`; 1 to 32. The file has
  /// the keys of each below it.
  ///
  /// - Default: none: one is needed
  /// - Example: `{ "https://kiosk.example": { "asks": ["verify"] } }`
  var origins: [String: Origin]?

  static let keys = SettingsKeys(of: Self.self)
}

/// The native host's configuration file.
package struct HostSettings: Sendable {
  /// What an origin may do.
  package struct Rule: Hashable, Sendable {
    package let asks: [Ask]
    package let startsPerMinute: Int
  }

  package let extensions: Set<String>
  package let origins: [PageOrigin: Rule]

  /// - Throws: `SettingsError` that names the file, the line and the key.
  package static func read(_ path: String) throws(SettingsError) -> HostSettings {
    try SettingsFile.read(path, keys: HostDocument.keys) { (document: HostDocument) throws(SettingsError) in
      try HostSettings(document)
    }
  }

  /// Reads the text of a file.
  package init(json: [UInt8]) throws(SettingsError) {
    self = try SettingsFile.settings(in: json, keys: HostDocument.keys) {
      (document: HostDocument) throws(SettingsError) in
      try HostSettings(document)
    }
  }

  private init(_ document: HostDocument) throws(SettingsError) {
    extensions = Set(document.extensions ?? [])
    guard (1...8).contains(extensions.count), extensions.allSatisfy(BrowserCaller.isID) else {
      throw SettingsError(key: "extensions", expected: "a list of 1 to 8 ids of extensions")
    }
    let given = document.origins ?? [:]
    guard (1...32).contains(given.count) else {
      throw SettingsError(key: "origins", expected: "an object with 1 to 32 origins")
    }
    var origins: [PageOrigin: Rule] = [:]
    for (text, rule) in given {
      guard let origin = PageOrigin(text) else {
        throw SettingsError(
          key: "origins", expected: "named with https:// and a host in small letters, perhaps with a port")
      }
      let place = "origins.\(text)"
      var asks: [Ask] = []
      for word in rule.asks ?? [Ask.verify.rawValue] {
        guard let ask = Ask(rawValue: word) else {
          throw SettingsError(
            key: "\(place).asks", expected: "a list of \(Ask.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if !asks.contains(ask) { asks.append(ask) }
      }
      guard !asks.isEmpty else {
        throw SettingsError(key: "\(place).asks", expected: "a list with one word at least")
      }
      let starts = try Backend.number(rule.startsPerMinute ?? 10, in: 1...600, "\(place).startsPerMinute")
      origins[origin] = Rule(asks: asks, startsPerMinute: starts)
    }
    self.origins = origins
  }
}
