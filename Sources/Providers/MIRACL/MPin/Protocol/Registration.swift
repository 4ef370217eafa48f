extension MPinToken {
  /// The end of a registration: the token from the client's secret and a PIN.
  ///
  /// With the shares CS1 and CS2 and the key pair's z, it is z·(CS1 + CS2) − PIN·H.
  /// - Parameters:
  ///   - identity: with the public key of `keys`.
  ///   - shares: from the two addresses that the service gave.
  ///   - keys: those with which the identity was registered; drop them afterwards.
  ///   - pin: all of its digits count.
  /// - Throws: `keyMismatch`; `identityPoint` for shares that cancel each other out; `library`.
  public init(
    identity: MPinIdentity, shares: (ClientSecretShare, ClientSecretShare), keys: DVSKeyPair, pin: UserPIN
  ) throws(MPinError) {
    guard keys.publicKey == identity.publicKey else {
      throw MPinError(.keyMismatch, "the key pair is not the one that the identity was registered with")
    }
    let secret = try keys.privateKey * ClientSecret(joining: shares.0, shares.1).point
    self = try ClientSecret(secret).token(pin: pin, base: identity.point.curvePoint())
  }
}

/// The client's complete secret, which only exists while a function runs.
struct ClientSecret {
  let point: CurvePoint

  init(_ point: CurvePoint) { self.point = point }

  init(joining first: ClientSecretShare, _ second: ClientSecretShare) throws(MPinError) {
    point = try CurvePoint(first.bytes) + CurvePoint(second.bytes)
    guard !point.isInfinity else {
      throw MPinError(.identityPoint, "the two client secret shares cancel each other out")
    }
  }

  /// Token + PIN·H.
  init(_ token: MPinToken, pin: UserPIN, base: CurvePoint) throws(MPinError) {
    // The multiple has one H too many, which is then subtracted, so that no PIN is a special case.
    let token = try CurvePoint(token.bytes, "token")
    point = try token - base + pin.successor() * base
  }

  /// Secret − PIN·H.
  func token(pin: UserPIN, base: CurvePoint) throws(MPinError) -> MPinToken {
    try MPinToken(checked: (point + base - pin.successor() * base).bytes("token"))
  }

  /// V = −(x + y)·secret.
  func proof(_ x: Scalar, _ challenge: ServerChallenge) throws(MPinError) -> G1Point {
    try G1Point(((x + challenge.scalar) * point).negated(), "proof V")
  }
}
