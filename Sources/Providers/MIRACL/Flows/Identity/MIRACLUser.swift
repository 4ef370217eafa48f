import AuthCore
import ModemModel

/// A user's name in a project, usually a mail address.
package struct MIRACLUser: PersonalData {
  package let revealed: String

  /// A name from the platform or from this machine's own store.
  init(_ text: String) { revealed = text }

  /// A name that a user typed: 1 to 255 bytes without control characters; surrounding blanks are
  /// dropped.
  ///
  /// - Parameter argument: its name, for the error.
  /// - Throws: `AuthError` `invalidArgument`.
  package init(text: String, _ argument: String = "user") throws(AuthError) {
    let trimmed = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    guard (1...255).contains(trimmed.utf8.count),
      trimmed.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\u{7f}" })
    else { throw .invalid(argument, "the user's name at the project, as a mail address, of at most 255 bytes") }
    revealed = trimmed
  }
}
