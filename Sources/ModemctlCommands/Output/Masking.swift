import ModemAPI
import Varlink

/// Hides what identifies a subscriber or opens a door, unless it was asked for.
struct Masking: Hashable, Sendable {
  let reveals: Bool

  /// A number or identity: all but its last two characters.
  func identity(_ text: String?) -> String? {
    guard let text, !reveals else { return text }
    guard text.count > 6 else { return "••••" }
    return String(repeating: "•", count: text.count - 2) + text.suffix(2)
  }

  /// A code, token or state: nothing of it.
  func secret(_ text: String) -> String { reveals ? text : "••••" }

  func modem(_ modem: ModemInterface.Modem) -> ModemInterface.Modem {
    var modem = modem
    modem.imei = identity(modem.imei)
    modem.sim.iccid = identity(modem.sim.iccid)
    modem.sim.imsi = identity(modem.sim.imsi)
    modem.sim.numbers = modem.sim.numbers.map { number in
      var number = number
      number.number = identity(number.number) ?? ""
      return number
    }
    return modem
  }

  func outcome(_ outcome: CheckInterface.Outcome) -> CheckInterface.Outcome {
    guard !reveals else { return outcome }
    var outcome = outcome
    if let body = outcome.answer?.json { outcome.answer?.json = json(body, key: nil) }
    if var redirect = outcome.redirect {
      redirect.uri = uri(redirect.uri)
      redirect.parameters = redirect.parameters.mapValues(secret)
      outcome.redirect = redirect
    }
    return outcome
  }

  /// A URI without the values of its query and fragment.
  func uri(_ text: String) -> String {
    guard !reveals, let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return text }
    let pairs = text[mark...].split(whereSeparator: { "?#&".contains($0) }).map { pair in
      pair.firstIndex(of: "=").map { pair[...$0] + "••••" } ?? pair
    }
    return String(text[...mark]) + pairs.joined(separator: "&")
  }

  private static let secretKeys: Set<String> = [
    "code", "token", "access_token", "id_token", "refresh_token", "phone_number", "phonenumber", "msisdn", "imsi",
    "pin",
    "password", "secret", "client_secret", "state", "nonce", "login_hint",
  ]

  private func json(_ value: JSONValue, key: String?) -> JSONValue {
    switch value {
    case .object(let fields):
      var masked: [String: JSONValue] = [:]
      for (key, value) in fields { masked[key] = json(value, key: key) }
      return .object(masked)
    case .array(let values): return .array(values.map { json($0, key: key) })
    case .string(let text):
      if let key, Self.secretKeys.contains(key.lowercased()) { return .string("••••") }
      return .string(Self.isPhoneNumber(text) ? identity(text) ?? "" : text)
    case .int where key.map { Self.secretKeys.contains($0.lowercased()) } == true: return .string("••••")
    default: return value
    }
  }

  private static func isPhoneNumber(_ text: String) -> Bool {
    text.first == "+" && (7...15).contains(text.utf8.count - 1)
      && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }
}
