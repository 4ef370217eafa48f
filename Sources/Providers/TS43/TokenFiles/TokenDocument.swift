import AuthCore
import JSONTree
import ModemModel
import SealedFiles
import TS43Flows

/// What a sealed file holds: a token, and what it is for.
struct TokenDocument: Sendable {
  private static let version = 1
  /// How long a token is kept whose end the server did not tell, and that was not used meanwhile:
  /// each use brings a new one.
  private static let longestUnused = Duration.seconds(90 * 86_400)

  let key: EntitlementTokenKey
  let token: EntitlementToken
  /// When it was stored.
  let kept: Timestamp

  init(key: EntitlementTokenKey, token: EntitlementToken, kept: Timestamp) {
    self.key = key
    self.token = token
    self.kept = kept
  }

  /// Whether it may still be used at this time.
  func isOfUse(at now: Timestamp) -> Bool {
    now < (token.expires ?? kept.later(by: Self.longestUnused))
  }

  var document: JSONValue {
    var members: [String: JSONValue] = [
      "version": .int(Self.version), "iccid": .string(key.iccid.revealed), "imsi": .string(key.imsi.revealed),
      "terminalID": .string(key.terminalID), "app": .string(key.app), "appName": .string(key.appName),
      "appVersion": .string(key.appVersion), "host": .string(key.host), "token": .string(token.token.revealed),
      "entitlementVersion": .string(token.version), "method": .string(token.method.rawValue),
      "kept": .string(kept.description),
    ]
    if let end = token.expires { members["expires"] = .string(end.description) }
    if let group = token.groupIdentifier { members["groupIdentifier"] = .string(Hexadecimal.text(of: group)) }
    return .object(members)
  }

  /// - Parameters:
  ///   - content: of a file, sealed.
  ///   - file: its name, without which it does not open.
  /// - Returns: nil for what the key does not open, and for what is no such document.
  init?(sealed content: [UInt8], in file: String, _ sealing: SealingKey) {
    guard let outer = JSONValue(parsing: content), let document = sealing.open(outer, as: file) else { return nil }
    self.init(document)
  }

  private init?(_ document: JSONValue) {
    let text = { (key: String) in document[key]?.string }
    guard document["version"]?.integer == Self.version, let iccid = text("iccid"), let imsi = text("imsi"),
      let terminalID = text("terminalID"), let app = text("app"), let appName = text("appName"),
      let appVersion = text("appVersion"), let host = text("host"), let token = text("token"), !token.isEmpty,
      let version = text("entitlementVersion"),
      let method = text("method").flatMap({ TS43Settings.Method(rawValue: $0) }),
      let kept = text("kept").flatMap({ Timestamp(rfc3339: $0) })
    else { return nil }
    key = EntitlementTokenKey(
      iccid: ICCID(iccid), imsi: IMSI(imsi), terminalID: terminalID, app: app, appName: appName,
      appVersion: appVersion, host: host)
    self.token = EntitlementToken(
      Secret(token), expires: text("expires").flatMap { Timestamp(rfc3339: $0) }, version: version, method: method,
      groupIdentifier: text("groupIdentifier").flatMap { Hexadecimal.bytes(of: $0) })
    self.kept = kept
  }
}
