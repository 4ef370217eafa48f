import IdentityFiles
import Logging
import SystemdSupport

/// What this program has for providers that keep something.
struct ProviderMeans: Sendable {
  /// Where what outlives a restart is kept.
  let stateFolder: String
  let credentials: CredentialsDirectory?
  let logger: Logger

  /// MIRACL's identities, sealed where there is a credential for that.
  ///
  /// - Throws: `SystemdError` for a credential that cannot be read, and for one that is no key.
  func identities() async throws -> IdentityFiles {
    let key = try credentials?.read(SealingKey.credential).map { try SealingKey($0) }
    let files = IdentityFiles("\(stateFolder)/miracl", sealedWith: key)
    do {
      let count = try await files.sealAll()
      if count > 0 { logger.notice("sealed \(count) identities") }
    } catch {
      // Only MIRACL's calls need them, and name what is wrong.
      logger.warning("identities are not sealed: \(error)")
    }
    return files
  }
}
