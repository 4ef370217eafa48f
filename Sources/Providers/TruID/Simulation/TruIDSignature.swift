import FoundationEssentials
import JSONTree
import ModemModel
import OperatorSimulator

/// Signs redirect URLs as tru.ID does: `authorization` and `date`, in base64, are those of a signed GET of the URL without them.
final class TruIDSignature: Sendable {
  private let key: SimulatedSigningKey

  init() throws { key = try SimulatedSigningKey(id: "simulated-key") }

  /// The key set that the API publishes (RFC 7517).
  var keySet: JSONValue {
    get throws { try key.keySet }
  }

  /// The URL with its signature.
  ///
  /// - Parameter isForged: whether the signature is that of another URL.
  func sign(_ url: String, at now: Timestamp, isForged: Bool = false) throws -> String {
    let date = Self.date(now)
    let place = url.split(separator: "://", maxSplits: 1).last ?? ""
    let slash = place.firstIndex(of: "/") ?? place.endIndex
    let target = slash == place.endIndex ? "/" : String(place[slash...])
    let message = "(request-target): get \(isForged ? "/" : target)\nhost: \(place[..<slash])\ndate: \(date)"
    let signature = Data(try key.signature(of: message)).base64EncodedString()
    let authorization =
      #"Signature keyId="\#(key.id)",algorithm="rsa-sha256",headers="(request-target) host date",signature="\#(signature)""#
    return url + "&authorization=\(Self.parameter(authorization))&date=\(Self.parameter(date))"
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
  private static func parameter(_ text: String) -> String { FormFields.encoded(base64(text)) }

  /// As in HTTP's fields (RFC 9110, 5.6.7).
  static func date(_ time: Timestamp) -> String {
    let text = Array(time.description)
    let part = { (range: Range<Int>) in String(text[range]) }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let day = days[Int(time.milliseconds / 86_400_000 % 7)]
    let month = months[(Int(part(5..<7)) ?? 1) - 1]
    return "\(day), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
  }
}
