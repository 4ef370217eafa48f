import ArgumentParser
import ModemctlCore

/// What an authorization request may carry.
struct IPificationRequestOptions: ParsableArguments {
  @Argument(help: "In international form, as in +447700900123; not needed for scopes that verify none.")
  var number: String?

  @Option(help: ArgumentHelp("Words between commas in place of the configured scope.", valueName: "words"))
  var scope: String?

  @Option(help: "Compared with the answer's; a random one is made where none is given.")
  var state: String?

  @Option(help: "For the ID token to repeat.")
  var nonce: String?

  @Option(help: ArgumentHelp("Language tags between commas.", valueName: "tags"))
  var locale: String?

  @Option(
    help: ArgumentHelp("ip, wa, viber, telegram, between commas, where messages may take over.", valueName: "words"))
  var channel: String?

  @Option(
    help: ArgumentHelp(
      "A file with a signed request (JWT) that is passed on; it stands in place of scope, consent and number.",
      valueName: "file"))
  var request: String?

  var scopes: [String]? { ArgumentWords.list(scope) }
  var locales: [String]? { ArgumentWords.list(locale) }
  var channels: [String]? { ArgumentWords.list(channel) }

  func requestObject() throws -> String? {
    try request.map { try ArgumentFile.word($0, for: "the signed request") }
  }
}
