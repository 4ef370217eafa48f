/// How the names of an interface are written in Python.
enum PythonNames {
  /// Brands, whose letters do not show where their words end.
  private static let brands = ["TruID": "truid", "IPification": "ipification"]
  private static let keywords: Set<String> = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
    "return", "try", "while", "with", "yield",
  ]

  /// A field, a parameter, a method or a module: lastSIMChange becomes last_sim_change.
  static func variable(_ name: String) -> String {
    let text = brands[name] ?? words(name)
    return keywords.contains(text) ? text + "_" : text
  }

  /// A field of an error: one that every error has by itself gets an underscore.
  static func errorProperty(_ name: String) -> String {
    let text = variable(name)
    return ["args", "field", "name", "named", "parameters", "texts"].contains(text) ? text + "_" : text
  }

  /// A constant: simSwapped becomes SIM_SWAPPED.
  static func constant(_ name: String) -> String { words(name).uppercased() }

  /// The wire's name that Python makes of a variable by itself: milliseconds_left becomes
  /// millisecondsLeft.
  static func wireName(ofVariable name: String) -> String {
    let parts = name.split(separator: "_")
    return parts.prefix(1).joined() + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The name of a type that has none, made of those around it.
  static func nestedType(_ field: String, of type: String) -> String {
    type + field.prefix(1).uppercased() + field.dropFirst()
  }

  /// The last part of an interface's name.
  static func lastPart(_ interface: String) -> String { String(interface.split(separator: ".").last ?? "") }

  private static func words(_ name: String) -> String {
    let letters = Array(name)
    var text = ""
    for (index, letter) in letters.enumerated() {
      if index > 0, letter.isUppercase {
        let afterWord = !letters[index - 1].isUppercase && letters[index - 1] != "_"
        let beforeWord = index + 1 < letters.count && letters[index + 1].isLowercase && letters[index - 1].isUppercase
        if afterWord || beforeWord { text += "_" }
      }
      text += letter.lowercased()
    }
    return text
  }
}
