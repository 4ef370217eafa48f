import ModemModel

/// The SIM's side of EAP-AKA (RFC 4187) and EAP-AKA′ (RFC 9048) as decisions only: packets and the
/// card's answers go in, packets and questions to the card come out. It has no clock, no socket and
/// no card.
package struct EAPPeer: Sendable {
  package struct Configuration: Sendable {
    package var method: EAPMethod
    /// The identity with the IMSI, prefix and realm included.
    package var permanent: EAPIdentity
    /// With `akaPrime`: the name that the server must bind its keys to; nil for any.
    package var networkName: String?
    /// Whether pseudonyms and fast re-authentication are used.
    package var reauthenticates: Bool

    package init(
      _ method: EAPMethod, permanent: EAPIdentity, networkName: String? = nil, reauthenticates: Bool = false
    ) {
      self.method = method
      self.permanent = permanent
      self.networkName = networkName
      self.reauthenticates = reauthenticates
    }
  }

  /// What is to be done next.
  package enum Step: Sendable {
    /// The answer for the server.
    case answer(EAPReply)
    /// The card has to be asked; its answer goes into `receive(card:)`.
    case challenge(AKAChallenge)
  }

  /// What the server is told first.
  package let identity: EAPIdentity
  /// What the next login of the same SIM may begin with; nil for nothing.
  package private(set) var kept: EAPReauthentication?

  /// - Parameters:
  ///   - kept: what an earlier login of the same SIM left, if it is used.
  ///   - random: makes random bytes, for the initialisation vectors of what is encrypted.
  package init(
    _ configuration: Configuration, kept: EAPReauthentication? = nil, random: @escaping @Sendable (Int) -> [UInt8]
  ) {
    identity = configuration.permanent
  }

  /// Takes the server's next packet.
  package mutating func receive(packet: [UInt8]) -> Step { .answer(EAPReply(.failure)) }

  /// Takes the card's answer to the last challenge.
  package mutating func receive(card: AKAAnswer) -> EAPReply { EAPReply(.failure) }
}

/// What a login leaves for the next one: a pseudonym, and an identity with keys for fast
/// re-authentication.
package struct EAPReauthentication: Sendable {}
