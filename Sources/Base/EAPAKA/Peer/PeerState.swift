import ModemModel

/// Where a login is. `EAPPeer.enter` is the only way from one to another.
enum PeerState: Sendable {
  /// The server may ask for identities, then challenge the SIM or re-authenticate.
  /// To all but `closed` with success.
  case beginning
  /// Only a challenge may follow, because the last one could not be answered as it was. The card
  /// has been given fewer than `EAPPeer.challengeLimit`.
  /// To `asking`, `concluded` without success, `refused` and `closed` without success.
  ///
  /// - Parameter keyDerivations: what the server offered when the peer chose; nil if it did not.
  case expectingChallenge(keyDerivations: [UInt16]?)
  /// The SIM has the challenge.
  /// To `answered`, `expectingChallenge` and `refused`.
  case asking(PendingChallenge)
  /// SIM and server know each other.
  /// To `concluded`, `refused` and `closed`.
  case answered(Session)
  /// The server told its result by a notification.
  /// To `closed`.
  case concluded(isSuccess: Bool)
  /// The peer refused the server.
  /// To `concluded` without success, and `closed` without success.
  case refused
  /// EAP-Success or EAP-Failure came. It is the end.
  case closed(isSuccess: Bool)
}

/// A challenge that the SIM was given.
struct PendingChallenge: Sendable {
  let message: ReceivedMessage
  let attributes: AttributeList
  let challenge: AKAChallenge
  /// Of AT_KDF_INPUT; empty with EAP-AKA.
  let networkName: [UInt8]
  /// As of `PeerState.expectingChallenge`.
  let keyDerivations: [UInt16]?
}

/// What notifications are protected with, and what they have to say.
struct Session: Sendable {
  let keys: SessionKeys
  /// After a fast re-authentication, its counter.
  let counter: UInt16?
  /// Whether a notification has to come ahead of EAP-Success (RFC 4187, 6.2).
  let expectsResult: Bool
}

/// What a login leaves for the next one: a pseudonym, and an identity with keys for fast
/// re-authentication.
package struct EAPReauthentication: Hashable, Sendable {
  /// For a fast re-authentication, once.
  struct Fast: Hashable, Sendable {
    var identity: EAPIdentity
    /// The least counter that the server may use (RFC 4187, 5.3).
    var counter: UInt16
    var keys: SessionKeys
  }

  let method: EAPMethod
  /// The identity that it stands for: another SIM, realm or method has no use for it.
  let permanent: EAPIdentity
  /// With its realm.
  var pseudonym: EAPIdentity?
  var fast: Fast?

  func isFor(_ configuration: EAPPeer.Configuration) -> Bool {
    configuration.reauthenticates && method == configuration.method && permanent == configuration.permanent
      && fast.map { $0.keys.method == method } ?? true
  }
}
