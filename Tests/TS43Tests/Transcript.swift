// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import FoundationEssentials
import JSONTree
import ModemModel
@_spi(Exchange) import Web

@testable import TS43Flows

/// What an independent client and a foreign server said to each other over HTTP:
/// Tests/Vectors/ts43-transcript.json, or the file that MODEMD_TS43_VECTORS names, if it has such
/// sections.
enum Transcript {
  /// A section of exchanges, by its way in the file.
  struct Section: Sendable, CustomStringConvertible {
    let name: String
    let exchanges: [HTTPExchange]
    /// What the card answered to the one challenge (3GPP TS 31.102, 7.1.2); nil where the section
    /// does not tell.
    let cardAnswer: [UInt8]?
    var description: String { name }
  }

  static let sections: [Section] = {
    let own = sections(in: ProcessInfo.processInfo.environment["MODEMD_TS43_VECTORS"])
    return own.isEmpty ? sections(in: repositoryFile) : own
  }()

  private static let repositoryFile =
    String(#filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }) + "/Vectors/ts43-transcript.json"

  private static func sections(in path: String?) -> [Section] {
    guard let path, let data = FileManager.default.contents(atPath: path), let all = JSONValue(parsing: Array(data))
    else { return [] }
    return collect("", all)
  }

  private static func collect(_ name: String, _ value: JSONValue) -> [Section] {
    guard case .object(let members) = value else { return [] }
    let own = members["http"]?.items.compactMap { HTTPExchange($0) } ?? []
    let inner = members.sorted { $0.key < $1.key }.flatMap { key, value in
      collect(name.isEmpty ? key : "\(name).\(key)", value)
    }
    let card = members["card_answer"]?.string.flatMap { Hexadecimal.bytes(of: $0) }
    return (own.isEmpty ? [] : [Section(name: name, exchanges: own, cardAnswer: card)]) + inner
  }
}

/// One request and its answer.
struct HTTPExchange: Sendable {
  let note: String
  let method: String
  let path: String
  let query: [String: [String]]
  let fields: [(name: String, value: String)]
  let body: [UInt8]
  let reply: BackendReply

  init?(_ value: JSONValue) {
    guard let request = value["request"]?.string, let status = value["status"]?.integer,
      let end = request.firstRange(of: "\r\n\r\n")
    else { return nil }
    let lines = request[..<end.lowerBound].split(separator: "\r\n")
    let first = lines[0].split(separator: " ")
    note = value["note"]?.string ?? ""
    method = String(first[0])
    let target = first[1].split(separator: "?", maxSplits: 1)
    path = String(target[0])
    query = target.count > 1 ? Self.parameters(String(target[1])) : [:]
    fields = Self.fields(lines.dropFirst().map(String.init))
    body = Array(request[end.upperBound...].utf8)
    let head = (value["response_head"]?.string ?? "").split(separator: "\r\n").dropFirst().map(String.init)
    reply = BackendReply(
      status: status, headers: Self.fields(head).map { WebHeader(name: $0.name, value: $0.value) },
      body: Array((value["response_body"]?.string ?? "").utf8))
  }

  private static func fields(_ lines: [String]) -> [(name: String, value: String)] {
    lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (line[..<colon].lowercased(), String(value))
    }
  }

  static func parameters(_ query: String) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      found[String(parts[0]), default: []].append(PercentEncoding.decodeForm(parts.count > 1 ? parts[1] : ""))
    }
    return found
  }

  /// The parameters, from the query or the JSON body; the application is a list in JSON.
  var parameters: [String: [String]] {
    guard query.isEmpty, case .object(let members)? = JSONValue(parsing: body) else { return query }
    return Self.parameters(members)
  }

  static func parameters(_ members: [String: JSONValue]) -> [String: [String]] {
    members.mapValues { value in value.string.map { [$0] } ?? value.items.compactMap(\.string) }
  }

  func parameter(_ name: String) -> String? { parameters[name]?.first }
  func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The packet of EAP that the request or its answer carries.
  var sentPacket: [UInt8]? { Self.packet(body) }
  var repliedPacket: [UInt8]? { Self.packet(reply.body) }

  private static func packet(_ body: [UInt8]) -> [UInt8]? {
    JSONValue(parsing: body)?["eap-relay-packet"]?.string.flatMap { Base64.decode($0) }
  }
}
