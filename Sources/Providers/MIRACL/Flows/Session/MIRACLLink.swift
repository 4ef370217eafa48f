import AuthCore
import JSONTree
import RedirectChain
import Web

/// The content of a website's QR code, app link or push message: its origin and its session.
package struct MIRACLLink: Hashable, Sendable {
  /// The link's page, without its fragment.
  package let landing: WebURL
  /// The access id: the fragment.
  package let session: Secret
  /// The user that the website expects, if it names one.
  package let user: MIRACLUser?

  /// Reads a link, as in `https://mcl.mpin.io/mobile-login/#ACCESSID`, or the object of a push
  /// message with `projectID`, `userID` and `qrURL`.
  ///
  /// - Throws: `AuthError` `invalidArgument` for anything else, a host that is not trusted, or
  ///   another project. It contains nothing of the text.
  package init(_ text: String, _ settings: MIRACLSettings) throws(AuthError) {
    let text = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    if text.hasPrefix("{") {
      try self.init(push: text, settings)
    } else {
      try self.init(url: text, user: nil, settings)
    }
  }

  private init(push text: String, _ settings: MIRACLSettings) throws(AuthError) {
    guard let message = JSONValue(parsing: text.utf8), let project = message["projectID"]?.string,
      let user = message["userID"]?.string, let url = message["qrURL"]?.string
    else { throw .invalid("link", "a link, or an object with projectID, userID and qrURL") }
    guard project == settings.project else { throw .invalid("link", "of the configured project") }
    try self.init(url: url, user: try MIRACLUser(text: user, "link"), settings)
  }

  private init(url text: String, user: MIRACLUser?, _ settings: MIRACLSettings) throws(AuthError) {
    let halves = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { throw Self.none }
    let fragment = halves[1]
    guard (1...512).contains(fragment.utf8.count), fragment.utf8.allSatisfy(Self.isOfSession) else {
      throw .invalid("link", "a link whose part behind # is a session: letters, digits, dashes, dots and underscores")
    }
    do throws(AnsweredURL.Fault) {
      landing = try AnsweredURL(String(halves[0]), within: settings.trusted).url
    } catch {
      switch error {
      case .malformed: throw Self.none
      case .inClear: throw .invalid("link", "an https URL")
      case .notPublic(let host), .stranger(let host):
        throw .invalid(
          "link", "of a trusted host; if \(host) is the project's, add it to trustedDomains of the provider's file")
      }
    }
    session = Secret(String(fragment))
    self.user = user
  }

  private static var none: AuthError {
    .invalid("link", "the text of a website's QR code: an https URL with the session behind a #")
  }

  private static func isOfSession(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: true
    default: false
    }
  }
}
