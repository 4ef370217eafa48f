/// A command line of nothing but plain options, which is nearly every one that a unit or a script
/// has: `--flag`, `--name value`, `--name=value`, and values without a name.
///
/// It is the short way around ArgumentParser, which takes tens of millions of instructions to learn
/// what a program accepts. It never decides against a command line: what it does not understand is
/// for ArgumentParser, help and errors with it.
package struct PlainArguments: Sendable {
  private let flags: [String]
  private let values: [(name: String, value: String)]
  /// The values without a name.
  package let positional: [String]

  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - flags: the options without a value, with their `--`.
  ///   - values: the options with a value, with their `--`.
  ///   - positional: how many values without a name there may be.
  /// - Returns: nil if there is anything else, or anything twice.
  package init?(_ arguments: ArraySlice<String>, flags: [String], values: [String], positional: Int = 0) {
    var (given, pairs): ([String], [(name: String, value: String)]) = ([], [])
    var others: [String] = []
    var rest = arguments
    while let argument = rest.popFirst() {
      if flags.contains(argument) {
        guard !given.contains(argument) else { return nil }
        given.append(argument)
        continue
      }
      guard Self.isOption(argument) else {
        guard !argument.isEmpty, others.count < positional else { return nil }
        others.append(argument)
        continue
      }
      let (name, value) = Self.split(argument) ?? (argument, rest.popFirst() ?? "")
      guard values.contains(name), !pairs.contains(where: { $0.name == name }), !value.isEmpty, !Self.isOption(value)
      else { return nil }
      pairs.append((name, value))
    }
    (self.flags, self.values, self.positional) = (given, pairs, others)
  }

  package func contains(_ flag: String) -> Bool { flags.contains(flag) }

  package subscript(name: String) -> String? { values.first { $0.name == name }?.value }

  private static func isOption(_ argument: String) -> Bool { argument.utf8.first == UInt8(ascii: "-") }

  private static func split(_ argument: String) -> (String, String)? {
    guard let mark = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    return (String(argument[..<mark]), String(argument[argument.utf8.index(after: mark)...]))
  }
}
