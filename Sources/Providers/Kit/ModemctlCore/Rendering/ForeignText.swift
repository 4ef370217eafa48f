/// Texts that modemd has of others.
package enum ForeignText {
  /// The text of a stranger: nothing in it may move the cursor, change colours or turn the direction of writing.
  package static func visible(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in String(text.map { $0 == "\r\n" ? "\n" : $0 }).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control where scalar != "\n", .surrogate, .lineSeparator, .paragraphSeparator: result.append("�")
      case .format where scalar != "\u{200d}": break
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
