import AuthCore
import AuthFlows
import Glibc
import JSONTree
import MIRACLFlows
import SealedFiles
import TokenSigning

/// Stores MIRACL users' identities as files of one folder, one each, which only the owner of the
/// process can read.
///
/// A file's name is made from the platform, the project and the user, so it stays the same when its
/// identity is replaced. An unreadable file is named in the error and not touched.
package struct IdentityFiles: MIRACLIdentityStore {
  private static let end = ".json"

  private let folder: SecretFolder
  private let key: SealingKey?

  /// - Parameters:
  ///   - path: of the folder, which is made when something is stored.
  ///   - key: encrypts the files; nil relies on file permissions alone.
  package init(_ path: String, sealedWith key: SealingKey? = nil) {
    folder = SecretFolder(path: path)
    self.key = key
  }

  package func prepare() async throws(AuthError) {
    try await work { () throws(SecretFolder.Failure) in
      try folder.make()
      // Also checks whether files can be made in it.
      try folder.change { () throws(SecretFolder.Failure) in
        try folder.replace("probe", with: [])
        _ = try folder.remove("probe")
      }
    }
  }

  package func list() async throws(AuthError) -> MIRACLIdentities {
    try await work { () throws(SecretFolder.Failure) in
      var all = MIRACLIdentities()
      for file in try folder.names(ending: Self.end) {
        switch read(file) {
        case .success(let identity)?: all.whole.append(identity)
        case .failure(let damage)?: all.damaged.append(damage.message)
        // It was forgotten meanwhile.
        case nil: break
        }
      }
      all.whole.sort { $0.name.user.revealed < $1.name.user.revealed }
      return all
    }
  }

  package func find(_ name: MIRACLIdentity.Name) async throws(AuthError) -> MIRACLIdentity? {
    let found = try await work { () throws(SecretFolder.Failure) in read(Self.file(of: name)) }
    return try found?.get()
  }

  @discardableResult
  package func keep(_ identity: MIRACLIdentity, over old: MIRACLIdentity?) async throws(AuthError) -> Bool {
    try await work { () throws(SecretFolder.Failure) in
      try folder.make()
      let file = Self.file(of: identity.name)
      return try folder.change { () throws(SecretFolder.Failure) in
        if let old, read(file) != .success(old) { return false }
        try write(identity, to: file)
        return true
      }
    }
  }

  package func forget(_ name: MIRACLIdentity.Name) async throws(AuthError) -> Bool {
    try await work { () throws(SecretFolder.Failure) in
      guard try !folder.names(ending: Self.end).isEmpty else { return false }
      return try folder.change { () throws(SecretFolder.Failure) in try folder.remove(Self.file(of: name)) }
    }
  }

  /// Encrypts the files that are not encrypted yet, such as those from before there was a key.
  ///
  /// - Returns: how many there were.
  /// - Throws: `AuthError` `storeFailed`.
  package func sealAll() async throws(AuthError) -> Int {
    guard key != nil else { return 0 }
    return try await work { () throws(SecretFolder.Failure) in
      guard try !folder.names(ending: Self.end).isEmpty else { return 0 }
      return try folder.change { () throws(SecretFolder.Failure) in
        var count = 0
        for file in try folder.names(ending: Self.end) {
          guard let document = try folder.read(file).flatMap({ JSONValue(parsing: $0) }),
            !SealingKey.isSealed(document), case .success(let identity)? = read(file)
          else { continue }
          try write(identity, to: file)
          count += 1
        }
        return count
      }
    }
  }

  /// The name of an identity's file: the first half of a SHA-256, because the names themselves may
  /// contain anything.
  static func file(of name: MIRACLIdentity.Name) -> String {
    let text = [name.service, name.project, name.user.revealed].map { "\($0.utf8.count):\($0)" }.joined()
    return Digest.hex(Array(Digest.sha256(text.utf8).prefix(16))) + end
  }

  /// A file's content; nil if there is no file.
  private func read(_ file: String) -> Result<MIRACLIdentity, AuthError>? {
    let content: [UInt8]
    do throws(SecretFolder.Failure) {
      guard let found = try folder.read(file) else { return nil }
      content = found
    } catch {
      return .failure(error.asError)
    }
    do throws(MIRACLIdentity.Damage) {
      let identity = try MIRACLIdentity(document: try opened(content, file))
      guard Self.file(of: identity.name) == file else {
        throw MIRACLIdentity.Damage("it belongs to another user than its name says")
      }
      return .success(identity)
    } catch {
      return .failure(
        AuthError(
          .storeFailed,
          "\(folder.path)/\(file) cannot be used, \(error.description); mend that, or move it away and register its user again"
        ))
    }
  }

  /// The document in a file's content, encrypted or not.
  private func opened(_ content: [UInt8], _ file: String) throws(MIRACLIdentity.Damage) -> JSONValue {
    guard let document = JSONValue(parsing: content) else { throw MIRACLIdentity.Damage("it is no JSON") }
    guard SealingKey.isSealed(document) else { return document }
    guard let key else {
      throw MIRACLIdentity.Damage("it is sealed and there is no credential \(SealingKey.credential)")
    }
    guard let plain = key.open(document, as: file) else {
      throw MIRACLIdentity.Damage("the credential \(SealingKey.credential) does not open it")
    }
    return plain
  }

  /// To be called within `change`.
  private func write(_ identity: MIRACLIdentity, to file: String) throws(SecretFolder.Failure) {
    let document = try sealed(identity.document, file)
    try folder.replace(file, with: Array((document.text + "\n").utf8))
  }

  /// A document as it is kept. With a key it is sealed, or not kept.
  private func sealed(_ document: JSONValue, _ file: String) throws(SecretFolder.Failure) -> JSONValue {
    guard let key else { return document }
    guard let sealed = key.seal(document, as: file) else {
      throw SecretFolder.Failure("\(folder.path)/\(file): libcrypto does not seal it", EIO)
    }
    return sealed
  }

  private func work<Value: Sendable>(
    _ body: @escaping @Sendable () throws(SecretFolder.Failure) -> Value
  ) async throws(AuthError) -> Value {
    do throws(SecretFolder.Failure) {
      return try await SecretFolder.work(body)
    } catch {
      throw error.asError
    }
  }
}

extension SecretFolder.Failure {
  fileprivate var asError: AuthError {
    AuthError(.storeFailed, "\(text): \(String(cString: strerror(errno))); identities are kept there")
  }
}
