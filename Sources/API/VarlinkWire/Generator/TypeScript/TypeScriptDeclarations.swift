/// Writes `interfaces.d.ts`: the types of all interfaces, each in a namespace of its name.
struct TypeScriptDeclarations {
  let homes: [TypeHome]
  private var text = TypeScriptText()

  init(homes: [TypeHome]) { self.homes = homes }

  mutating func text(of interfaces: [InterfaceSyntax]) -> String {
    text.line(TypeScriptGenerator.head)
    text.line()
    text.block("import type {", "} from '../index.js';") { text in
      for name in [
        "AskingForCode", "AskingForPIN", "ByteStream", "CallOptions", "Flow", "JSONValue", "Stream", "UnknownWord",
      ] {
        text.line(name + ",")
      }
    }
    text.line("import { ModemdError } from '../index.js';")
    for interface in interfaces {
      text.line()
      namespace(interface)
    }
    text.line()
    everyInterface(interfaces)
    text.line()
    everyMethod(interfaces)
    return text.output
  }

  private mutating func namespace(_ interface: InterfaceSyntax) {
    text.documentation(interface.comment, otherwise: "The interface \(interface.name).")
    let homes = homes
    text.block("export namespace \(TypeScriptGenerator.namespace(of: interface.name)) {") { text in
      var writer = NamespaceWriter(interface: interface, homes: homes, text: text)
      writer.write()
      text = writer.text
    }
  }

  /// The properties of a connection.
  private mutating func everyInterface(_ interfaces: [InterfaceSyntax]) {
    text.documentation([], otherwise: "The interfaces, as properties of a connection.")
    text.block("export interface Interfaces {") { text in
      for interface in interfaces {
        let name = TypeScriptGenerator.namespace(of: interface.name)
        text.documentation([], otherwise: interface.name)
        text.line("readonly \(TypeScriptGenerator.property(name)): \(name).Methods;")
      }
    }
  }

  /// The types of each method by its qualified name.
  private mutating func everyMethod(_ interfaces: [InterfaceSyntax]) {
    text.documentation([], otherwise: "What each method takes and answers, by its name on the wire.")
    text.block("export interface MethodTypes {") { text in
      for interface in interfaces {
        let namespace = TypeScriptGenerator.namespace(of: interface.name)
        for case .method(let name, _, _, _) in interface.members {
          text.block("'\(interface.name).\(name)': {", "};") { text in
            text.line("parameters: \(namespace).\(name)Parameters;")
            text.line("reply: \(namespace).\(name)Reply;")
          }
        }
      }
    }
  }
}

/// Writes the declarations of one interface.
private struct NamespaceWriter {
  let interface: InterfaceSyntax
  let homes: [TypeHome]
  let asked: Set<String>
  var text: TypeScriptText

  init(interface: InterfaceSyntax, homes: [TypeHome], text: TypeScriptText) {
    self.interface = interface
    self.homes = homes
    self.text = text
    asked = interface.typesOfParametersOnly
  }

  mutating func write() {
    for (index, member) in interface.members.enumerated() {
      if index > 0 { text.line() }
      self.member(member)
    }
    text.line()
    methods()
  }

  private mutating func member(_ member: InterfaceSyntax.Member) {
    switch member {
    case .type(let name, let comment, let type):
      text.documentation(comment, otherwise: "The type `\(name)`.")
      let isAsked = asked.contains(name)
      if let home = homes.home(of: name, in: interface) {
        text.line("type \(name) = \(TypeScriptGenerator.namespace(of: home.interface.name)).\(name);")
      } else if case .enum(let words) = type {
        text.union("type \(name) = ", alternatives(words, isOpen: !isAsked), ";")
      } else if case .struct(let fields) = type {
        structure("interface \(name) {", fields, isAsked: isAsked, isOutcome: name == "Outcome")
      }
    case .method(let name, _, let parameters, let reply):
      text.documentation([], otherwise: "What `\(name)` takes.")
      structure("interface \(name)Parameters {", parameters, isAsked: true)
      text.line()
      text.documentation([], otherwise: "What `\(name)` answers.")
      self.reply(name, reply)
    case .error(let name, let comment, let fields):
      text.documentation(comment, otherwise: "The error `\(name)`.")
      let writer = self
      text.block("class \(name) extends ModemdError {") { text in
        text.line("readonly code: '\(writer.interface.name).\(name)';")
        writer.inside(&text) { $0.structure("readonly parameters: {", fields, tail: "};", isAsked: false) }
      }
    }
  }

  /// Goes on writing into a text that is being written.
  private func inside(_ text: inout TypeScriptText, _ body: (inout NamespaceWriter) -> Void) {
    var writer = self
    writer.text = text
    body(&writer)
    text = writer.text
  }

  private mutating func structure(
    _ head: String, _ fields: [InterfaceSyntax.Field], tail: String = "}", isAsked: Bool, isOutcome: Bool = false
  ) {
    let writer = self
    text.block(head, tail) { text in
      writer.inside(&text) { writer in
        for field in fields { writer.field(field, isAsked: isAsked) }
        if isOutcome { writer.unwrap() }
      }
    }
  }

  private mutating func unwrap() {
    text.documentation([
      "This outcome if it is what the call hoped for; throws `OutcomeError` otherwise.",
      "A word that this version does not know counts as otherwise.",
    ])
    text.line("unwrap(): Outcome;")
  }

  private mutating func field(_ field: InterfaceSyntax.Field, isAsked: Bool, isSet: Bool = false) {
    text.documentation(field.comment)
    var type = field.type
    if isSet, case .nullable(let inner) = type { type = inner }
    var name = field.name
    if isAsked, case .nullable = type { name += "?" }
    text.union("\(name): ", alternatives(type, isOpen: !isAsked), ";")
  }

  // MARK: Replies

  /// One member of the union for each word, and one for words of later versions.
  private mutating func reply(_ name: String, _ fields: [InterfaceSyntax.Field]) {
    guard let event = TypeScriptEvent(fields, in: interface), !event.carrying.isEmpty else {
      return structure("interface \(name)Reply {", fields, isAsked: false)
    }
    let writer = self
    text.block("interface \(name)ReplyFields {") { text in
      writer.inside(&text) { writer in
        for field in fields where field.name != event.field { writer.field(field, isAsked: false) }
      }
    }
    text.line()
    text.documentation([], otherwise: "What `\(name)` answers, by `\(event.field)`.")
    let plain = event.words.filter { !event.carrying.contains($0) }.map { "'\($0)'" }
    var members = ["(\(name)ReplyFields & { \(event.field): \((plain + ["UnknownWord"]).joined(separator: " | ")) })"]
    for word in event.carrying {
      guard let field = fields.first(where: { $0.name == word }), case .nullable(let inner) = field.type else {
        continue
      }
      let type = alternatives(inner, isOpen: true).joined(separator: " | ")
      members.append("(\(name)ReplyFields & { \(event.field): '\(word)'; \(word): \(type) })")
    }
    text.union("type \(name)Reply = ", members, ";")
  }

  // MARK: Methods

  private mutating func methods() {
    text.documentation([], otherwise: "The methods of \(interface.name).")
    let writer = self
    text.block("interface Methods {") { text in
      writer.inside(&text) { writer in
        for case .method(let name, let comment, let parameters, let reply) in writer.interface.members {
          writer.text.documentation(comment, otherwise: "The method `\(name)`.")
          writer.method(name, comment, parameters, reply)
        }
      }
    }
  }

  private mutating func method(
    _ name: String, _ comment: [String], _ parameters: [InterfaceSyntax.Field], _ reply: [InterfaceSyntax.Field]
  ) {
    let isFree = parameters.allSatisfy { if case .nullable = $0.type { true } else { false } }
    let options = TypeScriptQuestion(reply, in: interface).map { "CallOptions & \($0.options)" } ?? "CallOptions"
    let answer =
      switch TypeScriptCallForm(comment: comment, reply: reply, in: interface) {
      case .call: "Promise<\(name)Reply>"
      case .stream: "Stream<\(name)Reply>"
      case .flow: "Flow<\(name)Reply>"
      case .descriptor: "Promise<never>"
      case .upgrade: "Promise<ByteStream<\(name)Reply>>"
      }
    text.block("\(TypeScriptGenerator.property(name))(", "): \(answer);") { text in
      text.line("parameters\(isFree ? "?" : ""): \(name)Parameters,")
      text.line("options?: \(options),")
    }
  }

  // MARK: Types

  private func alternatives(_ words: [String], isOpen: Bool) -> [String] {
    words.map { "'\($0)'" } + (isOpen ? ["(string & {})"] : [])
  }

  private func alternatives(_ type: TypeSyntax, isOpen: Bool) -> [String] {
    switch type {
    case .bool: ["boolean"]
    case .int, .float: ["number"]
    case .string: ["string"]
    case .object: ["JSONValue"]
    case .named(let name): [name]
    case .enum(let words): alternatives(words, isOpen: isOpen)
    case .struct(let fields):
      ["{ " + fields.map { "\($0.name): \(joined($0.type, isOpen))" }.joined(separator: "; ") + " }"]
    case .array(let inner): ["Array<\(joined(inner, isOpen))>"]
    case .map(let inner): ["{ [key: string]: \(joined(inner, isOpen)) }"]
    case .nullable(let inner): alternatives(inner, isOpen: isOpen) + ["null"]
    }
  }

  private func joined(_ type: TypeSyntax, _ isOpen: Bool) -> String {
    alternatives(type, isOpen: isOpen).joined(separator: " | ")
  }
}
