import ModemModel

/// The SIM's side of EAP-AKA (RFC 4187) and EAP-AKA′ (RFC 9048) as decisions only: packets and the
/// card's answers go in, packets and questions to the card come out. It has no clock, no socket and
/// no card.
///
/// RES is in an answer only after the server has proved by AT_MAC that it has the keys which belong
/// to the challenge. The keys never leave the peer. Docs/eap-aka.md has its rules.
package struct EAPPeer: Sendable {
  package struct Configuration: Sendable {
    package var method: EAPMethod
    /// The identity with the IMSI, prefix and realm included.
    package var permanent: EAPIdentity
    /// With `akaPrime`: the name that the server must bind its keys to; nil for any.
    package var networkName: String?
    /// Whether pseudonyms and fast re-authentication are used.
    package var reauthenticates: Bool
    /// With `aka`: whether a server that says it prefers EAP-AKA′ is refused (RFC 9048, 4). That is
    /// right only where the SIM also logs in by EAP-AKA′ there.
    package var refusesBiddingDown: Bool

    package init(
      _ method: EAPMethod, permanent: EAPIdentity, networkName: String? = nil, reauthenticates: Bool = false,
      refusesBiddingDown: Bool = false
    ) {
      self.method = method
      self.permanent = permanent
      self.networkName = networkName
      self.reauthenticates = reauthenticates
      self.refusesBiddingDown = refusesBiddingDown
    }
  }

  /// What is to be done next.
  package enum Step: Hashable, Sendable {
    /// The answer for the server.
    case answer(EAPReply)
    /// The card has to be asked; its answer goes into `receive(card:)`.
    case challenge(AKAChallenge)
  }

  /// Requests of a server that are read in one login. One with every possible round has as many.
  package static let messageLimit = 8
  /// Challenges that the card is given in one login: one more than the first, after its AUTS.
  package static let challengeLimit = 2

  let configuration: Configuration
  let random: @Sendable (Int) -> [UInt8]
  /// What an earlier login left, if it is used.
  let offered: EAPReauthentication?

  /// What the server is told first.
  package let identity: EAPIdentity
  /// What the next login of the same SIM may begin with; nil for nothing.
  package internal(set) var kept: EAPReauthentication?

  private(set) var state = PeerState.beginning
  /// The identity that the server was sent last: keys are bound to it.
  package internal(set) var sent: EAPIdentity
  var rounds = IdentityRounds()
  /// What the card was asked, the first challenge first.
  var asked: [AKAChallenge] = []
  private var messages = 0
  /// The last packet and what it led to, for packets that come twice (RFC 3748, 4.3).
  private var last: (packet: [UInt8], reply: EAPReply)?

  /// - Parameters:
  ///   - kept: what an earlier login of the same SIM left, if it is used.
  ///   - random: makes random bytes, for the initialisation vectors of what is encrypted.
  package init(
    _ configuration: Configuration, kept: EAPReauthentication? = nil, random: @escaping @Sendable (Int) -> [UInt8]
  ) {
    self.configuration = configuration
    self.random = random
    offered = kept.flatMap { $0.isFor(configuration) ? $0 : nil }
    identity = offered?.identity(for: .any) ?? configuration.permanent
    sent = identity
    self.kept = offered?.withoutFast
  }

  var method: EAPMethod { configuration.method }

  /// Takes the server's next packet.
  package mutating func receive(packet: [UInt8]) -> Step {
    if let last, last.packet == packet { return .answer(last.reply) }
    do {
      let step = try take(packet)
      if case .answer(let reply) = step { last = (packet, reply) }
      return step
    } catch {
      return .answer(refuse(error, packet))
    }
  }

  /// Takes the card's answer to the last challenge.
  package mutating func receive(card: AKAAnswer) -> EAPReply {
    guard case .asking(let pending) = state else { return EAPReply(.refused, text: EAPRefusal.cardIsNotAsked.text) }
    do {
      let reply = try answer(pending, card)
      last = (pending.message.packet, reply)
      return reply
    } catch {
      return refuse(error, pending.message.packet)
    }
  }

  /// The door between two states.
  mutating func enter(_ next: PeerState) {
    switch next {
    // What a login gave counts only if the login succeeds.
    case .refused, .concluded(isSuccess: false), .closed(isSuccess: false): kept = offered?.withoutFast
    case .beginning, .expectingChallenge, .asking, .answered, .concluded, .closed: break
    }
    state = next
  }
}

extension EAPPeer {
  private mutating func take(_ packet: [UInt8]) throws(EAPRefusal) -> Step {
    if case .asking = state { throw .cardIsAsked }
    if EAPPacket.answerable(packet) != nil {
      messages = min(messages + 1, Self.messageLimit + 1)
      guard messages <= Self.messageLimit else { throw .tooManyMessages }
    }
    switch try EAPPacket(packet) {
    case .success(let identifier): return .answer(try succeed(identifier))
    case .failure:
      enter(.closed(isSuccess: false))
      return .answer(EAPReply(.failure))
    case .request(let identifier, let type):
      switch type {
      case EAPPacket.BasicType.identity: return .answer(try identify(identifier))
      case EAPPacket.BasicType.notification:
        let answer = EAPPacket.composed(EAPPacket.Code.response, identifier, type: type)
        // What it says is for people, and anybody on the way may have written it.
        return .answer(EAPReply(.notification, packet: answer, text: "The server sent a message that is not shown."))
      case method.type: return try take(ReceivedMessage(packet))
      default:
        guard case .beginning = state, rounds.isEmpty else { throw .changedMethod(type) }
        throw .otherMethod(type, method)
      }
    }
  }

  private mutating func take(_ message: ReceivedMessage) throws(EAPRefusal) -> Step {
    switch message.subtype {
    case .identity: .answer(try identify(message))
    case .challenge: try challenge(message)
    case .notification: .answer(try notify(message))
    case .reauthentication: .answer(try reauthenticate(message))
    case .authenticationReject, .synchronizationFailure, .clientError: throw .unexpected(message.subtype)
    }
  }

  /// EAP-Success (RFC 4187, 6.2; RFC 3748, 4.2).
  private mutating func succeed(_ identifier: UInt8) throws(EAPRefusal) -> EAPReply {
    switch state {
    case .answered(let session) where !session.expectsResult: break
    case .concluded(isSuccess: true): break
    default: throw .unexpectedSuccess
    }
    guard last?.packet.dropFirst().first == identifier else { throw .otherIdentifier }
    enter(.closed(isSuccess: true))
    return EAPReply(.success)
  }

  private mutating func refuse(_ refusal: EAPRefusal, _ packet: [UInt8]) -> EAPReply {
    guard let identifier = EAPPacket.answerable(packet) else { return EAPReply(.refused, text: refusal.text) }
    let reply: EAPReply
    switch refusal.answer {
    case .none: return EAPReply(.refused, text: refusal.text)
    case .nak:
      let answer = EAPPacket.composed(
        EAPPacket.Code.response, identifier, type: EAPPacket.BasicType.nak, [method.type])
      reply = EAPReply(.refused, packet: answer, text: refusal.text)
    case .clientError:
      // Code 0: unable to process the packet (RFC 4187, 10.20).
      let code = AttributeType.clientErrorCode
      let answer = EAPPacket.composed(
        EAPPacket.Code.response, identifier, type: method.type,
        [AKASubtype.clientError.rawValue, 0, 0, code.rawValue, 1, 0, 0])
      reply = EAPReply(.refused, packet: answer, text: refusal.text)
      close()
    case .authenticationReject:
      let answer = AKAMessage(.authenticationReject).packet(method, identifier: identifier)
      reply = EAPReply(.rejected, packet: answer, text: refusal.text)
      close()
    }
    if packet.count <= EAPPacket.limit { last = (packet, reply) }
    return reply
  }

  /// After a refusal. An end that has been told stays.
  private mutating func close() {
    switch state {
    case .beginning, .expectingChallenge, .asking, .answered: enter(.refused)
    case .concluded, .refused, .closed: break
    }
  }
}
