/// Writes `tables.js`, by what the client reads replies and how each method is called, and
/// `interfaces.js`, the classes of the errors.
///
/// The type of a field is written as in the interface language, with the name of a declared
/// structure after that of its home, and with `word` for an enum. `!` follows what prints redacted.
struct TypeScriptTables {
  let homes: [TypeHome]
  private var text = TypeScriptText()
  private var interface = InterfaceSyntax(name: "", comment: [], members: [])
  /// Structures without a name, by the name that the table gives them.
  private var anonymous: [(name: String, fields: [InterfaceSyntax.Field])] = []

  init(homes: [TypeHome]) { self.homes = homes }

  mutating func tables(of interfaces: [InterfaceSyntax]) -> String {
    text.line(TypeScriptGenerator.head)
    text.line()
    text.documentation([
      "The structures of replies and errors: their fields' types as in the interface language, with `word`",
      "for an enum, and `!` behind what prints redacted.",
      "@type {import('../source/tables.js').Structures}",
    ])
    table("export const structures = {") { writer in
      for interface in interfaces { writer.structures(of: interface) }
    }
    text.line()
    text.documentation(["@type {import('../source/tables.js').Methods}"])
    table("export const methods = {") { writer in
      for interface in interfaces { writer.methods(of: interface) }
    }
    text.line()
    text.documentation([
      "The properties of a connection: its interfaces with their methods.",
      "@type {import('../source/tables.js').Interfaces}",
    ])
    table("export const interfaces = {") { writer in
      for interface in interfaces { writer.properties(of: interface) }
    }
    return text.output
  }

  mutating func errors(of interfaces: [InterfaceSyntax]) -> String {
    text.line(TypeScriptGenerator.head)
    text.line()
    text.line("import { errorClass } from '../source/errors.js';")
    for interface in interfaces { errors(of: interface) }
    return text.output
  }

  private mutating func table(_ head: String, _ tail: String = "};", _ body: (inout TypeScriptTables) -> Void) {
    let writer = self
    var after = writer
    text.block(head, tail) { text in
      after.text = text
      body(&after)
      text = after.text
    }
    anonymous = after.anonymous
  }

  private mutating func structures(of interface: InterfaceSyntax) {
    self.interface = interface
    let asked = interface.typesOfParametersOnly
    for case .type(let name, _, .struct(let fields)) in interface.members {
      guard !asked.contains(name), homes.home(of: name, in: interface) == nil else { continue }
      structure("'\(TypeScriptGenerator.namespace(of: interface.name)).\(name)'", fields, of: name)
    }
    for case .method(let name, _, _, let reply) in interface.members {
      structure("'\(interface.name).\(name)'", reply, of: name)
    }
    for case .error(let name, _, let fields) in interface.members {
      structure("'\(interface.name).\(name)'", fields, of: nil)
    }
    while let next = anonymous.popLast() { structure("'\(next.name)'", next.fields, of: next.name) }
  }

  /// - Parameter owner: the type or the method; nil for an error, whose sentences are for people.
  private mutating func structure(_ key: String, _ fields: [InterfaceSyntax.Field], of owner: String?) {
    guard !fields.isEmpty else { return text.line("\(key): {},") }
    table("\(key): {", "},") { writer in
      for field in fields {
        let type = writer.type(field.type, "\(writer.interface.name).\(owner ?? "error").\(field.name)")
        let mark = owner.map { PersonalFields.contains(field, of: $0) } == true ? "!" : ""
        writer.text.line("\(field.name): '\(type)\(mark)',")
      }
    }
  }

  private mutating func type(_ type: TypeSyntax, _ place: String) -> String {
    switch type {
    case .bool: return "bool"
    case .int: return "int"
    case .float: return "float"
    case .string: return "string"
    case .object: return "object"
    case .enum: return "word"
    case .named(let name):
      guard interface.words(of: type) == nil else { return "word" }
      let home = homes.home(of: name, in: interface)?.interface.name ?? interface.name
      return "\(TypeScriptGenerator.namespace(of: home)).\(name)"
    case .struct(let fields):
      anonymous.append((place, fields))
      return place
    case .array(let inner): return "[]" + self.type(inner, place)
    case .map(let inner): return "[string]" + self.type(inner, place)
    case .nullable(let inner): return "?" + self.type(inner, place)
    }
  }

  private mutating func methods(of interface: InterfaceSyntax) {
    for case .method(let name, let comment, _, let reply) in interface.members {
      let form = TypeScriptCallForm(comment: comment, reply: reply, in: interface)
      var entry = ["form: '\(form.rawValue)'"]
      if let event = TypeScriptEvent(reply, in: interface) {
        entry.append("event: '\(event.field)'")
        entry.append("carrying: [\(event.carrying.map { "'\($0)'" }.joined(separator: ", "))]")
      }
      if let question = TypeScriptQuestion(reply, in: interface) { entry.append("asks: '\(question.rawValue)'") }
      let key = "'\(interface.name).\(name)'"
      let whole = "\(key): { \(entry.joined(separator: ", ")) },"
      if whole.count + 2 <= 100 {
        text.line(whole)
      } else {
        text.block("\(key): {", "},") { text in for each in entry { text.line(each + ",") } }
      }
    }
  }

  private mutating func properties(of interface: InterfaceSyntax) {
    let name = TypeScriptGenerator.namespace(of: interface.name)
    text.block("\(TypeScriptGenerator.property(name)): {", "},") { text in
      for case .method(let name, _, _, _) in interface.members {
        text.line("\(TypeScriptGenerator.property(name)): '\(interface.name).\(name)',")
      }
    }
  }

  private mutating func errors(of interface: InterfaceSyntax) {
    let names = interface.members.compactMap { member -> String? in
      if case .error(let name, _, _) = member { name } else { nil }
    }
    text.line()
    text.documentation([], otherwise: "The errors of \(interface.name).")
    let head = "export const \(TypeScriptGenerator.namespace(of: interface.name)) = Object.freeze({"
    guard !names.isEmpty else { return text.line(head + "});") }
    text.block(head, "});") { text in
      for name in names { text.line("\(name): errorClass('\(interface.name).\(name)'),") }
    }
  }
}

/// What a flow may ask its caller for.
enum TypeScriptQuestion: String {
  /// `codeWanted`: a one-time code.
  case code
  /// `question`: a PIN, or what a mail contains.
  case pin

  /// Nil for a reply that asks nothing.
  init?(_ reply: [InterfaceSyntax.Field], in interface: InterfaceSyntax) {
    guard let event = TypeScriptEvent(reply, in: interface), reply.contains(where: { $0.name == "flow" }) else {
      return nil
    }
    if event.words.contains("codeWanted") {
      self = .code
    } else if event.words.contains("question") {
      self = .pin
    } else {
      return nil
    }
  }

  /// The type of the options with its callbacks.
  var options: String {
    switch self {
    case .code: "AskingForCode"
    case .pin: "AskingForPIN"
    }
  }
}
