import Glibc
import JSONTree
import ModemctlCore

/// The file of `sign-in --session`: what the message that was sent belongs to, and the number that
/// it was sent to.
enum SavedSession {
  private struct Document: Codable {
    var number: String
    var verificationID: String
  }

  /// What to go on with; nil if there is no file, so that the sign-in begins.
  ///
  /// - Throws: `ModemctlError` for a file of something else, or of another number.
  static func read(_ path: String, of number: String) throws -> String? {
    guard access(path, F_OK) == 0 else { return nil }
    let saved = JSONValue(parsing: try ArgumentFile.read(path, for: "the session's file"))
    guard let id = saved?["verificationID"]?.string, let other = saved?["number"]?.string else {
      throw ModemctlError(
        .usage, "\(path) holds no session of a sign-in; name another file, or delete it to begin again")
    }
    guard other == number else {
      throw ModemctlError(
        .usage, "\(path) holds the session of another number, or of the same in another form; name another file")
    }
    return id
  }

  /// Keeps the session that a reply names; without one, the file stays as it is.
  static func keep(_ id: String?, of number: String, in path: String?) throws {
    guard let id, let path else { return }
    try ArgumentFile.write(JSONText.line(Document(number: number, verificationID: id)), to: path)
  }

  static func remove(_ path: String?) {
    if let path { unlink(path) }
  }
}
