import ModemModel

extension EAPPeer {
  /// AKA-Challenge, as far as it goes without the card (RFC 4187, 9.3; RFC 9048, 3).
  mutating func challenge(_ message: ReceivedMessage) throws(EAPRefusal) -> Step {
    let chosen: [UInt16]?
    switch state {
    case .beginning: chosen = nil
    case .expectingChallenge(let keyDerivations): chosen = keyDerivations
    case .asking, .answered, .concluded, .refused, .closed: throw .unexpected(.challenge)
    }
    var expected = AttributeList.Expected(
      [.rand, .autn, .mac], optional: [.vector, .encryptedData, .checkcode, .resultIndication, .bidding])
    if method == .akaPrime { expected.optional.formUnion([.keyDerivation, .keyDerivationInput]) }
    let attributes = try message.attributes(expected)
    guard let challenge = AKAChallenge(rand: try attributes.content(.rand), autn: try attributes.content(.autn)) else {
      throw .length
    }
    if method == .akaPrime {
      try checkNetworkName(attributes)
      if let choice = try choose(attributes.keyDerivations, after: chosen) {
        enter(.expectingChallenge(keyDerivations: attributes.keyDerivations))
        var answer = AKAMessage(.challenge)
        try answer.add(.keyDerivation, choice)
        return .answer(
          EAPReply(
            .synchronisation, packet: answer.packet(method, identifier: message.identifier),
            networkName: networkName(attributes), text: "The SIM's side chose another key derivation (AT_KDF)."))
      }
      // The separation bit of the AMF, in AUTN behind SQN (3GPP TS 33.102, annex H).
      guard challenge.autn[6] & 0x80 != 0 else { throw .noSeparation }
    }
    _ = try checkcode(attributes)
    guard !asked.contains(challenge) else { throw .repeatedChallenge }
    asked.append(challenge)
    enter(
      .asking(
        PendingChallenge(
          message: message, attributes: attributes, challenge: challenge,
          networkName: attributes[.keyDerivationInput] ?? [], keyDerivations: chosen)))
    return .challenge(challenge)
  }

  /// The card's answer to it.
  mutating func answer(_ pending: PendingChallenge, _ card: AKAAnswer) throws(EAPRefusal) -> EAPReply {
    switch card {
    case .refused: throw .card
    case .synchronise(let auts):
      guard asked.count < Self.challengeLimit else { throw .stillOutOfStep }
      var answer = AKAMessage(.synchronizationFailure)
      try answer.add(.auts, auts.bytes)
      for number in pending.attributes.keyDerivations { try answer.add(.keyDerivation, number) }
      enter(.expectingChallenge(keyDerivations: pending.keyDerivations))
      return EAPReply(
        .synchronisation, packet: answer.packet(method, identifier: pending.message.identifier),
        networkName: networkName(pending.attributes))
    case .response(let response): return try respond(pending, response)
    }
  }

  private mutating func respond(_ pending: PendingChallenge, _ response: AKAResponse) throws(EAPRefusal) -> EAPReply {
    let (message, attributes) = (pending.message, pending.attributes)
    let keys = try keys(pending, response)
    // Before anything of the card's answer leaves: whoever cannot make this code has only the
    // challenge, seen elsewhere, and would collect a RES for it.
    try message.check(attributes, keys)
    let prefersPrime = method == .aka && attributes.number(.bidding).map { $0 & 0x8000 != 0 } ?? false
    if prefersPrime, configuration.refusesBiddingDown { throw .biddingDown }
    let next = try nextIdentities(attributes, keys)

    var answer = AKAMessage(.challenge)
    try answer.add(.res, response.res.revealed)
    if let checkcode = try checkcode(attributes) { try answer.add(.checkcode, checkcode) }
    let expectsResult = attributes.has(.resultIndication)
    if expectsResult { try answer.add(.resultIndication) }
    let packet = try answer.packet(protectedBy: keys, identifier: message.identifier)
    if let next { kept = next }
    enter(.answered(Session(keys: keys, counter: nil, expectsResult: expectsResult)))
    return EAPReply(
      .response, packet: packet, networkName: networkName(attributes),
      text: prefersPrime ? "The server prefers EAP-AKA′ to EAP-AKA." : nil)
  }

  private func keys(_ pending: PendingChallenge, _ response: AKAResponse) throws(EAPRefusal) -> SessionKeys {
    let identity = Array(sent.revealed.utf8)
    switch method {
    case .aka: return try LoginKeys(identity: identity, ck: response.ck, ik: response.ik).session
    case .akaPrime:
      return try LoginKeys(
        identity: identity, ck: response.ck, ik: response.ik, networkName: pending.networkName,
        autn: pending.challenge.autn
      ).session
    }
  }
}

// MARK: EAP-AKA′

extension EAPPeer {
  /// The key derivation that this peer has (RFC 9048, 3.3).
  private static let keyDerivation: UInt16 = 1

  /// The peer's choice, if the server has to be told; nil if the server's first is the peer's
  /// (RFC 9048, 3.2).
  ///
  /// - Parameter chosen: the list of which the peer chose before.
  private func choose(_ offer: [UInt16], after chosen: [UInt16]?) throws(EAPRefusal) -> UInt16? {
    if let chosen {
      // The choice ahead of the same list: somebody on the way could otherwise take away choices.
      guard offer == [Self.keyDerivation] + chosen else { throw .changedKeyDerivation }
      return nil
    }
    guard offer.contains(Self.keyDerivation) else { throw .noKeyDerivation }
    guard Set(offer).count == offer.count else { throw .changedKeyDerivation }
    return offer.first == Self.keyDerivation ? nil : Self.keyDerivation
  }

  /// Compares the network's name with the configured one, field by field as far as both go (RFC
  /// 9048, 3.1).
  private func checkNetworkName(_ attributes: AttributeList) throws(EAPRefusal) {
    guard let name = attributes[.keyDerivationInput], !name.isEmpty else { throw .noNetworkName }
    guard let expected = configuration.networkName else { return }
    let (theirs, ours) = (Self.fields(name), Self.fields(Array(expected.utf8)))
    guard zip(theirs, ours).allSatisfy({ $0 == $1 }) else { throw .otherNetworkName }
  }

  private static func fields(_ name: [UInt8]) -> [ArraySlice<UInt8>] {
    name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
  }

  /// For people; what is not printable is a question mark.
  func networkName(_ attributes: AttributeList) -> String? {
    attributes[.keyDerivationInput].map { name in
      String(decoding: name.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
  }
}
