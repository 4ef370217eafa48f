import AuthCore
import ModemModel
import Synchronization

/// What an entitlement server gave at a login, with which the next one needs no answer of the SIM
/// (TS.43, 2.8.5), and what was learnt at that login.
package struct EntitlementToken: Hashable, Sendable {
  package var token: Secret
  /// When it ends; nil if the server did not say.
  package var expires: Timestamp?
  /// The version of TS.43 that the server accepted, as in `12.0`.
  package var version: String
  /// The method that the server accepted.
  package var method: TS43Settings.Method
  /// The SIM's Group Identifier Level 1; nil if it has none.
  package var groupIdentifier: [UInt8]?

  package init(
    _ token: Secret, expires: Timestamp? = nil, version: String, method: TS43Settings.Method,
    groupIdentifier: [UInt8]? = nil
  ) {
    self.token = token
    self.expires = expires
    self.version = version
    self.method = method
    self.groupIdentifier = groupIdentifier
  }
}

/// What a token is bound to: for the server by TS.43, 2.8.5, and for this machine by the SIM, so
/// that no other SIM uses it.
package struct EntitlementTokenKey: Hashable, Sendable {
  package var iccid: ICCID
  package var imsi: IMSI
  /// As it is sent: the IMEI or a UUID.
  package var terminalID: String
  /// Id of the application, as in `ap2014`.
  package var app: String
  /// Empty for none.
  package var appName: String
  /// Empty for none.
  package var appVersion: String
  /// The server's host, in lower case.
  package var host: String

  package init(
    iccid: ICCID, imsi: IMSI, terminalID: String, app: String, appName: String, appVersion: String, host: String
  ) {
    self.iccid = iccid
    self.imsi = imsi
    self.terminalID = terminalID
    self.app = app
    self.appName = appName
    self.appVersion = appVersion
    self.host = host
  }

  /// All of it in a fixed order, for a digest or for a comparison. It is personal data.
  package var parts: [String] { [iccid.revealed, imsi.revealed, terminalID, app, appName, appVersion, host] }
}

/// It holds personal data, and prints only the host.
extension EntitlementTokenKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(token of \(host))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps the tokens of logins. A flow goes on without a store that fails: it logs in with the SIM.
package protocol EntitlementTokenStore: Sendable {
  /// The token that was kept last; nil if there is none.
  ///
  /// - Throws: `AuthError` `storeFailed`.
  func token(for key: EntitlementTokenKey) async throws(AuthError) -> EntitlementToken?

  /// Keeps a token in place of an earlier one.
  ///
  /// - Throws: `AuthError` `storeFailed`.
  func keep(_ token: EntitlementToken, for key: EntitlementTokenKey) async throws(AuthError)

  /// Forgets a token that the server refused, unless another one was kept in its place since then.
  ///
  /// - Throws: `AuthError` `storeFailed`.
  func forget(_ token: Secret, for key: EntitlementTokenKey) async throws(AuthError)
}

/// Keeps tokens as long as the process runs.
package final class TransientTokenStore: EntitlementTokenStore {
  /// More SIMs and servers than a machine has at a time. When it is reached, one of the others
  /// goes.
  static let limit = 64

  private let tokens = Mutex<[EntitlementTokenKey: EntitlementToken]>([:])

  package init() {}

  package func token(for key: EntitlementTokenKey) async throws(AuthError) -> EntitlementToken? {
    tokens.withLock { $0[key] }
  }

  package func keep(_ token: EntitlementToken, for key: EntitlementTokenKey) async throws(AuthError) {
    tokens.withLock { tokens in
      if tokens[key] == nil, tokens.count >= Self.limit, let other = tokens.keys.first { tokens[other] = nil }
      tokens[key] = token
    }
  }

  package func forget(_ token: Secret, for key: EntitlementTokenKey) async throws(AuthError) {
    tokens.withLock { if $0[key]?.token == token { $0[key] = nil } }
  }
}
