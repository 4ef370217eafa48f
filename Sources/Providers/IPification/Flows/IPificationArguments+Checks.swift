import AuthCore
import RedirectChain

/// The allowed settings and arguments.
extension IPificationArguments {
  private static let word = "1 to 256 printable characters without blanks"
  private static let channels = ["ip", "telegram", "viber", "wa"]

  static func require(_ isGood: Bool, _ argument: String, _ expected: String) throws(AuthError) {
    guard isGood else { throw .invalid(argument, expected) }
  }

  static func check(word text: String?, _ argument: String) throws(AuthError) {
    if let text { try require(isWord(text), argument, word) }
  }

  static func check(scope: [String]) throws(AuthError) {
    try require(scope.contains("openid") && scope.allSatisfy(isWord), "scope", "words, openid among them")
  }

  static func check(locales: [String], channels: [String]) throws(AuthError) {
    try require(locales.allSatisfy(isLocale), "ui locales", "language tags as in en or pt-BR")
    try require(channels.allSatisfy(Self.channels.contains), "channel", Self.channels.joined(separator: ", "))
  }

  static func check(completionOf settings: IPificationSettings) throws(AuthError) {
    guard settings.completion == .redirectURI else { return }
    try require(settings.redirectURI.hasPrefix("https://"), "redirect URI", "https where the backend is behind it")
  }

  static func redirectURI(_ text: String) throws(AuthError) -> RedirectURI {
    let scheme = text.prefix { $0 != ":" }
    let isPlain =
      scheme == scheme.lowercased() && scheme != "http" && text.dropFirst(scheme.count).hasPrefix(":")
      && !text.contains("#") && !text.contains("?")
    guard isPlain, isWord(text), let uri = try? RedirectURI(text) else {
      throw .invalid(
        "redirect URI", "scheme://path of a scheme of its own in lower case, or https, without query and fragment")
    }
    return uri
  }

  private static func isWord(_ text: String) -> Bool {
    (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// RFC 5646, as far as any other text could harm a server.
  private static func isLocale(_ text: String) -> Bool {
    (2...35).contains(text.utf8.count) && text.isName(and: "-")
  }
}
