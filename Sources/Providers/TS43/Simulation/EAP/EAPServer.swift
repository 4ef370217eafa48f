import ModemModel

/// The home network's side of EAP-AKA (RFC 4187) and EAP-AKA′ (RFC 9048), for one login: packets of
/// the peer go in, packets for it come out. It is written apart from the SIM's side, so that the
/// two check each other.
struct EAPServer: Sendable {
  typealias Packet = EAPServerPacket
  typealias Attribute = EAPServerPacket.Attribute

  /// What is to be done next.
  enum Step: Hashable, Sendable {
    case send([UInt8])
    /// The subscriber with this IMSI has proved itself.
    case accepted(imsi: String)
    /// EAP-Failure, to be sent.
    case rejected([UInt8])
  }

  enum IdentityRequest: String, Hashable, Sendable, CaseIterable {
    case any, full, permanent

    var attribute: UInt8 {
      switch self {
      case .any: Attribute.anyIdentity
      case .full: Attribute.fullIdentity
      case .permanent: Attribute.permanentIdentity
      }
    }
  }

  /// How the server behaves.
  struct Settings: Hashable, Sendable {
    var method = EAPMethod.aka
    /// Identities that it asks for before the challenge.
    var identityRequests: [IdentityRequest] = []
    /// Whether the challenge carries AT_CHECKCODE, which must come back.
    var hasCheckcode = false
    /// Whether it tells its success in a notification where the peer agrees.
    var confirmsSuccess = false
    /// AT_BIDDING of EAP-AKA: whether it prefers EAP-AKA′; nil for none.
    var prefersAKAPrime: Bool?
    /// AT_KDF_INPUT.
    var networkName = "WLAN"
    /// AT_KDF, in order.
    var keyDerivations = [1]
    /// Whether it gives out pseudonyms and identities for fast re-authentication.
    var givesIdentities = false
    /// A notification that ends the login, as in 16384: before the challenge, or behind its answer,
    /// as the number says (RFC 4187, 10.19); nil for none.
    var notification: Int?
    var tampering: Tampering?
  }

  private enum State: Hashable, Sendable {
    case begun
    case asked(IdentityRequest)
    case challenged(Vector, [Packet.Field])
    case reauthenticating(HomeRegister.Reauthentication, nonce: [UInt8])
    /// Success was told, after a fast re-authentication with its counter.
    case confirming(EAPServerKeys, imsi: String, counter: Int?)
    case refusing
    case ended
  }

  /// The settings, and what is left of its requests for identities.
  private var settings: Settings
  private let register: HomeRegister
  private let random: @Sendable (Int) -> [UInt8]
  private var identity: [UInt8] = []
  private var identifier: UInt8
  private var state = State.begun
  /// Whole packets of identity rounds.
  private var rounds: [[UInt8]] = []
  private var asked: Set<IdentityRequest> = []
  private var challenges = 0

  init(_ settings: Settings, _ register: HomeRegister, random: @escaping @Sendable (Int) -> [UInt8]) {
    self.settings = settings
    self.register = register
    self.random = random
    identifier = random(1)[0]
  }

  /// Begins with the identity that the peer gave outside EAP.
  mutating func begin(_ identity: String) -> Step {
    self.identity = Array(identity.utf8)
    if settings.tampering == .failure { return reject() }
    if let code = settings.notification, Self.isBeforeAnswer(code) {
      state = .refusing
      return send(.notification, [.number(Attribute.notification, code)])
    }
    return ask()
  }

  /// Takes an answer of the peer.
  mutating func receive(_ bytes: [UInt8]) -> Step {
    guard let packet = Packet(response: bytes), packet.identifier == identifier, packet.method == settings.method
    else { return reject() }
    switch (state, packet.subtype) {
    case (.asked, .identity?):
      rounds.append(bytes)
      guard let text = packet.first(Attribute.identity)?.text else { return reject() }
      identity = text
      return ask()
    case (.challenged(let vector, let fields), .challenge?): return receive(packet, to: vector, fields)
    case (.challenged(let vector, _), .synchronizationFailure?):
      guard let auts = packet.first(Attribute.auts)?.value, challenges < 2,
        register.resynchronise(vector.imsi, auts: auts, rand: vector.rand)
      else { return reject() }
      return challenge(vector.imsi)
    case (.reauthenticating(let kept, let nonce), .reauthentication?):
      return receive(packet, reauthenticating: kept, nonce)
    case (.confirming(let keys, let imsi, let counter), .notification?):
      guard packet.isAuthentic(keys), counter == nil || Self.counter(in: packet, keys) == counter else {
        return reject()
      }
      state = .ended
      return .accepted(imsi: imsi)
    default: return reject()
    }
  }

  // MARK: Identities

  private mutating func ask() -> Step {
    if settings.tampering == .endlessIdentities { settings.identityRequests = [.any] }
    if !settings.identityRequests.isEmpty { return ask(settings.identityRequests.removeFirst()) }
    let text = String(decoding: identity, as: UTF8.self)
    if let kept = register.takeReauthentication(text) { return reauthenticate(kept) }
    if let imsi = register.imsi(of: text) { return challenge(imsi) }
    // A name that nobody knows: a forgotten pseudonym, or none of ours.
    guard settings.givesIdentities, let next = [IdentityRequest.full, .permanent].first(where: { !asked.contains($0) })
    else { return reject() }
    return ask(next)
  }

  private mutating func ask(_ request: IdentityRequest) -> Step {
    asked.insert(request)
    state = .asked(request)
    let step = send(.identity, [.reserved(request.attribute)])
    if case .send(let bytes) = step { rounds.append(bytes) }
    return step
  }

  // MARK: Full authentication

  private mutating func challenge(_ imsi: String) -> Step {
    let isSeparated = settings.method == .akaPrime && settings.tampering != .unseparated
    guard var vector = register.vector(for: imsi, separated: isSeparated, random: random) else { return reject() }
    challenges += 1
    settings.tampering?.change(&vector)
    return challenge(vector, settings.keyDerivations)
  }

  private mutating func challenge(_ vector: Vector, _ derivations: [Int]) -> Step {
    var fields: [Packet.Field] = [.reserved(Attribute.rand, vector.rand), .reserved(Attribute.autn, vector.autn)]
    if settings.method == .akaPrime {
      if settings.tampering != .noNetworkName {
        fields.append(.counted(Attribute.networkName, Array(settings.networkName.utf8)))
      }
      fields += derivations.map { .number(Attribute.keyDerivation, $0) }
    }
    if settings.confirmsSuccess { fields.append(.reserved(Attribute.resultIndication)) }
    if settings.hasCheckcode {
      var value = EAPServerKeys.checkcode(settings.method, rounds)
      if settings.tampering == .wrongCheckcode {
        value = [UInt8](repeating: 7, count: settings.method == .aka ? 20 : 32)
      }
      fields.append(.reserved(Attribute.checkcode, value))
    }
    if settings.method == .aka, let prefers = settings.prefersAKAPrime {
      fields.append(Packet.Field(Attribute.bidding, [prefers ? 0x80 : 0, 0]))
    }
    let keys = keys(of: vector)
    if settings.givesIdentities {
      let names = register.makeIdentities(for: vector.imsi, settings.method, keys, random: random)
      fields += keys.encrypted(
        [
          .counted(Attribute.nextPseudonym, Array(names.pseudonym.utf8)),
          .counted(Attribute.nextReauthentication, Array(names.reauthentication.utf8)),
        ], vector: random(16))
    }
    settings.tampering?.change(&fields)
    identifier &+= 1
    let request = Packet.request(.challenge, settings.method, identifier: identifier, fields)
    state = .challenged(vector, fields)
    let bytes = request.authenticated(keys)
    return .send(settings.tampering?.changed(bytes) ?? bytes)
  }

  private func keys(of vector: Vector) -> EAPServerKeys {
    switch settings.method {
    case .aka: EAPServerKeys(aka: identity, ck: vector.ck, ik: vector.ik)
    case .akaPrime:
      EAPServerKeys(
        akaPrime: identity, ck: vector.ck, ik: vector.ik, networkName: Array(settings.networkName.utf8),
        concealed: Array(vector.autn[..<6]))
    }
  }

  private mutating func receive(_ packet: Packet, to vector: Vector, _ sent: [Packet.Field]) -> Step {
    let offered = sent.filter { $0.type == Attribute.keyDerivation }.map(\.number)
    if let chosen = packet.first(Attribute.keyDerivation)?.number, packet.first(Attribute.mac) == nil {
      // The peer chose another derivation: the request again, its choice in front (RFC 9048, 3.2).
      guard offered.dropFirst().contains(chosen), Set(offered).count == offered.count else { return reject() }
      return challenge(vector, [chosen] + offered)
    }
    let keys = keys(of: vector)
    guard packet.isAuthentic(keys), let res = packet.first(Attribute.res)?.value,
      res.count >= 2, Packet.word(vector.res.count * 8) == Array(res[..<2]),
      Array(res[2...].prefix(vector.res.count)) == vector.res,
      // What was sent must come back (RFC 4187, 10.13), computed over the same packets.
      !settings.hasCheckcode
        || packet.first(Attribute.checkcode)?.afterReserved == EAPServerKeys.checkcode(settings.method, rounds)
    else { return reject() }
    if settings.tampering == .endlessChallenges { return challenge(vector.imsi) }
    return succeed(vector.imsi, keys, packet)
  }

  /// The end, or a notification of it where both sides agreed on that. Behind a fast
  /// re-authentication it repeats the counter (RFC 4187, 9.10).
  private mutating func succeed(
    _ imsi: String, _ keys: EAPServerKeys, _ packet: Packet, counter: Int? = nil
  ) -> Step {
    if let code = settings.notification, !Self.isBeforeAnswer(code) {
      state = .refusing
      return tell(code, keys, counter)
    }
    guard settings.confirmsSuccess, packet.first(Attribute.resultIndication) != nil else {
      state = .ended
      return .accepted(imsi: imsi)
    }
    state = .confirming(keys, imsi: imsi, counter: counter)
    return tell(0x8000, keys, counter)
  }

  /// A notification that the peer can check.
  private mutating func tell(_ code: Int, _ keys: EAPServerKeys, _ counter: Int?) -> Step {
    identifier &+= 1
    let hidden = counter.map { keys.encrypted([.number(Attribute.counter, $0)], vector: random(16)) } ?? []
    let told = Packet.request(
      .notification, settings.method, identifier: identifier, [.number(Attribute.notification, code)] + hidden)
    return .send(told.authenticated(keys))
  }

  /// The P bit.
  private static func isBeforeAnswer(_ code: Int) -> Bool { code & 0x4000 != 0 }

  private static func counter(in packet: Packet, _ keys: EAPServerKeys) -> Int? {
    keys.decrypted(packet)?.first { $0.type == Attribute.counter }?.number
  }

  // MARK: Fast re-authentication

  private mutating func reauthenticate(_ kept: HomeRegister.Reauthentication) -> Step {
    let nonce = random(16)
    let next = register.makeReauthentication(after: kept, random: random)
    var fields = kept.keys.encrypted(
      [
        .number(Attribute.counter, kept.counter), .reserved(Attribute.nonce, nonce),
        .counted(Attribute.nextReauthentication, Array(next.utf8)),
      ], vector: random(16))
    if settings.confirmsSuccess { fields.append(.reserved(Attribute.resultIndication)) }
    if settings.hasCheckcode {
      fields.append(.reserved(Attribute.checkcode, EAPServerKeys.checkcode(settings.method, rounds)))
    }
    state = .reauthenticating(kept, nonce: nonce)
    identifier &+= 1
    return .send(
      Packet.request(.reauthentication, settings.method, identifier: identifier, fields).authenticated(kept.keys))
  }

  private mutating func receive(
    _ packet: Packet, reauthenticating kept: HomeRegister.Reauthentication, _ nonce: [UInt8]
  ) -> Step {
    guard packet.isAuthentic(kept.keys, and: nonce), let hidden = kept.keys.decrypted(packet),
      Self.counter(in: packet, kept.keys) == kept.counter
    else { return reject() }
    if hidden.contains(where: { $0.type == Attribute.counterTooSmall }) { return challenge(kept.imsi) }
    return succeed(kept.imsi, kept.keys, packet, counter: kept.counter)
  }

  // MARK: Sending

  private mutating func send(_ subtype: Packet.Subtype, _ fields: [Packet.Field]) -> Step {
    identifier &+= 1
    return .send(Packet.request(subtype, settings.method, identifier: identifier, fields).bytes)
  }

  private mutating func reject() -> Step {
    state = .ended
    return .rejected(Packet.end(.failure, identifier: identifier).bytes)
  }
}
