import ModemModel

/// The SIM that a login is for. Another one, or the same one put in again, is another subscriber's
/// until the modem has read it.
struct SIMIdentity: Hashable, Sendable {
  var imsi: IMSI?
  var iccid: ICCID?

  init(_ sim: SIMStatus) {
    imsi = sim.imsi
    iccid = sim.iccid
  }
}

extension EAPLoginRequest {
  /// Bytes of a realm: a domain name's (RFC 1035, 2.3.4).
  static let realmCount = 1...253
  /// Bytes of a network's name that the port compares (RFC 9048, 3.1, allows more).
  static let networkNameCount = 1...255

  /// The name of the field that cannot be used; nil if all can. A realm is a host's name, and a
  /// network's name is printable ASCII.
  package var flaw: String? {
    if let realm, !Self.isHostName(realm) { return "realm" }
    if let networkName {
      guard Self.networkNameCount.contains(networkName.utf8.count),
        networkName.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
      else { return "networkName" }
    }
    return nil
  }

  private static func isHostName(_ text: String) -> Bool {
    guard realmCount.contains(text.utf8.count) else { return false }
    return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-")
        }
    }
  }
}

extension EAPMethod {
  /// What an identity with the IMSI begins with (RFC 4187, 4.1.1.6; RFC 9048, 3.4).
  fileprivate var prefix: String {
    switch self {
    case .aka: "0"
    case .akaPrime: "6"
    }
  }
}

extension EAPIdentity {
  /// The identity with the IMSI of a SIM, and its realm. The realm is the home network's unless one
  /// is given (3GPP TS 23.003, 19.3.2); a network whose MNC has an unknown length has none.
  ///
  /// - Throws: `ModemError` `simNotReady` without an IMSI, `EAPFault` `notSupported` without a
  ///   realm.
  init(of sim: SIMStatus, _ request: EAPLoginRequest) throws {
    guard let imsi = sim.imsi?.revealed else {
      throw ModemError(
        .simNotReady, "SIM authentication: the modem does not tell the SIM's IMSI; try again in a few seconds")
    }
    // 3GPP TS 23.003, 2.2: three digits, two or three, and at least one.
    guard (6...15).contains(imsi.utf8.count), imsi.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw ModemError(.badReply, "SIM authentication: what the modem tells as the SIM's IMSI is none")
    }
    guard let realm = request.realm ?? sim.home.map({ Self.realm(of: $0.plmn) }) else {
      throw EAPFault.notSupported(
        "the SIM's home network is not certain, because neither SIM nor modem tells how long its MNC is; give the realm of the "
          + "identity in the provider's file")
    }
    self.init(request.method.prefix + imsi + "@" + realm)
  }

  private static func realm(of home: PLMN) -> String {
    let mnc = home.mnc.utf8.count == 2 ? "0" + home.mnc : home.mnc
    return "nai.epc.mnc\(mnc).mcc\(home.mcc).3gppnetwork.org"
  }
}
