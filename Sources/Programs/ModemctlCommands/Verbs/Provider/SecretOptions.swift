import ArgumentParser
import ModemctlCore

/// A provider's secrets on the command line: names, and files that hold them.
struct SecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A secret, such as client-secret, and the file that holds it. May be repeated.",
      valueName: "name=file"))
  var secret: [String] = []

  @Flag(help: "Keep secrets in /etc/credstore as they are, for root alone.")
  var unencrypted = false

  /// Reads the files.
  ///
  /// - Throws: `ModemctlError` for a word of another form, and a file that is empty or unreadable.
  func read() throws -> [(String, [UInt8])] {
    try secret.map { word in
      let (key, path) = try Self.parts(word, "--secret NAME=FILE")
      let bytes = try ArgumentFile.read(path, for: "the secret \(key)")
      guard !bytes.isEmpty else { throw ModemctlError(.usage, "the secret \(key) is empty") }
      return (key, bytes)
    }
  }

  /// The two sides of the first equals sign.
  ///
  /// - Parameter form: what was expected, for the error.
  static func parts(_ word: String, _ form: String) throws -> (String, String) {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
      throw ModemctlError(.usage, "expected \(form)")
    }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}
