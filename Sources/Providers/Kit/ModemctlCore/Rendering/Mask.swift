import Varlink

/// Hides what identifies a subscriber or opens a door, for people who look over a shoulder and for
/// logs.
package enum Mask {
  /// Stands for a hidden part of a text.
  package static let dots = "••••"
  /// Stands for a field that is hidden as a whole, and says how it is shown.
  package static let hidden = "•••• (--reveal)"

  /// All but the last `readable` characters as dots; short values whole.
  package static func digits(_ text: String, readable: Int) -> String {
    let count = text.count - readable
    return count < 4 ? dots : String(repeating: "•", count: count) + text.suffix(readable)
  }

  /// `hidden` instead of a text that is present.
  package static func hide(_ text: String?) -> String? { text.map { _ in hidden } }

  /// A phone number with all digits but the last two masked.
  package static func number(_ text: String) -> String { digits(text, readable: 2) }

  /// A user's name: its first character, and of a mail address the domain.
  package static func user(_ name: String) -> String {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard let first = name.first, first != "@" else { return dots }
    return "\(first)\(dots)" + (parts.count == 2 ? "@\(parts[1])" : "")
  }

  /// Text of a stranger, which has no fields: runs that look like a phone number (7 digits and
  /// more) or a token (20 characters and more, a digit among them) are hidden.
  package static func text(_ text: String) -> String {
    var result = ""
    var run = ""
    func flush() {
      result += looksSecret(run) ? dots : run
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

  /// JSON of a stranger: a field is hidden as a whole if its name is that of a secret, or if it is
  /// whole a number with its `+` or a signed token, which nothing else looks like. Other fields
  /// stay as they are: identifiers often have many digits.
  package static func json(_ value: JSONValue, under name: String = "") -> JSONValue {
    switch value {
    case .string(let string): .string(isSecret(name) || isOpenSecret(string) ? hidden : string)
    case .int: isSecret(name) ? .string(hidden) : value
    case .double: isSecret(name) ? .string(hidden) : value
    case .array(let values): .array(values.map { json($0, under: name) })
    case .object(let fields): .object(Dictionary(uniqueKeysWithValues: fields.map { ($0, json($1, under: $0)) }))
    case .null, .bool: value
    }
  }

  private static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased().filter { $0 != "_" && $0 != "-" }
    return [
      "token", "secret", "password", "authcode", "accesscode", "msisdn", "imsi", "iccid", "imei", "phonenumber",
    ].contains { name.contains($0) }
      || [
        "code", "state", "nonce", "sub", "mk", "pin", "otp", "jwt", "number", "phone", "mobile", "mobileid", "email",
        "loginhint", "assertion", "codeverifier",
        // Of TS.43: whose SIM logs in, its EAP packets, this machine's id, the SIM's.
        "eapid", "eaprelaypacket", "terminalid", "simid",
      ].contains(name)
  }

  /// Whether a text's own form says that it is a number in E.164 or a signed token in compact form
  /// (RFC 7515, 7.1).
  private static func isOpenSecret(_ text: String) -> Bool {
    if text.hasPrefix("+") {
      let digits = text.dropFirst()
      return (7...15).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }
    return text.hasPrefix("eyJ") && text.split(separator: ".", omittingEmptySubsequences: false).count == 3
  }

  /// The parameters of a redirect URI that somebody asked for: the code and the state that goes
  /// with it are the result, and the rest is as in `json`.
  package static func parameters(_ parameters: [String: String]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: parameters.map { name, value in
        guard !["code", "state"].contains(name) else { return (name, value) }
        return (name, json(.string(value), under: name).string ?? hidden)
      })
  }

  /// A URI with scheme, authority, path and the parameters' names, but without their values.
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
        masked += "=" + dots
        isValue = true
      default:
        if !isValue { masked.append(character) }
      }
    }
    return masked
  }
}
