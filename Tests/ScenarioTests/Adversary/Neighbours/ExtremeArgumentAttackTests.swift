import Glibc
import JSONTree
import ModemAPI
import ScenarioRunner
import Testing
import Varlink

/// Callers that name numbers of any size over the real socket: each gets an answer or an error, and
/// modemd goes on.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ExtremeArgumentAttackTests {
  @Test("Each number of each method as an extreme", .timeLimit(.minutes(3)), .attack(by: .neighbour, .held))
  func arguments() async throws {
    try await Worlds.with(MobileConnectWorld.scenario([.init(name: "app")])) { world in
      let before = try #require(await Survivor.find(world))
      let methods = try await Self.methods(world)
      #expect(methods.count > 10, "\(methods)")
      for method in methods {
        for number in ExtremeNumberAttackTests.extremes {
          let call = #"{"method":"\#(method.name)","parameters":\#(method.parameters(number))}"#
          let answer = RawCall.ask(call, at: world.folder.socket)
          #expect(answer != .closed, "\(method.name) \(number): the connection was closed without an answer")
        }
        #expect(await Survivor.find(world) == before, "\(method.name): modemd ended")
      }
      try await Survivor.expectAnswer(world)
    }
  }

  @Test("Frames whose own members are numbers of any size", .timeLimit(.minutes(1)), .attack(by: .neighbour, .held))
  func frames() async throws {
    try await Worlds.with { world in
      let before = try #require(await Survivor.find(world))
      for number in ExtremeNumberAttackTests.extremes + ["1e400", "-0", "0.1", "00", "-", "1e"] {
        for frame in [
          #"{"method":\#(number)}"#, #"{"method":"org.modemd.Modem.List","more":\#(number)}"#,
          #"{"method":"org.modemd.Modem.List","parameters":\#(number)}"#, number, "[\(number)]",
          #"{"method":"org.modemd.Modem.List","parameters":{"modem":\#(number)}}"#,
        ] { _ = RawCall.ask(frame, at: world.folder.socket) }
        #expect(await Survivor.find(world) == before, "\(number): modemd ended")
      }
      for depth in [100, 511, 513, 10_000, 100_000] {
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        _ = RawCall.ask(
          #"{"method":"org.modemd.Modem.List","parameters":{"modem":\#(value)}}"#, at: world.folder.socket)
        #expect(await Survivor.find(world) == before, "depth \(depth): modemd ended")
      }
      try await Survivor.expectAnswer(world)
    }
  }

  /// A method with its parameters, as its interface describes them.
  struct Method {
    let name: String
    /// Names with their types.
    let fields: [(name: String, type: String)]
    /// The interface's own types.
    let types: [String: [(name: String, type: String)]]

    var hasNumbers: Bool {
      fields.contains { Self.isNumber($0.type) || structure($0.type)?.contains { Self.isNumber($0.type) } == true }
    }

    private static func isNumber(_ type: String) -> Bool { type.hasSuffix("int") || type.hasSuffix("float") }
    private func structure(_ type: String) -> [(name: String, type: String)]? { types[type.filter { $0 != "?" }] }

    /// Each number is the given one, and what else must be there is something of its type.
    func parameters(_ number: String) -> String { object(fields, number) }

    private func object(_ fields: [(name: String, type: String)], _ number: String) -> String {
      let members = fields.compactMap { field -> String? in
        value(field.type, number).map { #""\#(field.name)":\#($0)"# }
      }
      return "{\(members.joined(separator: ","))}"
    }

    private func value(_ type: String, _ number: String) -> String? {
      if Self.isNumber(type) { return type.contains("[]") ? "[\(number)]" : number }
      if let fields = structure(type), fields.contains(where: { Self.isNumber($0.type) }) {
        return object(fields, number)
      }
      guard !type.hasPrefix("?") else { return nil }
      if type.hasPrefix("[]") { return "[]" }
      if type.hasPrefix("[string]") || type == "object" { return "{}" }
      return type == "bool" ? "true" : #""+4915112345678""#
    }
  }

  /// The methods with numbers among their parameters, of all interfaces of modemd.
  private static func methods(_ world: World) async throws -> [Method] {
    let information = RawCall.ask(#"{"method":"org.varlink.service.GetInfo"}"#, at: world.folder.socket)
    let names = information.json?["parameters"]?["interfaces"]?.items.compactMap(\.string) ?? []
    return names.flatMap { name -> [Method] in
      let call = #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(name)"}}"#
      let text = RawCall.ask(call, at: world.folder.socket).json?["parameters"]?["description"]?.string ?? ""
      return InterfaceText(text).methods.map {
        Method(name: "\(name).\($0.name)", fields: $0.fields, types: InterfaceText(text).types)
      }
    }.filter(\.hasNumbers)
  }
}

/// A call as bytes, on a connection of its own.
enum RawCall {
  enum Answer: Hashable {
    case text(String)
    /// Nothing came meanwhile: the call goes on.
    case nothing
    case closed

    var json: JSONValue? { if case .text(let text) = self { JSONValue(parsing: text.utf8) } else { nil } }
  }

  /// Sends a frame, and waits a while for the first one that comes back.
  static func ask(_ frame: String, at path: String) -> Answer {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 0, tv_usec: 100_000)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else { return .closed }
    var rest = Array(frame.utf8)[...] + [0]
    while !rest.isEmpty {
      let sent = Array(rest).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard sent > 0 else { return .closed }
      rest = rest.dropFirst(sent)
    }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 { return .nothing }
      if count == 0 { return .closed }
      received += buffer[..<count]
      if let end = received.firstIndex(of: 0) { return .text(String(decoding: received[..<end], as: UTF8.self)) }
    }
  }
}

/// What an interface's description says of methods and types, as far as tests need it: names,
/// fields and their types.
private struct InterfaceText {
  private(set) var methods: [(name: String, fields: [(name: String, type: String)])] = []
  private(set) var types: [String: [(name: String, type: String)]] = [:]

  init(_ text: String) {
    let plain = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }.joined(separator: " ")
    var rest = Substring(plain)
    while let word = rest.firstMatch(of: /\b(method|type) +(\w+) *\(/) {
      let kind = word.output.1
      let name = String(word.output.2)
      rest = rest[word.range.upperBound...]
      let fields = Self.fields(&rest)
      if kind == "method" { methods.append((name, fields)) } else { types[name] = fields }
    }
  }

  /// Reads up to the bracket that closes.
  private static func fields(_ rest: inout Substring) -> [(name: String, type: String)] {
    var depth = 1
    var parts: [String] = [""]
    while depth > 0, let character = rest.popFirst() {
      switch character {
      case "(": depth += 1
      case ")": depth -= 1
      case "," where depth == 1:
        parts.append("")
        continue
      default: break
      }
      if depth > 0 { parts[parts.count - 1].append(character) }
    }
    return parts.compactMap { part in
      let halves = part.split(separator: ":", maxSplits: 1)
      guard halves.count == 2 else { return nil }
      return (halves[0].filter { $0 != " " }, halves[1].filter { $0 != " " })
    }
  }
}
