/// Reads a Varlink interface description.
public struct InterfaceParser {
  private var scanner: InterfaceScanner
  private var token: InterfaceScanner.Token = .end
  private var comment: [String] = []
  private var depth = 0
  /// The line of the last word.
  private var wordLine = 1
  /// Names in places of types, with their lines.
  private var references: [(name: String, line: Int)] = []

  /// How deeply types may be nested.
  static let deepest = 32

  /// Parses `text`.
  ///
  /// - Throws: `InterfaceSyntaxError` with the line and what was expected.
  public static func parse(_ text: String) throws(InterfaceSyntaxError) -> InterfaceSyntax {
    var parser = InterfaceParser(scanner: InterfaceScanner(text))
    try parser.advance()
    return try parser.interface()
  }

  private init(scanner: InterfaceScanner) { self.scanner = scanner }

  private mutating func advance() throws(InterfaceSyntaxError) {
    (token, comment) = try scanner.next()
  }

  private func expected(_ what: String) -> InterfaceSyntaxError {
    let found =
      switch token {
      case .word(let word): "“\(word)”"
      case .mark(let mark): "“\(mark)”"
      case .end: "the end"
      }
    return InterfaceSyntaxError(line: scanner.tokenLine, message: "expected \(what), found \(found)")
  }

  private mutating func word(_ what: String) throws(InterfaceSyntaxError) -> String {
    guard case .word(let word) = token else { throw expected(what) }
    wordLine = scanner.tokenLine
    try advance()
    return word
  }

  private mutating func mark(_ mark: String) throws(InterfaceSyntaxError) {
    guard token == .mark(mark) else { throw expected("“\(mark)”") }
    try advance()
  }

  private mutating func accept(_ mark: String) throws(InterfaceSyntaxError) -> Bool {
    guard token == .mark(mark) else { return false }
    try advance()
    return true
  }

  private mutating func interface() throws(InterfaceSyntaxError) -> InterfaceSyntax {
    let above = comment
    guard token == .word("interface") else { throw expected("“interface”") }
    try advance()
    let name = try word("an interface name")
    guard Self.isInterfaceName(name) else {
      throw InterfaceSyntaxError(line: wordLine, message: "“\(name)” is not a reverse-domain interface name")
    }
    var members: [InterfaceSyntax.Member] = []
    while token != .end {
      let line = scanner.tokenLine
      let member = try member()
      guard !members.contains(where: { $0.name == member.name }) else {
        throw InterfaceSyntaxError(line: line, message: "“\(member.name)” is declared twice")
      }
      members.append(member)
    }
    for reference in references where !members.contains(where: { $0.declaresType(reference.name) }) {
      throw InterfaceSyntaxError(line: reference.line, message: "the type “\(reference.name)” is not declared")
    }
    return InterfaceSyntax(name: name, comment: above, members: members)
  }

  private mutating func member() throws(InterfaceSyntaxError) -> InterfaceSyntax.Member {
    let above = comment
    switch token {
    case .word("type"):
      try advance()
      let name = try memberName()
      return .type(name: name, comment: above, try structOrEnum())
    case .word("method"):
      try advance()
      let name = try memberName()
      let parameters = try fields()
      try mark("->")
      return .method(name: name, comment: above, parameters: parameters, reply: try fields())
    case .word("error"):
      try advance()
      let name = try memberName()
      return .error(name: name, comment: above, fields: try fields())
    default:
      throw expected("“type”, “method” or “error”")
    }
  }

  private mutating func memberName() throws(InterfaceSyntaxError) -> String {
    let name = try word("a name")
    guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first),
      !name.contains("."), !name.contains("-"), !name.contains("_")
    else {
      throw InterfaceSyntaxError(
        line: wordLine, message: "“\(name)” must begin with a capital and have letters and digits only")
    }
    return name
  }

  /// A letter, then letters and digits with single underscores between them.
  private mutating func fieldName() throws(InterfaceSyntaxError) -> String {
    let name = try word("a field name")
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { Self.isLetter($0) || Self.isDigit($0) } }),
      name.utf8.first.map(Self.isLetter) == true
    else {
      throw InterfaceSyntaxError(
        line: wordLine, message: "“\(name)” must begin with a letter and have letters, digits and inner “_” only")
    }
    return name
  }

  private mutating func fields() throws(InterfaceSyntaxError) -> [InterfaceSyntax.Field] {
    guard case .struct(let fields) = try structOrEnum(structOnly: true) else { throw expected("fields") }
    return fields
  }

  /// `(a: int, b: ?string)`, or `(one, two)` where an enum may stand.
  private mutating func structOrEnum(structOnly: Bool = false) throws(InterfaceSyntaxError) -> TypeSyntax {
    try mark("(")
    if try accept(")") { return .struct([]) }
    var fields: [InterfaceSyntax.Field] = []
    var names: [String] = []
    repeat {
      let above = comment
      let name = try fieldName()
      if fields.contains(where: { $0.name == name }) || names.contains(name) {
        throw InterfaceSyntaxError(line: wordLine, message: "“\(name)” stands twice")
      }
      if token == .mark(":") {
        guard names.isEmpty else { throw expected("“,” or “)”, as in an enum") }
        try advance()
        fields.append(InterfaceSyntax.Field(name: name, comment: above, type: try type()))
      } else {
        guard fields.isEmpty, !structOnly else { throw expected("“:” and a type") }
        names.append(name)
      }
    } while try accept(",")
    try mark(")")
    return names.isEmpty ? .struct(fields) : .enum(names)
  }

  private mutating func type() throws(InterfaceSyntaxError) -> TypeSyntax {
    guard depth < Self.deepest else {
      throw InterfaceSyntaxError(line: scanner.tokenLine, message: "types stand more than \(Self.deepest) deep")
    }
    depth += 1
    let type = try typeInside()
    depth -= 1
    return type
  }

  private mutating func typeInside() throws(InterfaceSyntaxError) -> TypeSyntax {
    if try accept("?") {
      let inner = try type()
      if case .nullable = inner { throw expected("one “?” only") }
      return .nullable(inner)
    }
    if try accept("[") {
      if try accept("]") { return .array(try type()) }
      guard token == .word("string") else { throw expected("“]” or “string]”") }
      try advance()
      try mark("]")
      return .map(try type())
    }
    if token == .mark("(") { return try structOrEnum() }
    let name = try word("a type")
    switch name {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    default:
      guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
        throw InterfaceSyntaxError(
          line: wordLine,
          message: "“\(name)” is no type; expected bool, int, float, string, object or a declared name")
      }
      references.append((name, wordLine))
      return .named(name)
    }
  }

  /// At least two parts joined by dots, letters, digits and inner dashes, the first beginning with
  /// a letter.
  static func isInterfaceName(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return false }
    guard let first = parts[0].utf8.first, isLetter(first) else { return false }
    return parts.allSatisfy { part in
      part.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") } && !part.isEmpty
        && part.first != "-" && part.last != "-"
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
