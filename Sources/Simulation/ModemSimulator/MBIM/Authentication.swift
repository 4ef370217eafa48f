import Milenage

/// The service AUTH, of which this modem has AKA and AKAP (MBIM 1.0, 10.5.32 and 10.5.33).
extension MBIMEndpoint {
  private static let (aka, akap): (UInt32, UInt32) = (1, 2)
  static let authenticationCommands = [aka, akap]

  func authentication(_ command: MBIMCommand, engine: inout ModemEngine) -> MBIMReply {
    guard engine.authentication.ways.contains(.direct), Self.authenticationCommands.contains(command.cid),
      !command.isSet
    else { return .failed(.noDeviceSupport) }
    var reader = InformationReader(command.body)
    guard let rand = reader.take(16), let autn = reader.take(16) else { return .failed(.invalidParameters) }
    var networkName: [UInt8]?
    if command.cid == Self.akap {
      guard let name = reader.string() else { return .failed(.invalidParameters) }
      // The separation bit (3GPP TS 33.102, annex H).
      guard autn[6] & 0x80 != 0 else { return .failed(.authAMFNotSet) }
      networkName = Array(name.utf8)
    }
    guard engine.openCard != nil else { return .failed(engine.mbimSIMStatus) }
    guard let answer = engine.challenge(rand: rand, autn: autn) else { return .failed(engine.mbimSIMStatus) }
    return Self.reply(to: answer, networkName: networkName, autn: autn)
  }

  /// - Parameters:
  ///   - networkName: what the keys are bound to; nil for AKA.
  ///   - autn: of the challenge.
  static func reply(to answer: ChallengeAnswer, networkName: [UInt8]?, autn: [UInt8]) -> MBIMReply {
    switch answer {
    case .response(let res, let length, let ck, let ik, _):
      let keys = networkName.map { Milenage.keys(ck: ck, ik: ik, autn: autn, boundTo: $0) } ?? (ck: ck, ik: ik)
      return .success(information(res: res, length: UInt32(length), ck: keys.ck, ik: keys.ik, auts: []))
    case .synchronisation(let auts):
      guard !auts.isEmpty else { return .failed(.authSyncFailure) }
      return MBIMReply(
        status: .authSyncFailure, body: information(res: [], length: 0, ck: [], ik: [], auts: auts))
    case .refused(.wrongMAC): return .failed(.authIncorrectAUTN)
    case .refused(.securityNotSatisfied): return .failed(.pinRequired)
    case .refused: return .failed(.failure)
    }
  }

  /// MBIM_AUTH_AKA_INFO: IK comes before CK, and AUTS is padded to a whole word.
  private static func information(
    res: [UInt8], length: UInt32, ck: [UInt8], ik: [UInt8], auts: [UInt8]
  ) -> [UInt8] {
    InformationBuffer.build {
      $0.append(res.filled(to: 16))
      $0.u32(length)
      $0.append(ik.filled(to: 16))
      $0.append(ck.filled(to: 16))
      $0.append(auts.filled(to: 16))
    }
  }
}

extension [UInt8] {
  /// The first `count` bytes, with zeros behind them where there are fewer.
  fileprivate func filled(to count: Int) -> [UInt8] {
    Array((self + [UInt8](repeating: 0, count: count)).prefix(count))
  }
}
