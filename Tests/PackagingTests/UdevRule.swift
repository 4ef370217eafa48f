/// One line of a udev rules file, as far as modemd's own rules go (udev(7)).
struct UdevRule: Sendable {
  struct Token: Hashable, Sendable {
    let key: String
    let attribute: String?
    let operation: String
    let value: String
  }

  let tokens: [Token]

  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  static let matches: Set = [
    "ACTION", "SUBSYSTEM", "SUBSYSTEMS", "KERNEL", "KERNELS", "DRIVER", "DRIVERS", "ATTR", "ATTRS", "ENV", "TAG",
    "TAGS",
    "TEST", "DEVPATH",
  ]
  static let assignments: Set = ["ENV", "TAG", "GOTO", "LABEL", "OWNER", "GROUP", "MODE", "SYMLINK", "RUN", "OPTIONS"]
  static let operations = ["==", "!=", "+=", "-=", ":=", "="]

  /// Reads a whole file: comments and empty lines are passed over, a line that ends in `\` goes on
  /// in the next.
  static func parse(file: String) throws -> [UdevRule] {
    var rules: [UdevRule] = []
    var pending = ""
    for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
      if pending.isEmpty && (line.hasPrefix("#") || line.allSatisfy(\.isWhitespace)) { continue }
      pending += line.hasSuffix("\\") ? line.dropLast() : line
      if line.hasSuffix("\\") { continue }
      rules.append(UdevRule(tokens: try tokens(of: pending)))
      pending = ""
    }
    guard pending.isEmpty else { throw Malformed(description: "the last line goes on nowhere") }
    return rules
  }

  private static func tokens(of line: String) throws -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(line)
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      let key = rest.prefix { $0.isLetter || $0 == "_" }
      rest = rest.dropFirst(key.count)
      var attribute: String?
      if rest.first == "{" {
        guard let end = rest.firstIndex(of: "}") else { throw Malformed(description: "no } after \(key)") }
        attribute = String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
      }
      guard let operation = operations.first(where: { rest.hasPrefix($0) }) else {
        throw Malformed(description: "no operator after '\(key)' in: \(line)")
      }
      rest = rest.dropFirst(operation.count)
      guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else {
        throw Malformed(description: "the value of \(key) is not in quotes in: \(line)")
      }
      let value = String(rest[rest.index(after: rest.startIndex)..<end])
      let isMatch = operation == "==" || operation == "!="
      guard (isMatch ? matches : assignments).contains(String(key)) else {
        throw Malformed(description: "\(key)\(operation) is not a thing udev does")
      }
      tokens.append(Token(key: String(key), attribute: attribute, operation: operation, value: value))
      rest = rest[rest.index(after: end)...]
      guard !rest.isEmpty else { return tokens }
      guard rest.first == "," else { throw Malformed(description: "no comma after the value of \(key) in: \(line)") }
      rest = rest.dropFirst()
    }
  }
}

/// A device event, and what the rules make of it.
struct UdevEvent: Sendable {
  var action = "add"
  var subsystem: String
  var kernel: String
  /// The subsystem and driver of each parent, nearest first.
  var parents: [(subsystem: String, driver: String)] = []
  var attributes: [String: String] = [:]
  var environment: [String: String] = [:]
  private(set) var tags: Set<String> = []

  init(
    _ subsystem: String, _ kernel: String, action: String = "add", parents: [(subsystem: String, driver: String)] = [],
    attributes: [String: String] = [:], environment: [String: String] = [:]
  ) {
    self.subsystem = subsystem
    self.kernel = kernel
    self.action = action
    self.parents = parents
    self.attributes = attributes
    self.environment = environment
  }

  /// Runs the rules from first to last, none of which starts a program.
  mutating func apply(_ rules: [UdevRule]) {
    var label: String?
    for rule in rules {
      if let wanted = label {
        guard rule.tokens.contains(where: { $0.key == "LABEL" && $0.value == wanted }) else { continue }
        label = nil
      }
      guard matches(rule.tokens) else { continue }
      for token in rule.tokens where !["==", "!="].contains(token.operation) {
        switch token.key {
        case "ENV": environment[token.attribute ?? ""] = substituted(token.value)
        case "TAG": tags.insert(token.value)
        case "GOTO": label = token.value
        default: break
        }
      }
    }
  }

  /// The kernel's name of the device, and the number at its end.
  private func substituted(_ value: String) -> String {
    let digits = kernel.reversed().prefix { $0.isNumber }.reversed()
    return value.replacing("%k", with: kernel).replacing("%n", with: String(digits))
  }

  private func matches(_ tokens: [UdevRule.Token]) -> Bool {
    let conditions = tokens.filter { ["==", "!="].contains($0.operation) }
    // All matches of parents in one rule must hold for the same parent.
    let (upward, own) = (conditions.filter(isUpward), conditions.filter { !isUpward($0) })
    let ownHolds = own.allSatisfy { token in
      let value: String? =
        switch token.key {
        case "ACTION": action
        case "SUBSYSTEM": subsystem
        case "KERNEL": kernel
        case "ATTR": attributes[token.attribute ?? ""]
        case "ENV": environment[token.attribute ?? ""] ?? ""
        default: nil
        }
      guard let value else { return false }
      return holds(token, value)
    }
    guard ownHolds else { return false }
    return upward.isEmpty
      || parents.contains { parent in
        upward.allSatisfy { holds($0, $0.key == "DRIVERS" ? parent.driver : parent.subsystem) }
      }
  }

  private func isUpward(_ token: UdevRule.Token) -> Bool { ["SUBSYSTEMS", "DRIVERS"].contains(token.key) }

  private func holds(_ token: UdevRule.Token, _ value: String) -> Bool {
    let found = token.value.split(separator: "|").contains { Glob.matches(Array($0), Array(value)) }
    return found == (token.operation == "==")
  }
}

/// Shell patterns with `*`, `?` and `[a-z]`.
enum Glob {
  static func matches(_ pattern: [Character], _ text: [Character]) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = Array(pattern.dropFirst())
    if first == "*" { return (0...text.count).contains { matches(rest, Array(text.dropFirst($0))) } }
    guard let character = text.first else { return false }
    let tail = Array(text.dropFirst())
    if first == "?" { return matches(rest, tail) }
    guard first == "[", let end = rest.firstIndex(of: "]") else { return first == character && matches(rest, tail) }
    let set = rest[..<end]
    let isInside =
      set.count == 3 && set[1] == "-" ? (set[0]...set[2]).contains(character) : set.contains(character)
    return isInside && matches(Array(rest[(end + 1)...]), tail)
  }
}
