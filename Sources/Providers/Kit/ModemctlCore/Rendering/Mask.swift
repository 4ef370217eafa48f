import Varlink

/// Hides what identifies a subscriber or opens a door, for people who look over a shoulder and for logs.
package enum Mask {
  package static let hidden = "••••"

  /// All but the last `readable` characters as dots; short values whole.
  package static func digits(_ text: String, readable: Int) -> String {
    let count = text.count - readable
    return count < 4 ? hidden : String(repeating: "•", count: count) + text.suffix(readable)
  }

  /// Dots in place of a text that is there.
  package static func hide(_ text: String?) -> String? { text.map { _ in hidden } }

  /// A phone number but for its last two digits.
  package static func number(_ text: String) -> String { digits(text, readable: 2) }

  /// A user's name: its first character, and of a mail address the domain.
  package static func user(_ name: String) -> String {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard let first = name.first, first != "@" else { return hidden }
    return "\(first)\(hidden)" + (parts.count == 2 ? "@\(parts[1])" : "")
  }

  /// Text of a stranger: runs that look like a phone number (7 digits and more) or a token (20 characters and more, a digit
  /// among them) are hidden.
  package static func text(_ text: String) -> String {
    var result = ""
    var run = ""
    func flush() {
      result += looksSecret(run) ? hidden : run
      run = ""
    }
    for character in text {
      if character.isASCII, character.isLetter || character.isNumber || "+-_.~".contains(character) {
        run.append(character)
      } else {
        flush()
        result.append(character)
      }
    }
    flush()
    return result
  }

  private static func looksSecret(_ run: String) -> Bool {
    if run.count >= 20, run.contains(where: \.isNumber) { return true }
    // Among letters, a short run of digits is more likely to be an identifier.
    let least = run.contains(where: \.isLetter) ? 10 : 7
    var digits = 0
    for character in run {
      digits = character.isNumber ? digits + 1 : 0
      if digits >= least { return true }
    }
    return false
  }

  /// JSON of a stranger: values under names of secrets whole, other text as `text`.
  package static func json(_ value: JSONValue, under name: String = "") -> JSONValue {
    switch value {
    case .string(let string): .string(isSecret(name) ? hidden : text(string))
    case .int(let number): isSecret(name) || number.magnitude >= 1_000_000 ? .string(hidden) : value
    case .double: isSecret(name) ? .string(hidden) : value
    case .array(let values): .array(values.map { json($0, under: name) })
    case .object(let fields): .object(Dictionary(uniqueKeysWithValues: fields.map { ($0, json($1, under: $0)) }))
    case .null, .bool: value
    }
  }

  private static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased().filter { $0 != "_" && $0 != "-" }
    return ["token", "secret", "password", "authcode", "accesscode", "msisdn", "imsi", "iccid", "phonenumber"].contains
    {
      name.contains($0)
    } || ["code", "state", "nonce", "sub", "mk", "pin", "otp", "jwt"].contains(name)
  }

  /// A URI: scheme, authority, path and the names of parameters stay, what the parameters hold does not.
  package static func uri(_ uri: String) -> String {
    guard let cut = uri.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return uri }
    var masked = String(uri[..<cut])
    var isValue = false
    for character in uri[cut...] {
      switch character {
      case "?", "#", "&":
        masked.append(character)
        isValue = false
      case "=" where !isValue:
        masked += "=" + Mask.hidden
        isValue = true
      default:
        if !isValue { masked.append(character) }
      }
    }
    return masked
  }
}
