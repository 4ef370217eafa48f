import AuthCore
import JSONTree
import Markup

/// What an entitlement server answers (TS.43, 2.9): characteristics with parameters, as XML
/// (`wap-provisioningdoc`) or as JSON. Unknown ones are skipped, and names have no case.
struct EntitlementDocument: Hashable, Sendable {
  /// Why a body is no document.
  enum Flaw: String, Error, Hashable, Sendable {
    case tooLarge, empty, malformed, incomplete, page
  }

  /// Bytes of a body. Servers send less than two thousand.
  static let byteLimit = 65_536
  /// Nested characteristics, and nested objects of JSON.
  static let depthLimit = 16
  /// Characteristics and parameters together.
  static let partLimit = 4096

  /// What stands in the document itself.
  let root: EntitlementCharacteristic

  /// Reads a body, by its content type, or by its first byte where that says nothing.
  ///
  /// - Parameter type: the Content-Type field; nil for none.
  /// - Throws: `Flaw`.
  init(_ body: [UInt8], type: String?) throws(Flaw) {
    guard body.count <= Self.byteLimit else { throw .tooLarge }
    let bytes = Self.withoutMark(body)
    guard let first = bytes.first(where: { $0 > 0x20 }) else { throw .empty }
    switch Self.form(type, first) {
    case .json: root = try JSONCharacteristics.read(bytes)
    case .xml: root = try XMLCharacteristics.read(bytes)
    case .page: throw .page
    }
  }

  /// A new TOKEN, and how long it lasts; nil if the document has none that could be used.
  var token: (token: Secret, validity: JSONValue?)? {
    let found = root.all("token")
    guard let text = found.value("token"), Self.isToken(text) else { return nil }
    return (Secret(text), found.value("validity").map { .string($0) })
  }

  /// Everything that the document says of an application.
  ///
  /// - Parameter id: as in `ap2014`.
  func application(_ id: String) -> [EntitlementCharacteristic] {
    let applications = root.all("application")
    let ours = applications.filter { $0.value("appid")?.lowercased() == id.lowercased() } + root.all(id)
    if !ours.isEmpty { return ours }
    // A server of one application may leave its id out.
    return applications.count == 1 && applications[0].value("appid") == nil ? applications : []
  }

  /// Whether a text can be a token: visible characters and blanks alone, at most 4 kB, as it goes
  /// into queries.
  static func isToken(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
  }

  private enum Form { case json, xml, page }

  private static func form(_ type: String?, _ first: UInt8) -> Form {
    let type = type?.lowercased().prefix { $0 != ";" }.filter { $0 != " " } ?? ""
    if type == "text/html" || type == "application/xhtml+xml" { return .page }
    // A body of the other form shows that its type is wrong: neither form can begin like the other.
    switch first {
    case UInt8(ascii: "{"): return .json
    case UInt8(ascii: "<"): return .xml
    default: return type.hasSuffix("json") ? .json : .xml
    }
  }

  /// Without the mark of UTF-8 that some programs write at the beginning.
  private static func withoutMark(_ body: [UInt8]) -> [UInt8] {
    body.starts(with: [0xef, 0xbb, 0xbf]) ? Array(body.dropFirst(3)) : body
  }
}

/// A named group of parameters and groups.
struct EntitlementCharacteristic: Hashable, Sendable {
  /// In lower case.
  var type: String
  /// All values of a parameter, by its name in lower case.
  private(set) var parameters: [String: [String]] = [:]
  var children: [EntitlementCharacteristic] = []

  init(_ type: String) { self.type = type.lowercased() }

  mutating func add(_ name: String, _ value: String) { parameters[name.lowercased(), default: []].append(value) }

  /// The groups of a type.
  func all(_ type: String) -> [EntitlementCharacteristic] { children.filter { $0.type == type.lowercased() } }

  func value(_ name: String) -> String? { [self].value(name) }

  /// Whether a parameter stands in it, with any value.
  ///
  /// - Parameter name: in lower case.
  func has(_ name: String) -> Bool { parameters[name] != nil }
}

/// It prints names alone: values are numbers and tokens.
extension EntitlementCharacteristic: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "\(type)(\(parameters.keys.sorted().joined(separator: ", ")))\(children)" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension [EntitlementCharacteristic] {
  /// The value of a parameter that stands in any of them.
  ///
  /// - Parameter name: in any case.
  /// - Returns: nil if it is missing or empty, and also if it has two values: another reader could
  ///   take the other.
  func value(_ name: String) -> String? {
    let values = Set(flatMap { $0.parameters[name.lowercased()] ?? [] }.map(\.trimmed).filter { !$0.isEmpty })
    return values.count == 1 ? values.first : nil
  }

  /// These, and the groups of a type in them: some servers write a group's parameters flat.
  func with(_ type: String) -> [EntitlementCharacteristic] { self + flatMap { $0.all(type) } }
}

extension String {
  /// Without blanks and line ends around it.
  fileprivate var trimmed: String {
    var rest = drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

/// The text of a parameter that came as `encodedValue`: base64 of UTF-8 (TS.43, 13.1.1). Servers
/// write it as an attribute or a member, or as the beginning of the value.
enum EncodedValue {
  private static let mark = "encodedvalue="

  /// A value as it is meant; nil for one that cannot be decoded.
  static func plain(_ value: String) -> String? {
    guard value.lowercased().hasPrefix(mark) else { return value }
    return text(String(value.dropFirst(mark.count)))
  }

  static func text(_ encoded: String) -> String? {
    Base64.decode(encoded.filter { !$0.isWhitespace }).flatMap { String(validating: $0, as: UTF8.self) }
  }
}

/// `{"Vers":{…},"Token":{…},"ap2014":{…}}`: objects are groups, the rest are parameters.
private enum JSONCharacteristics {
  static func read(_ bytes: [UInt8]) throws(EntitlementDocument.Flaw) -> EntitlementCharacteristic {
    let limits = JSONReader.Limits(depth: EntitlementDocument.depthLimit, values: EntitlementDocument.partLimit)
    guard let value = try? JSONReader.read(bytes, limits), case .object(let members) = value, value.isFinite else {
      throw .malformed
    }
    return group("", members)
  }

  private static func group(_ type: String, _ members: [String: JSONValue]) -> EntitlementCharacteristic {
    var group = EntitlementCharacteristic(type)
    for (name, value) in members { add(name, value, to: &group) }
    return group
  }

  private static func add(_ name: String, _ value: JSONValue, to group: inout EntitlementCharacteristic) {
    switch value {
    case .null: break
    case .bool(let flag): group.add(name, flag ? "1" : "0")
    case .int(let number): group.add(name, String(number))
    case .double(let number): group.add(name, Int(exactly: number).map(String.init) ?? String(number))
    case .string(let text): group.add(name, text)
    // A list is of groups.
    case .array(let items): for item in items where item.ifObject != nil { add(name, item, to: &group) }
    case .object(let members):
      if case .string(let encoded)? = members.first(where: { $0.key.lowercased() == "encodedvalue" })?.value {
        // What cannot be decoded counts as missing.
        if let text = EncodedValue.text(encoded) { group.add(name, text) }
      } else {
        group.children.append(Self.group(name, members))
      }
    }
  }
}

/// `<characteristic type="TOKEN"><parm name="token" value="…"/></characteristic>`.
private enum XMLCharacteristics {
  static func read(_ bytes: [UInt8]) throws(EntitlementDocument.Flaw) -> EntitlementCharacteristic {
    var scanner = MarkupScanner(bytes)
    // The document's own group, and those that are open in it, outermost first.
    var open: [EntitlementCharacteristic] = []
    var left = EntitlementDocument.partLimit
    while let token = scanner.next() {
      switch token {
      case .text: break
      case .start(let name, let attributes):
        left -= 1
        guard left > 0, open.count < EntitlementDocument.depthLimit else { throw .tooLarge }
        switch name.lowercased() {
        case "wap-provisioningdoc" where open.isEmpty:
          // TS.43's documents have none. What one names is never fetched, and nobody needs to try.
          guard !scanner.hasDocumentType else { throw .malformed }
          open = [EntitlementCharacteristic("")]
        case "characteristic" where !open.isEmpty:
          open.append(EntitlementCharacteristic(value("type", in: attributes) ?? ""))
        case "parm" where !open.isEmpty: add(attributes, to: &open[open.count - 1])
        case "html" where open.isEmpty: throw .page
        default: break
        }
      case .end(let name):
        switch name.lowercased() {
        case "characteristic" where open.count > 1:
          let inner = open.removeLast()
          open[open.count - 1].children.append(inner)
        case "wap-provisioningdoc" where open.count == 1: return open[0]
        case "wap-provisioningdoc" where open.count > 1: throw .malformed
        default: break
        }
      }
    }
    throw open.isEmpty ? .malformed : .incomplete
  }

  private static func add(_ attributes: [String: String], to group: inout EntitlementCharacteristic) {
    guard let name = value("name", in: attributes) else { return }
    if let text = value("value", in: attributes) {
      group.add(name, text)
    } else if let encoded = value("encodedValue", in: attributes), let text = EncodedValue.text(encoded) {
      group.add(name, text)
    }
  }

  private static func value(_ name: String, in attributes: [String: String]) -> String? {
    attributes[name] ?? attributes.first { $0.key.lowercased() == name.lowercased() }?.value
  }
}
