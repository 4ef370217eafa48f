/// The 16 bytes that name an MBIM service (MBIM 1.0, table 10-2), in the order on the wire.
struct MBIMService: Hashable, Sendable {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  private init(high: UInt64, low: UInt64) { bytes = (high.littleEndianBytes + low.littleEndianBytes).reversedHalves }

  static let basicConnect = MBIMService(high: 0xa289_cc33_bcbb_8b4f, low: 0xb6b0_133e_c2aa_e6df)
  /// Short messages.
  static let sms = MBIMService(high: 0x533f_beeb_14fe_4467, low: 0x9f90_33a2_23e5_6c3f)
  /// Microsoft's UICC low level access.
  static let uicc = MBIMService(high: 0xc2f6_588e_f037_4bc9, low: 0x8665_f4d4_4bd0_9367)
  /// Challenges for the SIM.
  static let auth = MBIMService(high: 0x1d2b_5ff7_0aa1_48b2, low: 0xaa52_50f1_5767_174e)
  /// QMI frames carried in MBIM commands.
  static let qmi = MBIMService(high: 0xd1a3_0bc2_f97a_6e43, low: 0xbf65_c7e2_4fb0_f0d3)
  /// Not a service: the context type "internet" (MBIM 1.0, table 10-64).
  static let internetContext = MBIMService(high: 0x7e5e_2a7e_4e6f_7272, low: 0x736b_656e_7e5e_2a7e)
}

extension [UInt8] {
  /// Two little-endian halves of eight bytes, each turned around.
  fileprivate var reversedHalves: [UInt8] { Array(prefix(8).reversed() + suffix(8).reversed()) }
}

/// Status codes of MBIM_COMMAND_DONE (MBIM 1.0, table 9-15).
struct MBIMStatus: Hashable, Sendable, ExpressibleByIntegerLiteral {
  let code: UInt32

  init(code: UInt32) { self.code = code }
  init(integerLiteral code: UInt32) { self.code = code }

  static let success: MBIMStatus = 0
  static let busy: MBIMStatus = 1
  static let failure: MBIMStatus = 2
  static let simNotInserted: MBIMStatus = 3
  static let badSIM: MBIMStatus = 4
  static let pinRequired: MBIMStatus = 5
  static let pinDisabled: MBIMStatus = 6
  static let notRegistered: MBIMStatus = 7
  static let noDeviceSupport: MBIMStatus = 9
  static let providerNotVisible: MBIMStatus = 10
  static let packetServiceDetached: MBIMStatus = 12
  static let maxActivatedContexts: MBIMStatus = 13
  static let notInitialized: MBIMStatus = 14
  static let contextNotActivated: MBIMStatus = 16
  static let serviceNotActivated: MBIMStatus = 17
  static let radioPowerOff: MBIMStatus = 20
  static let invalidParameters: MBIMStatus = 21
  static let operationNotAllowed: MBIMStatus = 28
  static let authIncorrectAUTN: MBIMStatus = 35
  static let authSyncFailure: MBIMStatus = 36
  static let authAMFNotSet: MBIMStatus = 37
  static let smsFormatNotSupported: MBIMStatus = 104
  /// Microsoft's UICC low level access.
  static let noLogicalChannels: MBIMStatus = 0x8743_0001
  static let selectFailed: MBIMStatus = 0x8743_0002
  static let invalidLogicalChannel: MBIMStatus = 0x8743_0003
}

/// Errors of MBIM_FUNCTION_ERROR (MBIM 1.0, table 9-9).
enum MBIMFunctionError: UInt32, Sendable {
  case fragmentOutOfSequence = 2
  case lengthMismatch = 3
  case notOpened = 5
  case unknown = 6
}

/// A whole message from the host, its fragments joined.
enum MBIMRequest: Hashable, Sendable {
  case open(transaction: UInt32, maxTransfer: UInt32)
  case close(transaction: UInt32)
  case command(MBIMCommand)
  /// The host reports an error, which a function does not answer.
  case hostError(transaction: UInt32)
}

/// MBIM_COMMAND_MSG (MBIM 1.0, 9.3.4).
struct MBIMCommand: Hashable, Sendable {
  var transaction: UInt32
  var service: MBIMService
  var cid: UInt32
  var isSet: Bool
  var body: [UInt8]
}

/// What MBIM_COMMAND_DONE says.
struct MBIMReply: Hashable, Sendable {
  var status: MBIMStatus
  var body: [UInt8] = []

  static func success(_ body: [UInt8]) -> MBIMReply { MBIMReply(status: .success, body: body) }
  static func failed(_ status: MBIMStatus) -> MBIMReply { MBIMReply(status: status) }
}

/// MBIM_INDICATE_STATUS_MSG (MBIM 1.0, 9.4.5).
struct MBIMIndication: Hashable, Sendable {
  var service = MBIMService.basicConnect
  var cid: UInt32
  var body: [UInt8]
}

/// Writes what the function sends, cut into fragments of the size that the host opened with (MBIM
/// 1.0, 9.5).
enum MBIMEncoder {
  static func openDone(transaction: UInt32, status: MBIMStatus) -> [UInt8] {
    plain(type: 0x8000_0001, transaction: transaction, value: status.code)
  }

  static func closeDone(transaction: UInt32, status: MBIMStatus) -> [UInt8] {
    plain(type: 0x8000_0002, transaction: transaction, value: status.code)
  }

  static func functionError(transaction: UInt32, _ error: MBIMFunctionError) -> [UInt8] {
    plain(type: 0x8000_0004, transaction: transaction, value: error.rawValue)
  }

  /// The fragments of a reply, one after the other.
  static func commandDone(_ command: MBIMCommand, _ reply: MBIMReply, maxTransfer: Int) -> [UInt8] {
    let payload =
      command.service.bytes + command.cid.littleEndianBytes + reply.status.code.littleEndianBytes
      + UInt32(reply.body.count).littleEndianBytes + reply.body
    return fragments(type: 0x8000_0003, transaction: command.transaction, payload, maxTransfer: maxTransfer)
  }

  /// The fragments of an indication, one after the other.
  static func indication(_ indication: MBIMIndication, maxTransfer: Int) -> [UInt8] {
    let payload =
      indication.service.bytes + indication.cid.littleEndianBytes + UInt32(indication.body.count).littleEndianBytes
      + indication.body
    return fragments(type: 0x8000_0007, transaction: 0, payload, maxTransfer: maxTransfer)
  }

  private static func plain(type: UInt32, transaction: UInt32, value: UInt32) -> [UInt8] {
    [type, 16, transaction, value].flatMap(\.littleEndianBytes)
  }

  private static func fragments(type: UInt32, transaction: UInt32, _ payload: [UInt8], maxTransfer: Int) -> [UInt8] {
    let room = max(maxTransfer, 64) - 20
    let count = max((payload.count + room - 1) / room, 1)
    return (0..<count).flatMap { index -> [UInt8] in
      let part = payload[index * room..<min((index + 1) * room, payload.count)]
      let header = [type, UInt32(20 + part.count), transaction, UInt32(count), UInt32(index)]
      return header.flatMap(\.littleEndianBytes) + part
    }
  }
}
