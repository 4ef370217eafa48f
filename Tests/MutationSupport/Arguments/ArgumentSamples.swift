import ModemAPI
import Varlink
import VarlinkWire

/// Calls of an interface's methods, made of its description: a method or field that is added is
/// covered without another line here.
package struct ArgumentSamples: Sendable {
  /// One method with arguments that it takes.
  package struct Sample: Sendable {
    package let method: String
    package let parameters: Document
    package let places: [Document.Place]

    package init(method: String, parameters: Document) {
      self.method = method
      self.parameters = parameters
      places = parameters.places
    }
  }

  package let samples: [Sample]

  /// - Parameter texts: descriptions of interfaces.
  /// - Throws: `InterfaceSyntaxError`.
  package init(_ texts: [String]) throws(InterfaceSyntaxError) {
    var samples: [Sample] = []
    for text in texts {
      let interface = try InterfaceParser.parse(text)
      let types = Dictionary(
        interface.members.compactMap { member -> (String, TypeSyntax)? in
          if case .type(let name, _, let type) = member { (name, type) } else { nil }
        }, uniquingKeysWith: { first, _ in first })
      // The fields' values are made; the method's own reply is not looked at.
      for case .method(let name, _, let fields, _) in interface.members {
        for fills in [true, false] {
          let parameters = Self.object(fields, types, fills, depth: 0)
          samples.append(
            Sample(method: "\(interface.name).\(name)", parameters: parameters))
        }
      }
    }
    self.samples = samples
  }

  package var methods: Set<String> { Set(samples.map(\.method)) }

  private static func object(
    _ fields: [InterfaceSyntax.Field], _ types: [String: TypeSyntax], _ fills: Bool, depth: Int
  ) -> Document {
    .object(fields.map { .init(name: $0.name, value: value($0.type, $0.name, types, fills, depth)) })
  }

  private static func value(
    _ type: TypeSyntax, _ name: String, _ types: [String: TypeSyntax], _ fills: Bool, _ depth: Int
  ) -> Document {
    guard depth < 8 else { return .raw("null") }
    switch type {
    case .bool: return .raw("true")
    case .int: return .raw("1")
    case .float: return .raw("1.5")
    case .string: return .raw(Extreme.quoted(text(name)))
    case .object: return Document(.object(["a": .array([.int(1), .string("b")])]))
    case .enum(let words): return .raw(Extreme.quoted(words.first ?? ""))
    case .named(let other):
      return types[other].map { value($0, name, types, fills, depth + 1) } ?? .raw("null")
    case .struct(let fields): return object(fields, types, fills, depth: depth + 1)
    case .array(let item): return .list(fills ? [value(item, name, types, fills, depth + 1)] : [])
    case .map(let item):
      return .object(fills ? [.init(name: "name", value: value(item, name, types, fills, depth + 1))] : [])
    case .nullable(let inner): return fills ? value(inner, name, types, fills, depth) : .raw("null")
    }
  }

  /// Texts that get past the first look, by the names that fields have.
  private static func text(_ name: String) -> String {
    switch name {
    case "modem": "modem-0011aabb"
    case "provider": "one"
    case let name where name.lowercased().contains("number"): "+447700900123"
    case let name where name.lowercased().contains("url") || name == "link": "https://a.example/b?c=d"
    case let name where name.lowercased().contains("uri"): "com.example.app://back"
    case "pin": "1234"
    case "pattern": "code {digits:6}"
    case "user": "u@shop.example"
    case "hash": String(repeating: "5a", count: 32)
    case "network", "plmn": "26201"
    case "country": "GB"
    default: "a"
    }
  }
}

extension ArgumentSamples.Sample {
  /// The call with something else in one place.
  package func frame(_ edit: Document.Edit?, at place: Document.Place, more: Bool) -> [UInt8] {
    let parameters = edit.map { self.parameters.with($0, at: place) } ?? self.parameters
    let more = more ? #","more":true"# : ""
    return Array(#"{"method":"\#(method)","parameters":\#(parameters.text)\#(more)}"#.utf8)
  }
}
