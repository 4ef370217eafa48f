import AuthCore
import Glibc
import ModemModel
import SealedFiles
import TS43Flows

/// Stores the tokens of entitlement servers as sealed files of one folder, one each, which only the
/// owner of the process can read.
///
/// Whoever has a token logs in as the SIM, so that nothing is stored without a key. A file's name
/// is made with the key too, and tells nothing of the SIM. What is in a file is checked against
/// what was asked for: a token of one SIM, terminal, application or server is never used for
/// another. A file that does not open costs an answer of the SIM, and is replaced by the next
/// token.
package struct EntitlementTokenFiles: EntitlementTokenStore {
  /// More SIMs and servers than a machine has at a time. When it is reached, the oldest file goes.
  static let limit = 64
  private static let end = ".token"

  private let folder: SecretFolder
  private let key: SealingKey
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - path: of the folder, which is made when something is stored.
  ///   - key: encrypts the files, and makes their names.
  ///   - now: the time.
  package init(_ path: String, sealedWith key: SealingKey, now: @escaping @Sendable () -> Timestamp) {
    folder = SecretFolder(path: path)
    self.key = key
    self.now = now
  }

  package func token(for key: EntitlementTokenKey) async throws(AuthError) -> EntitlementToken? {
    let file = try name(of: key)
    return try await work { () throws(SecretFolder.Failure) in try read(file, for: key)?.token }
  }

  package func keep(_ token: EntitlementToken, for key: EntitlementTokenKey) async throws(AuthError) {
    let file = try name(of: key)
    let entry = TokenDocument(key: key, token: token, kept: now())
    try await work { () throws(SecretFolder.Failure) in
      try folder.make()
      try folder.change { () throws(SecretFolder.Failure) in
        try folder.makeRoom(ending: Self.end, most: Self.limit, keeping: file)
        guard let sealed = self.key.seal(entry.document, as: file) else {
          throw SecretFolder.Failure("\(folder.path)/\(file): libcrypto does not seal it", EIO)
        }
        try folder.replace(file, with: Array((sealed.text + "\n").utf8))
      }
    }
  }

  package func forget(_ token: Secret, for key: EntitlementTokenKey) async throws(AuthError) {
    let file = try name(of: key)
    try await work { () throws(SecretFolder.Failure) in
      guard try folder.read(file) != nil else { return }
      try folder.change { () throws(SecretFolder.Failure) in
        guard try read(file, for: key)?.token.token == token else { return }
        _ = try folder.remove(file)
      }
    }
  }

  /// Removes what nobody will use: tokens that have ended, those that were kept too long ago, such
  /// as those of a SIM that is gone, and what this key does not open.
  ///
  /// - Returns: how many there were.
  /// - Throws: `AuthError` `storeFailed`.
  @discardableResult
  package func removeStale() async throws(AuthError) -> Int {
    let now = now()
    return try await work { () throws(SecretFolder.Failure) in
      guard try !folder.names(ending: Self.end).isEmpty else { return 0 }
      return try folder.change { () throws(SecretFolder.Failure) in
        var count = 0
        for file in try folder.names(ending: Self.end) {
          if let entry = try? read(file), entry.isOfUse(at: now) { continue }
          if try folder.remove(file) { count += 1 }
        }
        return count
      }
    }
  }

  private func name(of key: EntitlementTokenKey) throws(AuthError) -> String {
    guard let name = self.key.name(of: key.parts) else {
      throw AuthError(.storeFailed, "libcrypto makes no name for a token's file; tokens are not kept")
    }
    return name + Self.end
  }

  /// What is kept for a key; nil where there is nothing, or something that is not for this key.
  private func read(_ file: String, for key: EntitlementTokenKey) throws(SecretFolder.Failure) -> TokenDocument? {
    guard let entry = try read(file), entry.key == key else { return nil }
    return entry
  }

  /// What a file holds; nil where there is no file, or it does not open.
  private func read(_ file: String) throws(SecretFolder.Failure) -> TokenDocument? {
    guard let content = try folder.read(file) else { return nil }
    return TokenDocument(sealed: content, in: file, key)
  }

  private func work<Value: Sendable>(
    _ body: @escaping @Sendable () throws(SecretFolder.Failure) -> Value
  ) async throws(AuthError) -> Value {
    do throws(SecretFolder.Failure) {
      return try await SecretFolder.work(body)
    } catch {
      throw AuthError(
        .storeFailed, "\(error.text): \(String(cString: strerror(error.errno))); tokens of logins are kept there")
    }
  }
}
