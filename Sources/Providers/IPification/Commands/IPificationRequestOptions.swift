import ArgumentParser
import ModemctlCore

/// What an authorization request may carry.
struct IPificationRequestOptions: ParsableArguments {
  @Argument(help: "In international form, as in +447700900123; not needed if the scope verifies no number.")
  var number: String?

  @Option(
    help: ArgumentHelp(
      "The words of the scope, separated by commas, instead of the configured scope.", valueName: "words"))
  var scope: String?

  @Option(help: "The state that the answer must carry (default: a random one).")
  var state: String?

  @Option(help: "The nonce that the ID token must repeat.")
  var nonce: String?

  @Option(help: ArgumentHelp("Language tags, separated by commas.", valueName: "tags"))
  var locale: String?

  @Option(
    help: ArgumentHelp(
      "The channels that may be used, separated by commas: ip, wa, viber, telegram.", valueName: "words"))
  var channel: String?

  @Option(
    help: ArgumentHelp(
      "A file with a signed request (JWT) to send; it replaces scope, consent and number.",
      valueName: "file"))
  var request: String?

  var scopes: [String]? { ArgumentWords.list(scope) }
  var locales: [String]? { ArgumentWords.list(locale) }
  var channels: [String]? { ArgumentWords.list(channel) }

  func requestObject() throws -> String? {
    try request.map { try ArgumentFile.word($0, for: "the signed request") }
  }
}
