/// A provider's file that cannot be used, so that its provider is disabled.
package struct ProviderFault: Hashable, Sendable, CustomStringConvertible {
  /// The file's name without `.json`.
  package let name: String
  /// The file's path.
  package let file: String
  /// The line, from 1; nil if it is about no line of the file.
  package let line: Int?
  /// One sentence: what is wrong, and what to do. It holds no value of the file.
  package let text: String

  package init(name: String, file: String, line: Int?, text: String) {
    self.name = name
    self.file = file
    self.line = line
    self.text = text
  }

  package var description: String { (line.map { "\(file):\($0)" } ?? file) + ": " + text }
}
