import ArgumentParser

/// The options of an authorization request.
struct IPificationRequestOptions: ParsableArguments {
  @Argument(help: "In international form, as in +447700900123; not needed for scopes that do not verify a number.")
  var number: String?

  @Option(help: ArgumentHelp("Scope words, separated by commas, instead of the configured ones.", valueName: "words"))
  var scope: String?

  @Option(help: "Compared with the answer's; random by default.")
  var state: String?

  @Option(help: "A value for the ID token to repeat.")
  var nonce: String?

  @Option(help: ArgumentHelp("Language tags, separated by commas.", valueName: "tags"))
  var locale: String?

  @Option(
    help: ArgumentHelp("ip, wa, viber, telegram, separated by commas, if messages may take over.", valueName: "words"))
  var channel: String?

  @Option(
    help: ArgumentHelp(
      "A file with a signed request (JWT) to pass on; it replaces scope, consent and number.",
      valueName: "file"))
  var request: String?

  var scopes: [String]? { Self.words(scope) }
  var locales: [String]? { Self.words(locale) }
  var channels: [String]? { Self.words(channel) }

  func requestObject() throws -> String? {
    try request.map { path in
      let text = String(decoding: try ArgumentFile.read(path, for: "the signed request"), as: UTF8.self)
      return String(text.filter { !$0.isWhitespace })
    }
  }

  private static func words(_ text: String?) -> [String]? {
    text.map { $0.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init) }
  }
}
