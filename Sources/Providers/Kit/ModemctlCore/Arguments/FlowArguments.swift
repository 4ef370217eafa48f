import ArgumentParser

/// The number that a verb asks about.
package struct NumberArgument: ParsableArguments {
  @Argument(help: "In international form, as in +447700900123.")
  package var number: String

  package init() {}
}

/// Several words in one argument.
package enum ArgumentWords {
  /// Words separated by commas or blanks; nil if the argument was not given.
  package static func list(_ text: String?) -> [String]? {
    text.map { $0.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init) }
  }
}
