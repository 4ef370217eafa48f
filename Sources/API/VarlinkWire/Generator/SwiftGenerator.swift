/// Writes the Swift wire types of a Varlink interface, so that the `.varlink` file remains their
/// only source.
///
/// An enum in a reply or an error is open: it has a case for words of a later version. An enum that
/// occurs only in parameters has its own words only. A method that runs a flow is declared as such
/// (`FlowForm`).
public struct SwiftGenerator {
  /// A declaration that Swift cannot express.
  public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// Who may use the generated types: everyone, or the targets of the same package.
  public enum Access: String, Sendable {
    case `public`, package
  }

  private let interface: InterfaceSyntax
  private let access: String
  private let homes: [TypeHome]
  private let asked: Set<String>
  private var text = SwiftText()
  /// The anonymous enums so far, by name, words and openness, with their places.
  private var enums: [AnonymousEnum: String] = [:]
  /// The enclosing types of the present place, without the interface's namespace.
  private var path: [String] = []
  private var refusal: Refusal?

  private struct AnonymousEnum: Hashable {
    var name: String
    var words: [String]
    var isOpen: Bool
  }

  /// The Swift source for a description.
  ///
  /// - Parameters:
  ///   - text: the complete description, which GetInterfaceDescription returns.
  ///   - source: the file name to mention at the top.
  ///   - homes: interfaces whose types this one shares; the first that has a type is its home.
  ///   - access: who may use the types.
  /// - Throws: `InterfaceSyntaxError`, `Refusal`.
  public static func source(
    of text: String, named source: String, homes: [TypeHome] = [], access: Access = .public
  ) throws -> String {
    var generator = SwiftGenerator(try InterfaceParser.parse(text), homes, access)
    generator.line("// Written by varlink-generate from \(source): change that file, then `make generate`.")
    generator.line("")
    for module in generator.modules { generator.line("import \(module)") }
    generator.line("")
    generator.interfaceNamespace(text)
    if let refusal = generator.refusal { throw refusal }
    return generator.text.output
  }

  /// The namespace of an interface: org.modemd.Modem becomes ModemInterface.
  public static func namespace(of interface: String) -> String {
    String(interface.split(separator: ".").last ?? "") + "Interface"
  }

  private init(_ interface: InterfaceSyntax, _ homes: [TypeHome], _ access: Access) {
    self.interface = interface
    self.access = access.rawValue
    self.homes = homes
    asked = interface.typesOfParametersOnly
  }

  private var modules: [String] {
    let shared = interface.members.compactMap { member -> String? in
      guard case .type(let name, _, _) = member else { return nil }
      return homes.home(of: name, in: interface)?.module
    }
    return Set(shared + ["Varlink"]).sorted()
  }

  private mutating func line(_ line: String) { text.line(line) }

  private mutating func block(_ head: String, _ body: (inout SwiftGenerator) -> Void) {
    line(head + " {")
    text.indentation += 1
    body(&self)
    text.indentation -= 1
    line("}")
  }

  private mutating func interfaceNamespace(_ description: String) {
    text.documentation(interface.comment, otherwise: "The interface \(interface.name).")
    block("\(access) enum \(Self.namespace(of: interface.name)): VarlinkInterface") { generator in
      generator.line("\(generator.access) static let name = \"\(generator.interface.name)\"")
      generator.line("\(generator.access) static let text = #\"\"\"")
      generator.text.indentation += 1
      for line in description.split(separator: "\n", omittingEmptySubsequences: false) { generator.line(String(line)) }
      generator.line("\"\"\"#")
      generator.text.indentation -= 1
      for member in generator.interface.members {
        generator.line("")
        generator.member(member)
      }
    }
  }

  private mutating func member(_ member: InterfaceSyntax.Member) {
    switch member {
    case .type(let name, let comment, let type):
      text.documentation(comment, otherwise: "The type `\(name)`.")
      if let home = homes.home(of: name, in: interface) {
        line("\(access) typealias \(name) = \(Self.namespace(of: home.interface.name)).\(name)")
      } else if case .enum(let words) = type {
        enumeration(name, words, isOpen: !asked.contains(name))
      } else if case .struct(let fields) = type {
        structure(name, fields, conformances: "Codable, Hashable, Sendable", isOpen: !asked.contains(name))
      }
    case .method(let name, let comment, let parameters, let reply):
      text.documentation(comment, otherwise: "The method `\(name)`.")
      let form = FlowForm(parameters: parameters, reply: reply)
      block("\(access) enum \(name): \(form?.method ?? "VarlinkMethod")") { generator in
        generator.path.append(name)
        generator.line("\(generator.access) static let name = \"\(generator.interface.name).\(name)\"")
        generator.line("")
        generator.line("/// What `\(name)` takes.")
        generator.structure(
          "Parameters", parameters, conformances: "\(form?.parameters ?? "VarlinkParameters"), Hashable", isOpen: false)
        generator.line("")
        generator.line("/// What `\(name)` answers.")
        generator.structure("Reply", reply, conformances: form?.reply ?? "Codable, Hashable, Sendable", isOpen: true)
        generator.path.removeLast()
      }
    case .error(let name, let comment, let fields):
      text.documentation(comment, otherwise: "The error `\(name)`.")
      let interfaceName = interface.name
      structure(name, fields, conformances: "VarlinkErrorParameters, Hashable", isOpen: true) { generator in
        generator.line("\(generator.access) static let name = \"\(interfaceName).\(name)\"")
      }
    }
  }

  private mutating func enumeration(_ name: String, _ words: [String], isOpen: Bool) {
    let cases = words.map(Self.escaped)
    guard isOpen else {
      return block("\(access) enum \(name): String, Codable, CaseIterable, Hashable, Sendable") { $0.text.cases(cases) }
    }
    if words.contains("other") {
      refusal = Refusal(description: "the enum \(name) of a reply has the word “other”, which stands for unknown words")
    }
    block("\(access) enum \(name): OpenWord") { generator in
      generator.text.cases(cases)
      generator.line("case other(String)")
      generator.line("")
      generator.text.list(
        "\(generator.access) static let known: [Self] = [", cases.map { ".\($0)" }, "]", isArray: true)
      generator.block("\(generator.access) var rawValue: String") { generator in
        generator.line("switch self {")
        for (word, escaped) in zip(words, cases) { generator.line("case .\(escaped): \"\(word)\"") }
        generator.line("case .other(let word): word")
        generator.line("}")
      }
    }
  }

  private mutating func structure(
    _ name: String, _ fields: [InterfaceSyntax.Field], conformances: String, isOpen: Bool,
    extra: (inout SwiftGenerator) -> Void = { _ in }
  ) {
    block("\(access) struct \(name): \(conformances)") { generator in
      generator.path.append(name)
      extra(&generator)
      if conformances.contains("MethodParameters") || conformances.contains("VarlinkParameters") {
        generator.text.list(
          "\(generator.access) static let fieldNames: Set<String> = [", fields.map { "\"\($0.name)\"" }, "]",
          isArray: true)
      }
      for field in fields {
        if !field.comment.isEmpty { generator.text.documentation(field.comment, otherwise: "") }
        generator.line(
          "\(generator.access) var \(Self.escaped(field.name)): \(Self.swiftType(field.type, for: field.name))")
      }
      generator.line("")
      generator.initializer(fields)
      if conformances.contains("MethodReply") { generator.eventInitializer(fields) }
      for field in fields { generator.nestedType(of: field, isOpen: isOpen) }
      generator.path.removeLast()
    }
  }

  private mutating func initializer(_ fields: [InterfaceSyntax.Field]) {
    guard !fields.isEmpty else { return line("\(access) init() {}") }
    let parameters = fields.map { field in
      var parameter = "\(field.name): \(Self.swiftType(field.type, for: field.name))"
      if case .nullable = field.type { parameter += " = nil" }
      return parameter
    }
    text.list("\(access) init(", parameters, ") {")
    text.indentation += 1
    for field in fields { line("self.\(field.name) = \(Self.escaped(field.name))") }
    text.indentation -= 1
    line("}")
  }

  /// All other fields of a flow's reply are nullable.
  private mutating func eventInitializer(_ fields: [InterfaceSyntax.Field]) {
    line("")
    line("/// A reply that says what happened, and nothing else.")
    block("\(access) init(event: Event)") { generator in
      let values = fields.map { $0.name == "event" ? "event: event" : "\($0.name): nil" }
      generator.text.list("self.init(", values, ")")
    }
  }

  /// An anonymous struct or enum gets the name of its field. An enum that stands in the interface
  /// already is no second type.
  private mutating func nestedType(of field: InterfaceSyntax.Field, isOpen: Bool) {
    let name = Self.capitalised(field.name)
    switch field.type.innermost {
    case .enum(let words):
      line("")
      line("/// One of the values of `\(field.name)`.")
      let place = (path + [name]).joined(separator: ".")
      if let first = enums[AnonymousEnum(name: name, words: words, isOpen: isOpen)] {
        line("\(access) typealias \(name) = \(Self.namespace(of: interface.name)).\(first)")
      } else {
        enums[AnonymousEnum(name: name, words: words, isOpen: isOpen)] = place
        enumeration(name, words, isOpen: isOpen)
      }
    case .struct(let fields):
      line("")
      line("/// The value of `\(field.name)`.")
      structure(name, fields, conformances: "Codable, Hashable, Sendable", isOpen: isOpen)
    default:
      break
    }
  }

  private static func swiftType(_ type: TypeSyntax, for field: String) -> String {
    switch type {
    case .bool: "Bool"
    case .int: "Int"
    case .float: "Double"
    case .string: "String"
    case .object: "JSONValue"
    case .named(let name): name
    case .struct, .enum: capitalised(field)
    case .array(let inner): "[\(swiftType(inner, for: field))]"
    case .map(let inner): "[String: \(swiftType(inner, for: field))]"
    case .nullable(let inner): swiftType(inner, for: field) + "?"
    }
  }

  /// The type name of an anonymous struct or enum, made from its field's name; Swift reserves two
  /// names.
  private static func capitalised(_ name: String) -> String {
    let type = name.prefix(1).uppercased() + name.dropFirst()
    return ["Protocol", "Type"].contains(type) ? type + "Kind" : type
  }

  private static func escaped(_ name: String) -> String {
    let keywords: Set<String> = [
      "protocol", "guard", "if", "else", "for", "while", "repeat", "do", "catch", "throw", "throws", "let", "var",
      "func", "default", "case", "in", "is", "as", "switch", "where", "return", "self", "public", "private",
    ]
    return keywords.contains(name) ? "`\(name)`" : name
  }
}
