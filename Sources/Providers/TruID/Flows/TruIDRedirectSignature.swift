import AuthCore
import JSONTree
import ModemModel
import OutsideNumber
import RedirectChain

/// The signature of a `redirect_url`, as tru.ID adds it to the query. `authorization` and `date`,
/// each in base64, have the values of the fields of a signed GET of the URL without them
/// (draft-cavage-http-signatures). The signature itself lists the signed fields.
struct TruIDRedirectSignature: Hashable {
  /// What is wrong with one.
  struct Fault: Error, Hashable, CustomStringConvertible {
    let code: String
    let description: String
  }

  /// The allowed difference between date and clock.
  static let skew = Duration.seconds(300)

  let keyID: String
  /// As in `rsa-sha256`; nil if the key gives it.
  let algorithm: String?
  let bytes: [UInt8]
  /// The signed bytes; nil if one of the signed fields is unknown here.
  let message: [UInt8]?
  /// Whether the signature covers the code and the date.
  let isWhole: Bool

  /// Reads the signature and compares its date with the clock.
  ///
  /// - Parameters:
  ///   - uri: as reached.
  ///   - parameters: of it, decoded.
  /// - Throws: `Fault`.
  init(_ uri: String, _ parameters: [String: String], at now: Timestamp) throws(Fault) {
    guard let authorization = Self.text(parameters["authorization"]), let date = Self.text(parameters["date"]) else {
      throw Fault(
        code: "signature_missing",
        description: "the redirect URL lacks the provider's authorization and date; take it for forged and start anew")
    }
    guard let moment = HTTPDate.seconds(date) else {
      throw Fault(code: "signature_malformed", description: "the redirect URL's date is no HTTP date; start anew")
    }
    let made = Timestamp(OutsideSeconds(moment))
    guard max(now.time(since: made), made.time(since: now)) <= Self.skew else {
      throw Fault(
        code: "signature_expired",
        description:
          "the redirect URL's date is more than 300 s from this machine's clock; set the clock, and start anew")
    }
    let fields = Self.fields(authorization)
    guard let keyID = fields["keyid"], let text = fields["signature"], let bytes = Base64.decode(text), !bytes.isEmpty
    else {
      throw Fault(
        code: "signature_malformed", description: "the redirect URL's authorization is no signature; start anew")
    }
    self.keyID = keyID
    algorithm = fields["algorithm"]?.lowercased()
    self.bytes = bytes
    let signed = (fields["headers"] ?? "date").lowercased().split(separator: " ").map(String.init)
    isWhole = signed.contains("(request-target)") && signed.contains("date")
    message = Self.message(signed, uri, date)
  }

  /// This signature's key in a key set (RFC 7517, 5).
  func key(in set: JSONValue?) -> JSONValue? {
    set?["keys"]?.items.first { $0["kid"]?.string == keyID }
  }

  /// Base64 of text. A `+` that was not percent-encoded has become a blank.
  private static func text(_ parameter: String?) -> String? {
    guard let parameter, !parameter.isEmpty else { return nil }
    let whole = String(parameter.map { $0 == " " ? "+" : $0 })
    return Base64.decode(whole).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// `name="value"` pairs after the word Signature, with names in lower case.
  private static func fields(_ authorization: String) -> [String: String] {
    let trimmed = authorization.drop { $0 == " " }
    guard trimmed.lowercased().hasPrefix("signature ") else { return [:] }
    var fields: [String: String] = [:]
    for pair in trimmed.dropFirst("signature ".count).split(separator: ",") {
      let halves = pair.split(separator: "=", maxSplits: 1)
      guard halves.count == 2 else { continue }
      let name = halves[0].filter { $0 != " " }.lowercased()
      fields[name] = fields[name] ?? String(halves[1].filter { $0 != "\"" }).trimmed
    }
    return fields
  }

  private static func message(_ signed: [String], _ uri: String, _ date: String) -> [UInt8]? {
    let parts = uri.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let kept = (parts.count > 1 ? parts[1].split(separator: "&") : []).filter { pair in
      !pair.hasPrefix("authorization=") && !pair.hasPrefix("date=")
    }
    let place = parts.first?.split(separator: "://", maxSplits: 1).last.map(String.init) ?? ""
    let slash = place.firstIndex(of: "/") ?? place.endIndex
    let path = slash == place.endIndex ? "/" : String(place[slash...])
    let target = kept.isEmpty ? path : path + "?" + kept.joined(separator: "&")
    var lines: [String] = []
    for name in signed {
      switch name {
      case "(request-target)": lines.append("(request-target): get \(target)")
      case "host": lines.append("host: \(place[..<slash].lowercased())")
      case "date": lines.append("date: \(date)")
      default: return nil
      }
    }
    return Array(lines.joined(separator: "\n").utf8)
  }
}

extension String {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.prefix(start.count - start.reversed().prefix { $0 == " " }.count))
  }
}
