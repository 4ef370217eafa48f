/// Writes the Swift wire types of a Varlink interface, so that the `.varlink` file stays their only source.
public struct SwiftGenerator {
  private let interface: InterfaceSyntax
  private let text: String
  private var output = ""
  private var indentation = 0

  /// The Swift source for a description.
  ///
  /// - Parameters:
  ///   - text: the whole description; it becomes the text that GetInterfaceDescription answers.
  ///   - source: the file name to mention at the top.
  /// - Throws: `InterfaceSyntaxError`.
  public static func source(of text: String, named source: String) throws(InterfaceSyntaxError) -> String {
    var generator = SwiftGenerator(interface: try InterfaceParser.parse(text), text: text)
    generator.line("// Written by varlink-generate from \(source): change that file, then `make generate`.")
    generator.line("")
    generator.line("import Varlink")
    generator.line("")
    generator.interfaceNamespace()
    return generator.output
  }

  /// The namespace of an interface: org.modemd.Modem becomes ModemInterface.
  public static func namespace(of interface: String) -> String {
    String(interface.split(separator: ".").last ?? "") + "Interface"
  }

  private init(interface: InterfaceSyntax, text: String) {
    self.interface = interface
    self.text = text
  }

  private mutating func line(_ text: String) {
    output += text.isEmpty ? "\n" : String(repeating: "  ", count: indentation) + text + "\n"
  }

  private mutating func block(_ head: String, _ body: (inout SwiftGenerator) -> Void) {
    line(head + " {")
    indentation += 1
    body(&self)
    indentation -= 1
    line("}")
  }

  /// `head`, the items and `tail` on one line where they fit, else the items on lines of their own, as many as fit on each:
  /// as the formatter lays them out, so that it finds nothing to change.
  private mutating func list(_ head: String, _ items: [String], _ tail: String, isArray: Bool = false) {
    let inner = items.joined(separator: ", ")
    guard indentation * 2 + head.count + inner.count + tail.count > 120 else { return line(head + inner + tail) }
    line(head)
    indentation += 1
    fill(items.enumerated().map { $1 + ($0 < items.count - 1 || isArray ? "," : "") })
    indentation -= 1
    line(tail)
  }

  private mutating func fill(_ words: [String]) {
    var row = ""
    for word in words {
      if !row.isEmpty, indentation * 2 + row.count + 1 + word.count > 120 {
        line(row)
        row = ""
      }
      row += (row.isEmpty ? "" : " ") + word
    }
    line(row)
  }

  private mutating func documentation(_ comment: [String], otherwise: String? = nil) {
    let comment = comment.isEmpty ? [otherwise].compactMap(\.self) : comment
    for text in comment {
      line(text.isEmpty ? "///" : "/// \(text)")
    }
  }

  private mutating func interfaceNamespace() {
    documentation(interface.comment)
    block("public enum \(Self.namespace(of: interface.name)): VarlinkInterface") { generator in
      generator.line("public static let name = \"\(generator.interface.name)\"")
      generator.line("public static let text = #\"\"\"")
      generator.indentation += 1
      for line in generator.text.split(separator: "\n", omittingEmptySubsequences: false) {
        generator.line(String(line))
      }
      generator.line("\"\"\"#")
      generator.indentation -= 1
      for member in generator.interface.members {
        generator.line("")
        generator.member(member)
      }
    }
  }

  private mutating func member(_ member: InterfaceSyntax.Member) {
    switch member {
    case .type(let name, let comment, .enum(let cases)):
      documentation(comment, otherwise: "One of the values of `\(name)`.")
      enumeration(name, cases)
    case .type(let name, let comment, .struct(let fields)):
      documentation(comment, otherwise: "The type `\(name)`.")
      structure(name, fields, conformances: "Codable, Hashable, Sendable")
    case .type:
      break
    case .method(let name, let comment, let parameters, let reply):
      documentation(comment, otherwise: "The method `\(name)`.")
      block("public enum \(name): VarlinkMethod") { generator in
        generator.line("public static let name = \"\(generator.interface.name).\(name)\"")
        generator.line("")
        generator.line("/// What `\(name)` takes.")
        generator.structure("Parameters", parameters, conformances: "VarlinkParameters, Hashable")
        generator.line("")
        generator.line("/// What `\(name)` answers.")
        generator.structure("Reply", reply, conformances: "Codable, Hashable, Sendable")
      }
    case .error(let name, let comment, let fields):
      documentation(comment, otherwise: "The error `\(name)`.")
      let interfaceName = interface.name
      structure(name, fields, conformances: "VarlinkErrorParameters, Hashable") { generator in
        generator.line("public static let name = \"\(interfaceName).\(name)\"")
      }
    }
  }

  private mutating func enumeration(_ name: String, _ cases: [String]) {
    block("public enum \(name): String, Codable, CaseIterable, Hashable, Sendable") { generator in
      generator.enumerationCases(cases.map(Self.escaped))
    }
  }

  private mutating func enumerationCases(_ cases: [String]) {
    let inner = "case " + cases.joined(separator: ", ")
    guard indentation * 2 + inner.count > 120 else { return line(inner) }
    // The first line begins with the keyword, the others stand one step further in.
    var first = ["case"]
    var rest = cases.enumerated().map { $1 + ($0 < cases.count - 1 ? "," : "") }
    while let word = rest.first, indentation * 2 + first.joined(separator: " ").count + 1 + word.count <= 120 {
      first.append(word)
      rest.removeFirst()
    }
    line(first.joined(separator: " "))
    indentation += 1
    fill(rest)
    indentation -= 1
  }

  private mutating func structure(
    _ name: String, _ fields: [InterfaceSyntax.Field], conformances: String,
    extra: (inout SwiftGenerator) -> Void = { _ in }
  ) {
    block("public struct \(name): \(conformances)") { generator in
      extra(&generator)
      if conformances.contains("VarlinkParameters") {
        generator.list(
          "public static let fieldNames: Set<String> = [", fields.map { "\"\($0.name)\"" }, "]", isArray: true)
      }
      for field in fields {
        generator.documentation(field.comment)
        generator.line("public var \(Self.escaped(field.name)): \(Self.swiftType(field.type, for: field.name))")
      }
      generator.line("")
      generator.initializer(fields)
      for field in fields { generator.nestedType(of: field) }
    }
  }

  private mutating func initializer(_ fields: [InterfaceSyntax.Field]) {
    guard !fields.isEmpty else { return line("public init() {}") }
    let parameters = fields.map { field in
      var parameter = "\(field.name): \(Self.swiftType(field.type, for: field.name))"
      if case .nullable = field.type { parameter += " = nil" }
      return parameter
    }
    list("public init(", parameters, ") {")
    indentation += 1
    for field in fields { line("self.\(field.name) = \(Self.escaped(field.name))") }
    indentation -= 1
    line("}")
  }

  /// An anonymous struct or enum gets the name of its field.
  private mutating func nestedType(of field: InterfaceSyntax.Field) {
    switch Self.innermost(field.type) {
    case .enum(let cases):
      line("")
      line("/// One of the values of `\(field.name)`.")
      enumeration(Self.capitalised(field.name), cases)
    case .struct(let fields):
      line("")
      line("/// The value of `\(field.name)`.")
      structure(Self.capitalised(field.name), fields, conformances: "Codable, Hashable, Sendable")
    default:
      break
    }
  }

  private static func innermost(_ type: TypeSyntax) -> TypeSyntax {
    switch type {
    case .array(let inner), .map(let inner), .nullable(let inner): innermost(inner)
    default: type
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

  /// The type that an anonymous struct or enum gets from its field's name; Swift keeps two names for itself.
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
