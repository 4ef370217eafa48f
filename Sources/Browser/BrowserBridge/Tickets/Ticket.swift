import JSONTree
import ModemModel
import Web

/// The address of a ticket, as a link to the start has it.
package struct TicketAddress: Hashable, Sendable {
  package let backend: Backend
  package let id: String

  /// Nil unless it is exactly one backend's address of tickets with an id behind it.
  package init?(_ text: String, among backends: [Backend]) {
    guard text.utf8.count <= 2048, !text.contains("#"), let url = try? WebURL(text), url.query == nil else {
      return nil
    }
    for backend in backends where url.origin == backend.tickets.origin && url.path.hasPrefix(backend.tickets.path) {
      let id = String(url.path.dropFirst(backend.tickets.path.count))
      guard Self.isID(id) else { continue }
      self.backend = backend
      self.id = id
      return
    }
    return nil
  }

  /// 16 to 128 letters, digits, `-` and `_`: nothing that an address could read in another way.
  static func isID(_ text: String) -> Bool {
    (16...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2d
          || byte == 0x5f
      }
  }
}

/// What a backend says of a ticket before it is claimed.
package struct OfferedTicket: Hashable, Sendable {
  package let ask: Ask
  /// How long it is still good.
  package let lifetime: Duration

  /// - Throws: `TicketFailure.bad` that names the field.
  package init(_ body: [UInt8], of address: TicketAddress) throws(TicketFailure) {
    let value = try TicketFields.read(body, of: address)
    ask = try TicketFields.ask(value, of: address)
    guard let seconds = value["expiresInSeconds"]?.integer, (1...900).contains(seconds) else {
      throw .bad(field: "expiresInSeconds")
    }
    lifetime = .seconds(seconds)
  }
}

/// What a ticket asks modemd, as its backend says it to whoever claims it.
package enum TicketQuestion: Sendable {
  case verify(number: PhoneNumber, provider: String?)
  case simChange(number: PhoneNumber?, hours: Int?, provider: String?)
  case signIn(number: PhoneNumber, appVerification: JSONValue?, provider: String?)
  case login(link: WipedText?, user: String?, provider: String?)

  /// The number that it is about.
  package var number: PhoneNumber? {
    switch self {
    case .verify(let number, _), .signIn(let number, _, _): number
    case .simChange(let number, _, _): number
    case .login: nil
    }
  }

  /// - Parameter offered: what the person has agreed to; the claim must ask the same.
  /// - Throws: `TicketFailure.bad` that names the field.
  package init(_ body: [UInt8], of address: TicketAddress, offered: Ask) throws(TicketFailure) {
    let value = try TicketFields.read(body, of: address)
    guard try TicketFields.ask(value, of: address) == offered else { throw .bad(field: "ask") }
    try self.init(offered, value)
  }

  /// Reads the fields of one ask; others may be beside them.
  ///
  /// - Throws: `TicketFailure.bad` that names the field.
  init(_ ask: Ask, _ value: JSONValue) throws(TicketFailure) {
    let provider = try TicketFields.text(value, "provider")
    switch ask {
    case .verify:
      guard let number = try TicketFields.number(value) else { throw .bad(field: "number") }
      self = .verify(number: number, provider: provider)
    case .simChange:
      let hours = value["maximumAgeHours"]?.integer
      guard hours != nil || value["maximumAgeHours"] == nil else { throw .bad(field: "maximumAgeHours") }
      self = .simChange(number: try TicketFields.number(value), hours: hours, provider: provider)
    case .signIn:
      guard let number = try TicketFields.number(value) else { throw .bad(field: "number") }
      self = .signIn(number: number, appVerification: value["appVerification"], provider: provider)
    case .login:
      self = .login(
        link: try TicketFields.text(value, "link").map { WipedText($0) }, user: try TicketFields.text(value, "user"),
        provider: provider)
    }
  }
}

/// Why a ticket cannot be used.
package enum TicketFailure: Error, Hashable, Sendable {
  /// Its backend says that it was used, is too old, or never was.
  case gone
  /// The backend does not answer, or refuses this service.
  case unreachable
  /// A field is missing or wrong: a mistake of the backend's.
  case bad(field: String)
  /// It asks what the configuration does not let this backend ask.
  case notAllowed
}

private enum TicketFields {
  static func read(_ body: [UInt8], of address: TicketAddress) throws(TicketFailure) -> JSONValue {
    guard body.count <= 16_384, let value = try? JSONReader.read(body, .init(depth: 8, values: 128)),
      case .object = value
    else { throw .bad(field: "the document") }
    guard value["id"]?.string == address.id else { throw .bad(field: "id") }
    return value
  }

  static func ask(_ value: JSONValue, of address: TicketAddress) throws(TicketFailure) -> Ask {
    guard let ask = value["ask"]?.string.flatMap(Ask.init(rawValue:)) else { throw .bad(field: "ask") }
    guard address.backend.asks.contains(ask) else { throw .notAllowed }
    return ask
  }

  static func text(_ value: JSONValue, _ field: String) throws(TicketFailure) -> String? {
    guard let member = value[field] else { return nil }
    guard let text = member.string, text.utf8.count <= 4096 else { throw .bad(field: field) }
    return text
  }

  static func number(_ value: JSONValue) throws(TicketFailure) -> PhoneNumber? {
    guard let text = try text(value, "number") else { return nil }
    let number = PhoneNumber(text, source: .unknown)
    guard number.isNormalised else { throw .bad(field: "number") }
    return number
  }
}
