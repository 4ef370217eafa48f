import ModemModel

extension EAPPeer {
  /// AKA-Reauthentication (RFC 4187, 5 and 9.7).
  mutating func reauthenticate(_ message: ReceivedMessage) throws(EAPRefusal) -> EAPReply {
    guard case .beginning = state, let fast = offered?.fast, sent == fast.identity else {
      throw .unexpected(.reauthentication)
    }
    let attributes = try message.attributes(
      .init([.vector, .encryptedData, .mac], optional: [.checkcode, .resultIndication]))
    try message.check(attributes, fast.keys)
    let checkcode = try checkcode(attributes)
    let inner = try attributes.decrypted(
      fast.keys, .init([.counter, .nonce], optional: [.nextReauthenticationIdentity, .padding]))
    guard let inner, let counter = inner.number(.counter), let nonce = inner[.nonce] else {
      throw .missingAttribute(.counter)
    }
    let isFresh = counter >= fast.counter

    var secret = AttributeText()
    try secret.add(.counter, counter)
    if !isFresh { try secret.add(.counterTooSmall) }
    var answer = AKAMessage(.reauthentication)
    try answer.addEncrypted(secret, keys: fast.keys, vector: try vector())
    if let checkcode { try answer.add(.checkcode, checkcode) }
    let expectsResult = isFresh && attributes.has(.resultIndication)
    if expectsResult { try answer.add(.resultIndication) }
    let packet = try answer.packet(protectedBy: fast.keys, identifier: message.identifier, nonce: nonce)
    guard isFresh else {
      // A full authentication follows (RFC 4187, 5.5).
      enter(.expectingChallenge(keyDerivations: nil))
      return EAPReply(
        .reauthentication, packet: packet, text: "The server's counter is too small; it has to ask the SIM.")
    }
    kept =
      EAPReauthentication(
        method: method, permanent: configuration.permanent, pseudonym: offered?.pseudonym,
        fast: Self.fast(inner[.nextReauthenticationIdentity], after: counter, fast.keys)
      ).orNothing
    enter(.answered(Session(keys: fast.keys, counter: counter, expectsResult: expectsResult)))
    return EAPReply(.reauthentication, packet: packet)
  }

  /// AKA-Notification (RFC 4187, 6 and 9.10).
  mutating func notify(_ message: ReceivedMessage) throws(EAPRefusal) -> EAPReply {
    let attributes = try message.attributes(
      .init([.notification], optional: [.mac, .vector, .encryptedData]))
    guard let number = attributes.number(.notification) else { throw .missingAttribute(.notification) }
    // The S bit and the P bit (RFC 4187, 10.19).
    let (isSuccess, isUnprotected) = (number & 0x8000 != 0, number & 0x4000 != 0)
    let packet: [UInt8]
    switch state {
    case .concluded, .closed, .asking: throw .unexpected(.notification)
    case .beginning, .expectingChallenge, .refused, .answered:
      if isUnprotected {
        guard !isSuccess else { throw .notification(number) }
        packet = AKAMessage(.notification).packet(method, identifier: message.identifier)
      } else {
        guard case .answered(let session) = state else { throw .notification(number) }
        try message.check(attributes, session.keys)
        packet = try answer(message, attributes, session)
      }
    }
    enter(.concluded(isSuccess: isSuccess))
    return EAPReply(
      .notification, packet: packet, notification: Int(number), text: Self.meaning(ofNotification: number))
  }

  /// After a fast re-authentication, request and answer have its counter (RFC 4187, 6.1).
  private func answer(
    _ message: ReceivedMessage, _ attributes: AttributeList, _ session: Session
  ) throws(EAPRefusal) -> [UInt8] {
    var answer = AKAMessage(.notification)
    if let counter = session.counter {
      let inner = try attributes.decrypted(session.keys, .init([.counter], optional: [.padding]))
      guard let inner, inner.number(.counter) == counter else { throw .counter }
      var secret = AttributeText()
      try secret.add(.counter, counter)
      try answer.addEncrypted(secret, keys: session.keys, vector: try vector())
    }
    return try answer.packet(protectedBy: session.keys, identifier: message.identifier)
  }

  /// One sentence for people.
  private static func meaning(ofNotification number: UInt16) -> String? {
    switch number {
    case 0: "The server failed after it had recognised the SIM."
    case 1026: "The network denies this subscriber access for now."
    case 1031: "The subscription does not include this service."
    case 16384: "The server failed before it had recognised the SIM."
    case 32768: nil
    default: "The server sent the notification \(number)."
    }
  }

  private func vector() throws(EAPRefusal) -> [UInt8] {
    let vector = random(Libcrypto.blockCount)
    guard vector.count == Libcrypto.blockCount else { throw .library }
    return vector
  }
}

// MARK: What a login leaves

extension EAPPeer {
  /// What AT_ENCR_DATA of a challenge gives for later logins (RFC 4187, 4.1.1.9 and 5.1); nil where
  /// it is not used.
  func nextIdentities(_ attributes: AttributeList, _ keys: SessionKeys) throws(EAPRefusal) -> EAPReauthentication? {
    guard configuration.reauthenticates else { return nil }
    let inner = try attributes.decrypted(
      keys, .init([], optional: [.nextPseudonym, .nextReauthenticationIdentity, .padding]))
    let pseudonym = Self.text(inner?[.nextPseudonym]).map { name in
      // The server gives the name alone; its realm is the permanent identity's.
      name.contains("@") ? name : name + configuration.permanent.revealed.drop { $0 != "@" }
    }
    return EAPReauthentication(
      method: method, permanent: configuration.permanent,
      pseudonym: pseudonym.map { EAPIdentity($0) } ?? offered?.pseudonym,
      fast: Self.fast(inner?[.nextReauthenticationIdentity], after: 0, keys)
    ).orNothing
  }

  /// - Parameter counter: of the login that gives it; 0 of a full authentication.
  private static func fast(
    _ name: [UInt8]?, after counter: UInt16, _ keys: SessionKeys
  ) -> EAPReauthentication.Fast? {
    guard let name = text(name), counter < .max else { return nil }
    return EAPReauthentication.Fast(identity: EAPIdentity(name), counter: counter + 1, keys: keys)
  }

  /// A name that can be sent as it is; nil for any other, which is not used.
  private static func text(_ bytes: [UInt8]?) -> String? {
    guard let bytes, (1...255).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension EAPReauthentication {
  /// Nil if there is nothing in it.
  fileprivate var orNothing: EAPReauthentication? { pseudonym == nil && fast == nil ? nil : self }
}
