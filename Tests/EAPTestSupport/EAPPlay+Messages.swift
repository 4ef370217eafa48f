import EAPAKA
import ModemModel

extension EAPPlay {
  /// Messages that are right, if they come in their turn.
  package enum Template: Int, Hashable, Sendable, CaseIterable {
    case identityRequest
    case anyIdentity
    case fullAuthenticationIdentity
    case permanentIdentity
    case challenge
    case secondChallenge
    /// With names for later logins, AT_CHECKCODE and AT_RESULT_IND.
    case givingChallenge
    /// With EAP-AKA′: a list of key derivations of which the peer has to choose.
    case offeringChallenge
    case chosenChallenge
    case reauthentication
    case success
    case failure
    case earlyFailure
    case end
    case refusal
  }

  /// The packet of a move, and whether its AT_MAC is right.
  mutating func packet(of move: Move) throws(EAPRefusal) -> ([UInt8], Bool) {
    var packet: [UInt8]
    switch move.message {
    case .raw(let bytes): packet = bytes
    case .template(let template): packet = try make(template)
    }
    for edit in move.edits { Self.apply(edit, to: &packet) }
    if move.hasLength, packet.count >= 4 {
      packet[2] = UInt8(packet.count >> 8 & 0xff)
      packet[3] = UInt8(packet.count & 0xff)
    }
    let isSigned = move.isSigned ? try sign(&packet) : false
    return (packet, isSigned)
  }

  private static func apply(_ edit: Edit, to packet: inout [UInt8]) {
    switch edit {
    case .set(let place, let byte): if packet.indices.contains(place) { packet[place] = byte }
    case .flip(let place, let bits): if packet.indices.contains(place) { packet[place] ^= bits }
    case .insert(let place, let bytes): packet.insert(contentsOf: bytes, at: min(max(place, 0), packet.count))
    case .remove(let place, let count):
      let start = min(max(place, 0), packet.count)
      packet.removeSubrange(start..<min(start + max(count, 0), packet.count))
    }
  }

  private func make(_ template: Template) throws(EAPRefusal) -> [UInt8] {
    switch template {
    case .identityRequest: return [1, identifier, 0, 5, 1]
    case .anyIdentity: return try identity(.anyIdentityRequest)
    case .fullAuthenticationIdentity: return try identity(.fullAuthenticationIdentityRequest)
    case .permanentIdentity: return try identity(.permanentIdentityRequest)
    case .challenge: return try challenge(1, [1])
    case .secondChallenge: return try challenge(2, [1])
    case .givingChallenge: return try challenge(1, [1], isGiving: true)
    case .offeringChallenge: return try challenge(1, [2, 1])
    case .chosenChallenge: return try challenge(1, [1, 2, 1])
    case .reauthentication: return try reauthentication()
    case .success: return try notification(0x8000)
    case .failure: return try notification(1031)
    case .earlyFailure: return try notification(0x4000)
    case .end: return [3, identifier &- 1, 0, 4]
    case .refusal: return [4, identifier &- 1, 0, 4]
    }
  }

  private func identity(_ request: AttributeType) throws(EAPRefusal) -> [UInt8] {
    var message = AKAMessage(.identity)
    try message.add(request)
    return message.packet(method, identifier: identifier, isRequest: true)
  }

  private func challenge(
    _ number: UInt8, _ offer: [UInt16], isGiving: Bool = false
  ) throws(EAPRefusal) -> [UInt8] {
    var message = AKAMessage(.challenge)
    let autn = [0, 0, 0, 0, 0, number, 0x80, 0] + [UInt8](repeating: 9, count: 8)
    try message.add(.rand, [UInt8](repeating: number, count: 16))
    try message.add(.autn, autn)
    if method == .akaPrime {
      for derivation in offer { try message.add(.keyDerivation, derivation) }
      try message.add(.keyDerivationInput, Self.network)
    }
    if isGiving {
      var inner = AttributeText()
      try inner.add(.nextPseudonym, Array("2name".utf8))
      try inner.add(.nextReauthenticationIdentity, Array("4name".utf8))
      try message.addEncrypted(inner, keys: try keys(Self.network, autn), vector: [UInt8](repeating: 5, count: 16))
      try message.add(.checkcode)
      try message.add(.resultIndication)
    }
    return try withCode(message)
  }

  private func reauthentication() throws(EAPRefusal) -> [UInt8] {
    var message = AKAMessage(.reauthentication)
    var inner = AttributeText()
    try inner.add(.counter, 1)
    try inner.add(.nonce, [UInt8](repeating: 6, count: 16))
    try inner.add(.nextReauthenticationIdentity, Array("4other".utf8))
    if let fast { try message.addEncrypted(inner, keys: fast, vector: [UInt8](repeating: 5, count: 16)) }
    return try withCode(message)
  }

  private func notification(_ number: UInt16) throws(EAPRefusal) -> [UInt8] {
    var message = AKAMessage(.notification)
    try message.add(.notification, number)
    if number & 0x4000 != 0 { return message.packet(method, identifier: identifier, isRequest: true) }
    if session == nil, let fast {
      var inner = AttributeText()
      try inner.add(.counter, 1)
      try message.addEncrypted(inner, keys: fast, vector: [UInt8](repeating: 5, count: 16))
    }
    return try withCode(message)
  }

  /// With zeros in AT_MAC.
  private func withCode(_ message: AKAMessage) throws(EAPRefusal) -> [UInt8] {
    var message = message
    try message.add(.mac, [UInt8](repeating: 0, count: 16))
    return message.packet(method, identifier: identifier, isRequest: true)
  }

  // MARK: Keys

  private static let network = Array("WLAN".utf8)

  private func keys(_ network: [UInt8], _ autn: [UInt8]) throws(EAPRefusal) -> SessionKeys {
    let (identity, card) = (Array(peer.sent.revealed.utf8), Self.keys)
    switch method {
    case .aka: return try LoginKeys(identity: identity, ck: card.ck, ik: card.ik).session
    case .akaPrime:
      return try LoginKeys(identity: identity, ck: card.ck, ik: card.ik, networkName: network, autn: autn).session
    }
  }

  /// Makes AT_MAC for what the packet has become.
  ///
  /// - Returns: whether there was one.
  private mutating func sign(_ packet: inout [UInt8]) throws(EAPRefusal) -> Bool {
    guard packet.count > 8, packet[0] == 1, packet[4] == method.type else { return false }
    let attributes = Self.attributes(of: packet)
    guard let place = attributes.last(where: { packet[$0.lowerBound] == AttributeType.mac.rawValue && $0.count == 20 })
    else { return false }
    let keys: SessionKeys
    if packet[5] == AKASubtype.challenge.rawValue {
      let autn = attributes.last { packet[$0.lowerBound] == AttributeType.autn.rawValue && $0.count == 20 }
      guard let autn else { return false }
      let name = attributes.last { packet[$0.lowerBound] == AttributeType.keyDerivationInput.rawValue }
      keys = try self.keys(name.map { Self.text(packet[$0]) } ?? [], Array(packet[autn].dropFirst(4)))
      session = keys
    } else if let known = session ?? fast {
      keys = known
    } else {
      return false
    }
    let value = (place.lowerBound + 4)..<place.upperBound
    packet.replaceSubrange(value, with: repeatElement(0, count: value.count))
    packet.replaceSubrange(value, with: try keys.code(of: packet).revealed)
    return true
  }

  private static func attributes(of packet: [UInt8]) -> [Range<Int>] {
    var (ranges, place): ([Range<Int>], Int) = ([], 8)
    while place + 1 < packet.count {
      let count = Int(packet[place + 1]) * 4
      guard count > 0, place + count <= packet.count else { break }
      ranges.append(place..<(place + count))
      place += count
    }
    return ranges
  }

  /// The text of an attribute with a length.
  private static func text(_ attribute: ArraySlice<UInt8>) -> [UInt8] {
    let value = attribute.dropFirst(2)
    return Array(value.dropFirst(2).prefix(value.prefix(2).reduce(0) { $0 << 8 | Int($1) }))
  }
}

extension EAPPlay {
  /// Plays what a fuzzer's bytes say: how the login begins, then moves.
  package init(bytes: [UInt8]) throws(EAPRefusal) {
    var rest = bytes[...]
    func byte() -> Int { Int(rest.popFirst() ?? 0) }
    let first = byte()
    try self.init(first & 1 == 0 ? .aka : .akaPrime, hasLoggedIn: first & 2 != 0)
    while !rest.isEmpty {
      let (control, kind) = (byte(), byte())
      var move = Move(.template(Template.allCases[kind % Template.allCases.count]))
      if control & 1 != 0 {
        move.message = .raw(Array(rest.prefix(kind)))
        rest = rest.dropFirst(kind)
      }
      move.hasLength = control & 2 == 0
      move.isSigned = control & 4 == 0
      move.card = Card.allCases[control >> 3 & 3]
      for _ in 0..<(control >> 5) {
        let (edit, place, value) = (byte(), byte(), byte())
        switch edit & 3 {
        case 0: move.edits.append(.set(at: place, UInt8(value)))
        case 1: move.edits.append(.flip(at: place, UInt8(value)))
        case 2: move.edits.append(.remove(at: place, value & 31))
        default:
          move.edits.append(.insert(at: place, Array(rest.prefix(value & 31))))
          rest = rest.dropFirst(value & 31)
        }
      }
      try play(move)
    }
  }
}
