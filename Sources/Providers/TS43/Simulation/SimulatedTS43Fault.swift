import JSONTree
import OperatorSimulator

/// One thing that goes wrong at the simulated entitlement server, as a scenario says it.
struct SimulatedTS43Fault: Hashable, Sendable {
  /// What goes wrong in HTTP and in documents; `EAPServer.Tampering` has the rest.
  enum Word: String, Hashable, Sendable, CaseIterable {
    /// This status, with `retryAfter` and `text` for the body.
    case httpStatus
    /// 302 to `text`, or to itself.
    case redirect
    /// 302 to the second server, which goes on and leads back.
    case detour
    /// A page for people.
    case page
    case malformedXML, truncatedXML, wrongContentType, emptyBody, doctype, entities, deepDocument, giantDocument
    /// An answer that comes after `milliseconds`.
    case delay
    case silence, hangUp
    /// No TOKEN in the document.
    case dropToken
    /// TOKEN is never known.
    case forgetToken
    /// The session's cookie is not set.
    case noCookie
    /// The home network's sequence number falls behind the SIM's.
    case sequenceBehind
    /// The relay's packet is no Base64, or the relay is no JSON.
    case notBase64, notJSON, noPacket, giantPacket
    /// The number of somebody else, `text`.
    case otherNumber
    /// No MSISDN, no PhoneNumberVerification, no TemporaryToken.
    case noAnswer
    /// PhoneNumberVerification is `text`.
    case verification
    /// OperationResult is `code`.
    case operationResult
    /// Every value in the Base64 form.
    case encodedNumber
    /// TemporaryTokenExpiry is `text`.
    case expiry
    /// TemporaryToken is `text`, or 5000 characters.
    case temporaryToken
  }

  enum Kind: Hashable, Sendable {
    case http(Word)
    case eap(EAPServer.Tampering)
  }

  /// Which requests it concerns.
  enum Place: String, Hashable, Sendable, CaseIterable {
    /// The first of a login, with EAP_ID.
    case login
    /// Packets of EAP.
    case relay
    /// Requests with a TOKEN.
    case token
    /// All of them.
    case any
  }

  var kind: Kind
  var place: Place
  /// Nil for all applications.
  var appName: String?
  /// How often; nil for always.
  var times: Int?
  var status = 500
  var retryAfter: Int?
  var milliseconds = 1000
  var code = 100
  var text: String?

  static let members = [
    "fault", "at", "appName", "times", "status", "retryAfter", "milliseconds", "code", "text",
  ]

  /// Reads a fault as Docs/scenarios.md describes it.
  init(_ fields: ScenarioFields) throws {
    let words = (Word.allCases.map(\.rawValue) + EAPServer.Tampering.allCases.map(\.rawValue)).joined(separator: ", ")
    kind = try fields.required("fault", "one of \(words)") { word in
      Word(rawValue: word).map { .http($0) } ?? EAPServer.Tampering(rawValue: word).map { .eap($0) }
    }
    place = try fields.word("at", Place.self) ?? .any
    appName = try fields.text("appName")
    times = try fields.number("times", 1...1_000_000)
    status = try fields.number("status", 200...599) ?? status
    retryAfter = try fields.number("retryAfter", 0...604_800)
    milliseconds = try fields.number("milliseconds", 0...600_000) ?? milliseconds
    code = try fields.number("code", 0...65_535) ?? code
    text = try fields.text("text")
  }

  /// Reads a list, as it is told to a running world; nil if it is no list of faults.
  static func list(_ text: String) -> [SimulatedTS43Fault]? {
    guard let tree = JSONValue(parsing: text.utf8), case .array(let items) = tree else { return nil }
    return try? items.enumerated().map {
      try SimulatedTS43Fault(
        ScenarioFields($0.element, path: "[\($0.offset)]", file: "ts43.faults", known: members))
    }
  }
}
