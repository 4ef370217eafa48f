import JSONTree
import ModemctlCore
import Varlink

/// A settings file in a form that may be shown: all keys, and only those values that are modemd's
/// own words, numbers and switches.
enum SettingsOutline {
  /// Keys whose texts are shown. Any other text may be personal, and only its length is shown.
  private static let open: Set<String> = [
    "sharing", "guard", "apn", "iptype", "authentication", "homecountry", "groups", "messagegroups", "revealgroups",
    "table",
    "atmost", "extraroots", "allowedaddresses", "cleartextdomains", "traceheaders", "kind", "networks", "product",
    "mode", "by",
    "protocol", "version", "trusteddomains", "operatordomains",
  ]
  private static let deepest = 32

  /// Renders a file's text.
  ///
  /// - Parameters:
  ///   - text: JSON.
  ///   - mask: learns the secrets and numbers in it, so that they are also masked elsewhere.
  static func render(_ text: String, _ mask: inout ReportMask) -> String {
    do throws(JSONReader.Flaw) {
      let tree = try JSONReader.read(Array(text.utf8), .init(depth: deepest, values: 8192))
      return JSONText.document(outline(tree, under: "", shows: false, &mask))
    } catch {
      return "This is not readable JSON: \(error). It has \(text.utf8.count) bytes, which are not shown.\n"
    }
  }

  private static func outline(
    _ value: JSONValue, under key: String, shows: Bool, _ mask: inout ReportMask
  ) -> JSONValue {
    let name = key.lowercased().filter { $0 != "_" && $0 != "-" }
    let isSecret = SecretKey.isSecret(name)
    switch value {
    case .null, .bool: return value
    case .int(let number):
      guard isSecret || number.magnitude >= 10_000_000 else { return value }
      mask.learn("\(number)", as: .secret)
      return .string(Mask.dots)
    case .double: return isSecret ? .string(Mask.dots) : value
    case .string(let text):
      if shows, !isSecret { return value }
      learn(text, under: name, isSecret, &mask)
      return .string("(\(text.count) characters)")
    case .array(let values):
      return .array(values.map { outline($0, under: key, shows: shows || open.contains(name), &mask) })
    case .object(let fields):
      var result: [String: JSONValue] = [:]
      // In order, so that two reports can be compared.
      for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
        let inner = field.lowercased().filter { $0 != "_" && $0 != "-" }
        result[field] = outline(value, under: field, shows: name == "table" || open.contains(inner), &mask)
      }
      return .object(result)
    }
  }

  private static func learn(_ text: String, under name: String, _ isSecret: Bool, _ mask: inout ReportMask) {
    if isSecret { return mask.learn(text, as: .secret) }
    switch name {
    case "numbers": mask.learn(text, as: .msisdn)
    case "user", "username": mask.learn(text, as: .user)
    default: break
    }
  }
}
