import ModemModel

/// What an AKA-Identity asks for, the least demanding first (RFC 4187, 4.1.5).
enum IdentityRequest: Int, Sendable, CaseIterable {
  /// Whatever the peer likes.
  case any
  /// One for a full authentication.
  case fullAuthentication
  /// The one with the IMSI.
  case permanent

  var attribute: AttributeType {
    switch self {
    case .any: .anyIdentityRequest
    case .fullAuthentication: .fullAuthenticationIdentityRequest
    case .permanent: .permanentIdentityRequest
    }
  }
}

/// The AKA-Identity packets of a login.
struct IdentityRounds: Sendable {
  private var last: IdentityRequest?
  private var packets: [UInt8] = []

  var isEmpty: Bool { packets.isEmpty }

  /// Notes a round. Each request comes once at most, and demands more than the one before.
  mutating func note(
    _ request: IdentityRequest, _ packet: [UInt8], answer: [UInt8]
  ) throws(EAPRefusal) {
    if let last { guard request.rawValue > last.rawValue else { throw .identityOrder } }
    last = request
    packets += packet + answer
  }

  /// The value of AT_CHECKCODE (RFC 4187, 10.13; RFC 9048, 3.5): empty without a round.
  func checkcode(_ method: EAPMethod) throws(EAPRefusal) -> [UInt8] {
    isEmpty ? [] : try Libcrypto.digest(method.hash, WipedBytes(packets)).revealed
  }
}

extension EAPReauthentication {
  func identity(for request: IdentityRequest) -> EAPIdentity {
    switch request {
    case .any: fast?.identity ?? pseudonym ?? permanent
    case .fullAuthentication: pseudonym ?? permanent
    case .permanent: permanent
    }
  }

  /// What is left when the identity for a fast re-authentication is spent; nil for nothing.
  var withoutFast: EAPReauthentication? {
    pseudonym.map { EAPReauthentication(method: method, permanent: permanent, pseudonym: $0) }
  }
}

extension EAPPeer {
  /// Bytes of an identity that fit into one attribute with room to spare.
  static let identityLimit = 512

  /// EAP-Request/Identity (RFC 3748, 5.1).
  mutating func identify(_ identifier: UInt8) throws(EAPRefusal) -> EAPReply {
    guard case .beginning = state, rounds.isEmpty else { throw .unexpectedIdentityRequest }
    let text = Array(identity.revealed.utf8)
    guard text.count <= Self.identityLimit else { throw .identityLength }
    let packet = EAPPacket.composed(
      EAPPacket.Code.response, identifier, type: EAPPacket.BasicType.identity, text)
    return EAPReply(.identity, packet: packet)
  }

  /// AKA-Identity (RFC 4187, 4.1.6 and 9.1).
  mutating func identify(_ message: ReceivedMessage) throws(EAPRefusal) -> EAPReply {
    guard case .beginning = state else { throw .unexpected(.identity) }
    let attributes = try message.attributes(.init([], optional: Set(IdentityRequest.allCases.map(\.attribute))))
    let requests = IdentityRequest.allCases.filter { attributes.has($0.attribute) }
    guard let request = requests.first, requests.count == 1 else { throw .identityRequests }
    let identity = offered?.identity(for: request) ?? configuration.permanent
    let text = Array(identity.revealed.utf8)
    guard text.count <= Self.identityLimit else { throw .identityLength }
    var answer = AKAMessage(.identity)
    try answer.add(.identity, text)
    let packet = answer.packet(method, identifier: message.identifier)
    try rounds.note(request, message.packet, answer: packet)
    sent = identity
    return EAPReply(.identity, packet: packet)
  }

  /// Compares AT_CHECKCODE, if there is one.
  ///
  /// - Returns: what an answer says in turn; nil if the server does not use it.
  func checkcode(_ attributes: AttributeList) throws(EAPRefusal) -> [UInt8]? {
    guard let theirs = attributes[.checkcode] else { return nil }
    guard try rounds.checkcode(method) == theirs else { throw .checkcode }
    return theirs
  }
}
