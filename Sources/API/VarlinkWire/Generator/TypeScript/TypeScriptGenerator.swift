/// Writes the types and the tables of the JavaScript client from the `.varlink` files, so that they
/// remain the only source.
///
/// A type that several interfaces declare alike is one type. An enum of replies and errors is open
/// to words of later versions. A reply that says what happened is a union by that word.
public enum TypeScriptGenerator {
  /// A file to write.
  public struct File: Hashable, Sendable {
    public var path: String
    public var text: String
  }

  /// The files for interfaces: declarations, and the tables that replies are read by.
  ///
  /// - Parameter descriptions: the interfaces' texts. The first that declares a type is its home.
  /// - Throws: `InterfaceSyntaxError`.
  public static func files(of descriptions: [String]) throws -> [File] {
    let interfaces = try descriptions.map { try InterfaceParser.parse($0) }
    let homes = interfaces.map { TypeHome($0) }
    var declarations = TypeScriptDeclarations(homes: homes)
    var (tables, errors) = (TypeScriptTables(homes: homes), TypeScriptTables(homes: homes))
    return [
      File(path: "interfaces.d.ts", text: declarations.text(of: interfaces)),
      File(path: "interfaces.js", text: errors.errors(of: interfaces)),
      File(path: "tables.js", text: tables.tables(of: interfaces)),
    ]
  }

  static let head = "// Written by varlink-generate from the .varlink files: change those, then `make generate`."

  /// The last part of an interface's name: org.modemd.Modem becomes Modem.
  static func namespace(of interface: String) -> String { String(interface.split(separator: ".").last ?? "") }

  /// A name as JavaScript writes those of methods and properties: SIMCheck becomes simCheck, and
  /// MIRACL miracl.
  static func property(_ name: String) -> String {
    // A word that begins with two capitals of its own.
    if name == "IPification" { return name.lowercased() }
    let capitals = name.prefix { $0.isUppercase }
    if capitals.count == name.count { return name.lowercased() }
    let lowered = capitals.count > 1 ? capitals.dropLast() : capitals
    return lowered.lowercased() + name.dropFirst(lowered.count)
  }
}

/// How a method is called.
enum TypeScriptCallForm: String {
  /// One reply.
  case call
  /// Replies until either side ends it.
  case stream
  /// Replies until the outcome.
  case flow
  /// One reply with a descriptor, which Node cannot receive.
  case descriptor
  /// One reply, and a stream on its connection.
  case upgrade

  init(comment: [String], reply: [InterfaceSyntax.Field], in interface: InterfaceSyntax) {
    switch Carriage(comment: comment, reply: reply) {
    case .none: break
    case .descriptor:
      self = .descriptor
      return
    case .stream:
      self = .upgrade
      return
    }
    guard let event = TypeScriptEvent(reply, in: interface) else {
      self = .call
      return
    }
    self = event.words.contains("outcome") ? .flow : .stream
  }
}

/// The field of a reply that says what happened.
struct TypeScriptEvent {
  let field: String
  let words: [String]
  /// The words whose field of the same name is set with them.
  let carrying: [String]

  /// Nil for a reply that is no event: its first field is not an enum that has `ready`.
  init?(_ reply: [InterfaceSyntax.Field], in interface: InterfaceSyntax) {
    guard let first = reply.first, let words = interface.words(of: first.type), words.contains("ready") else {
      return nil
    }
    field = first.name
    self.words = words
    carrying = words.filter { word in
      reply.contains { field in
        guard case .nullable = field.type else { return false }
        return field.name == word
      }
    }
  }
}

extension InterfaceSyntax {
  /// The words of an enum, declared or anonymous; nil for another type.
  func words(of type: TypeSyntax) -> [String]? {
    switch type {
    case .enum(let words): words
    case .named(let name): self.type(named: name).flatMap { words(of: $0) }
    default: nil
    }
  }
}
