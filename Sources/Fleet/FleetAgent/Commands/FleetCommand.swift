import DeviceAPI
import FleetSettings
import JSONTree
import ModemAPI

/// A command that a machine of a fleet may carry out, with what it takes.
package enum FleetCommand: Hashable, Sendable {
  case listModems
  case getModem(String?)
  case getBearer(String?)
  case connect(BearerInterface.Connect.Parameters)
  case disconnect(String?)
  case prepare(CheckInterface.Prepare.Parameters)
  case verify(VerifyInterface.Number.Parameters)
  case open(CheckInterface.Open.Parameters)
  case figures
  case diagnosis
  case reload

  /// The last level of a command's topic.
  package enum Name: String, CaseIterable, Hashable, Sendable {
    case listModems = "modem.list"
    case getModem = "modem.get"
    case getBearer = "bearer.get"
    case connect = "bearer.connect"
    case disconnect = "bearer.disconnect"
    case prepare = "check.prepare"
    case verify = "verify.number"
    case open = "check.open"
    case figures = "metrics.get"
    case diagnosis = "diagnostics.get"
    case reload = "service.reload"
  }

  /// The name as modemd knows the modem, in place of the one that the command has.
  func naming(modem id: String?) -> FleetCommand {
    switch self {
    case .getModem: return .getModem(id)
    case .getBearer: return .getBearer(id)
    case .disconnect: return .disconnect(id)
    case .connect(var parameters):
      parameters.modem = id
      return .connect(parameters)
    case .prepare(var parameters):
      parameters.modem = id
      return .prepare(parameters)
    case .verify(var parameters):
      parameters.modem = id
      return .verify(parameters)
    case .open(var parameters):
      parameters.modem = id
      return .open(parameters)
    case .listModems, .figures, .diagnosis, .reload: return self
    }
  }

  /// The command as a part of a trace (W3C Trace Context), if it takes one.
  func traced(_ traceparent: String?) -> FleetCommand {
    switch self {
    case .prepare(var parameters):
      parameters.traceparent = traceparent
      return .prepare(parameters)
    case .verify(var parameters):
      parameters.traceparent = traceparent
      return .verify(parameters)
    case .open(var parameters):
      parameters.traceparent = traceparent
      return .open(parameters)
    case .listModems, .getModem, .getBearer, .connect, .disconnect, .figures, .diagnosis, .reload: return self
    }
  }

  /// The modem that it is for; nil for none, or for the only one.
  var modem: String? {
    switch self {
    case .getModem(let modem), .getBearer(let modem), .disconnect(let modem): modem
    case .connect(let parameters): parameters.modem
    case .prepare(let parameters): parameters.modem
    case .verify(let parameters): parameters.modem
    case .open(let parameters): parameters.modem
    case .listModems, .figures, .diagnosis, .reload: nil
    }
  }
}

/// A command's payload, read strictly.
struct CommandForm: Sendable {
  var command: FleetCommand
  /// Whether steps and hops are told.
  var wantsProgress: Bool

  /// Reads a payload.
  ///
  /// - Parameter hosts: where `check.open` and `check.prepare` may begin.
  /// - Throws: `CommandFlaw`.
  init(_ name: FleetCommand.Name, _ payload: [UInt8], hosts: Set<String>) throws(CommandFlaw) {
    var fields = try StrictFields(payload)
    wantsProgress = try fields.boolean("progress") ?? false
    switch name {
    case .listModems: command = .listModems
    case .getModem: command = .getModem(try fields.text("modem", most: 64))
    case .getBearer: command = .getBearer(try fields.text("modem", most: 64))
    case .disconnect: command = .disconnect(try fields.text("modem", most: 64))
    case .connect:
      command = .connect(
        .init(
          modem: try fields.text("modem", most: 64), apn: try fields.text("apn", most: 100),
          ipType: try fields.word("ipType")))
    case .prepare:
      let url = try fields.text("url", most: 2048)
      if let url { try Self.check(url, hosts) }
      command = .prepare(.init(url: url, modem: try fields.text("modem", most: 64)))
    case .verify:
      guard let number = try fields.text("number", most: 16) else { throw CommandFlaw("number: it is missing") }
      guard number.hasPrefix("+"), (8...16).contains(number.utf8.count),
        number.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
      else { throw CommandFlaw("number: expected E.164, as in +447700900123") }
      command = .verify(
        .init(
          number: number, provider: try fields.text("provider", most: 64),
          modem: try fields.text("modem", most: 64), route: try fields.word("route")))
    case .open:
      guard let url = try fields.text("url", most: 2048) else { throw CommandFlaw("url: it is missing") }
      try Self.check(url, hosts)
      command = .open(
        .init(
          url: url, modem: try fields.text("modem", most: 64),
          timeoutMilliseconds: try fields.integer("timeoutMilliseconds", 1...240_000),
          maxRedirects: try fields.integer("maxRedirects", 0...50), tlsAtMost: try fields.word("tlsAtMost")))
    case .figures: command = .figures
    case .diagnosis: command = .diagnosis
    case .reload: command = .reload
    }
    try fields.end()
  }

  /// https, to a host of the settings, without a user's name.
  private static func check(_ url: String, _ hosts: Set<String>) throws(CommandFlaw) {
    guard url.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }), url.hasPrefix("https://")
    else { throw CommandFlaw("url: expected https://") }
    let authority = url.dropFirst(8).prefix { !"/?#".contains($0) }
    guard !authority.contains("@") else { throw CommandFlaw("url: a user's name is not accepted") }
    let host = authority.prefix { $0 != ":" }
    let port = authority.dropFirst(host.count)
    guard port.isEmpty || port == ":443" else { throw CommandFlaw("url: only port 443 is accepted") }
    guard hosts.contains(host.lowercased()) else {
      throw CommandFlaw("url: this machine's settings do not name the host (commands.open.hosts)", .notAllowed)
    }
  }
}

/// What is wrong with a command's payload. It repeats nothing of the payload but names of fields.
struct CommandFlaw: Error, Hashable, Sendable {
  let text: String
  let reason: CommandRefusal.Reason

  init(_ text: String, _ reason: CommandRefusal.Reason = .malformed) {
    self.text = text
    self.reason = reason
  }
}

/// An object's members, each read once; one that nobody has read is an error.
private struct StrictFields {
  private var rest: [String: JSONValue]

  /// - Parameter payload: an object; nothing counts as an empty one.
  init(_ payload: [UInt8]) throws(CommandFlaw) {
    guard !payload.isEmpty else {
      rest = [:]
      return
    }
    guard let value = try? JSONReader.read(payload, .init(depth: 4, values: 64)), case .object(let members) = value
    else { throw CommandFlaw("the payload is no JSON object") }
    rest = members
  }

  mutating func text(_ name: String, most: Int) throws(CommandFlaw) -> String? {
    switch rest.removeValue(forKey: name) {
    case nil, .null: return nil
    case .string(let text) where !text.isEmpty && text.utf8.count <= most: return text
    default: throw CommandFlaw("\(name): expected a text of 1 to \(most) bytes")
    }
  }

  mutating func integer(_ name: String, _ range: ClosedRange<Int>) throws(CommandFlaw) -> Int? {
    switch rest.removeValue(forKey: name) {
    case nil, .null: return nil
    case .int(let number) where range.contains(number): return number
    default: throw CommandFlaw("\(name): expected \(range.lowerBound) to \(range.upperBound)")
    }
  }

  mutating func boolean(_ name: String) throws(CommandFlaw) -> Bool? {
    switch rest.removeValue(forKey: name) {
    case nil, .null: return nil
    case .bool(let value): return value
    default: throw CommandFlaw("\(name): expected true or false")
    }
  }

  mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(CommandFlaw) -> Word? {
    guard let text = try text(name, most: 64) else { return nil }
    guard let word = Word.allCases.first(where: { $0.rawValue == text }) else {
      throw CommandFlaw("\(name): expected one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  func end() throws(CommandFlaw) {
    guard let unknown = rest.keys.min() else { return }
    let isPlain = unknown.utf8.count <= 32 && unknown.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    throw CommandFlaw("\(isPlain ? unknown : "a field"): this command has no such field")
  }
}
