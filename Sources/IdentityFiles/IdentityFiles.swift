import AuthCore
import AuthFlows
import Crypto
import DetachedThread
import Glibc
import JSONTree

/// Identities of MIRACL's users as files of one folder, one each, for the owner of the process alone.
///
/// A file's name is made of the platform, the project and the user, so that it stays the same when its identity is replaced. A file that cannot
/// be read is named in the error and left as it is.
public struct IdentityFiles: MIRACLIdentityStore {
  private static let end = ".json"

  private let folder: SecretFolder

  /// - Parameter path: of the folder, which is made when something is to be kept.
  public init(_ path: String) { folder = SecretFolder(path: path) }

  public func prepare() async throws(AuthError) {
    try await work { () throws(SecretFolder.Failure) in
      try folder.make()
      // Whether files can be made in it is asked too.
      try folder.change { () throws(SecretFolder.Failure) in
        try folder.replace("probe", with: [])
        _ = try folder.remove("probe")
      }
    }
  }

  public func list() async throws(AuthError) -> MIRACLIdentities {
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

  public func find(_ name: MIRACLIdentity.Name) async throws(AuthError) -> MIRACLIdentity? {
    let found = try await work { () throws(SecretFolder.Failure) in read(Self.file(of: name)) }
    return try found?.get()
  }

  @discardableResult
  public func keep(_ identity: MIRACLIdentity, over old: MIRACLIdentity?) async throws(AuthError) -> Bool {
    try await work { () throws(SecretFolder.Failure) in
      try folder.make()
      let file = Self.file(of: identity.name)
      return try folder.change { () throws(SecretFolder.Failure) in
        if let old, read(file) != .success(old) { return false }
        try folder.replace(file, with: Array((identity.document.text + "\n").utf8))
        return true
      }
    }
  }

  public func forget(_ name: MIRACLIdentity.Name) async throws(AuthError) -> Bool {
    try await work { () throws(SecretFolder.Failure) in
      guard try !folder.names(ending: Self.end).isEmpty else { return false }
      return try folder.change { () throws(SecretFolder.Failure) in try folder.remove(Self.file(of: name)) }
    }
  }

  /// The name of an identity's file: the first half of a SHA-256, as the names themselves may hold anything.
  static func file(of name: MIRACLIdentity.Name) -> String {
    let text = [name.service, name.project, name.user.revealed].map { "\($0.utf8.count):\($0)" }.joined()
    let digest = SHA256.hash(data: Array(text.utf8)).prefix(16)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + end
  }

  /// What a file holds; nil where there is none.
  private func read(_ file: String) -> Result<MIRACLIdentity, AuthError>? {
    let content: [UInt8]
    do throws(SecretFolder.Failure) {
      guard let found = try folder.read(file) else { return nil }
      content = found
    } catch {
      return .failure(error.asError)
    }
    do throws(MIRACLIdentity.Damage) {
      guard let document = JSONValue(parsing: content) else {
        throw MIRACLIdentity.Damage("it is no JSON")
      }
      let identity = try MIRACLIdentity(document: document)
      guard Self.file(of: identity.name) == file else {
        throw MIRACLIdentity.Damage("it belongs to another user than its name says")
      }
      return .success(identity)
    } catch {
      return .failure(
        AuthError(
          .storeFailed,
          "\(folder.path)/\(file) is damaged, \(error.description); move it away, and register its user again"))
    }
  }

  /// Runs `body` on a thread of its own: a disk may take its time.
  private func work<Value: Sendable>(
    _ body: @escaping @Sendable () throws(SecretFolder.Failure) -> Value
  ) async throws(AuthError) -> Value {
    let result: Result<Value, SecretFolder.Failure> = await withCheckedContinuation { continuation in
      let isStarted = DetachedThread.start {
        do throws(SecretFolder.Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      if !isStarted { continuation.resume(returning: .failure(.init("no thread can be started", EAGAIN))) }
    }
    do throws(SecretFolder.Failure) {
      return try result.get()
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
