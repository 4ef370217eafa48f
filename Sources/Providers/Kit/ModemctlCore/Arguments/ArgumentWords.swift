/// Several words in one argument.
package enum ArgumentWords {
  /// Words between commas or blanks; nil where the argument was not given.
  package static func list(_ text: String?) -> [String]? {
    text.map { $0.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init) }
  }
}
