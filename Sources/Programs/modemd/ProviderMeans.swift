import IdentityFiles
import Logging
import ModemModel
import SealedFiles
import SystemdSupport
import TokenFiles
import TS43Flows

/// What this program gives to providers that store something.
struct ProviderMeans: Sendable {
  /// Where what outlives a restart is kept.
  let stateFolder: String
  let credentials: CredentialsDirectory?
  let logger: Logger

  /// MIRACL's identities, sealed where there is a credential for that.
  ///
  /// - Throws: `SystemdError` if a credential cannot be read or is not a key.
  func identities() async throws -> IdentityFiles {
    let key = try credentials?.read(SealingKey.credential).map { try SealingKey($0, for: .identities) }
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

  /// The tokens of entitlement servers, sealed; those of this process alone where there is no
  /// credential for that.
  ///
  /// - Throws: `SystemdError` if a credential cannot be read or is not a key.
  func tokens() async throws -> any EntitlementTokenStore {
    guard let secret = try credentials?.read(SealingKey.credential) else { return TransientTokenStore() }
    let files = EntitlementTokenFiles(
      "\(stateFolder)/ts43", sealedWith: try SealingKey(secret, for: .tokens), now: Timestamp.now)
    do {
      try await files.removeStale()
    } catch {
      // A login without a kept token asks the SIM.
      logger.warning("old tokens are not removed: \(error)")
    }
    return ReportedTokenStore(files) { [logger] in logger.warning("\($0); each login asks the SIM meanwhile") }
  }
}
