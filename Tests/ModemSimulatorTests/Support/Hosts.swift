import ModemModel
import NetworkAddress

@testable import ModemSimulator

/// A host that speaks MBIM to a modem without a port between them.
struct MBIMHost {
  var core: ModemCore

  init(_ configuration: SimulatedModemConfiguration = SimulatedModemConfiguration()) {
    core = ModemCore(configuration)
  }

  /// The messages that come back, in order.
  mutating func send(_ bytes: [UInt8]) -> [[UInt8]] { core.receive(bytes).messages }

  mutating func open(maxTransfer: UInt32 = 4096) -> [[UInt8]] {
    send([1, 16, 1, maxTransfer].flatMap(\.littleEndianBytes))
  }

  /// Sends a command of Basic Connect, and gives its answer's status and body with what came behind
  /// it.
  mutating func command(
    _ cid: UInt32, isSet: Bool = false, _ body: [UInt8] = []
  ) -> (status: UInt32, body: [UInt8], others: [[UInt8]]) {
    let answers = send(Self.message(cid, isSet: isSet, body))
    let first = answers[0]
    return (UInt32(littleEndian: first[40..<44]), Array(first.dropFirst(48)), Array(answers.dropFirst()))
  }

  static func message(
    _ cid: UInt32, isSet: Bool = false, _ body: [UInt8] = [], service: MBIMService = .basicConnect
  ) -> [UInt8] {
    [3, UInt32(48 + body.count), 2, 1, 0].flatMap(\.littleEndianBytes) + service.bytes
      + [cid, isSet ? 1 : 0, UInt32(body.count)].flatMap(\.littleEndianBytes) + body
  }

  static func connect(
    _ session: UInt32 = 0, isUp: Bool = true, type: UInt32 = 3, accessPoint: String = "internet"
  ) -> [UInt8] {
    InformationBuffer.build {
      $0.u32(session)
      $0.u32(isUp ? 1 : 0)
      $0.string(accessPoint)
      $0.string("")
      $0.string("")
      $0.u32(0)
      $0.u32(0)
      $0.u32(type)
      $0.uuid(.internetContext)
    }
  }
}

/// A host that speaks QMI to a modem without a port between them.
struct QMIHost {
  /// A response or an indication.
  struct Answer: Equatable {
    let bytes: [UInt8]
    let message: UInt16
    let fields: QMITLVs

    /// The error of a response, 0 for success; nil for an indication.
    var error: UInt16? {
      guard var result = fields[2], result.u16() != nil else { return nil }
      return result.u16()
    }
  }

  var core: ModemCore

  init(_ configuration: SimulatedModemConfiguration = SimulatedModemConfiguration()) {
    var configuration = configuration
    configuration.controlProtocol = .qmi
    core = ModemCore(configuration)
  }

  mutating func send(
    _ service: QMIService, client: UInt8, _ message: UInt16, _ fields: [(UInt8, [UInt8])] = []
  ) -> [Answer] {
    var list = QMITLVs()
    for field in fields { list.add(field.0, field.1) }
    let body = list.bytes
    let transaction: [UInt8] = service == .ctl ? [1] : [1, 0]
    let data = [0] + transaction + message.littleEndianBytes + UInt16(body.count).littleEndianBytes + body
    return send([1] + UInt16(data.count + 5).littleEndianBytes + [0, service.rawValue, client] + data)
  }

  mutating func send(_ bytes: [UInt8]) -> [Answer] { core.receive(bytes).messages.map(Self.read) }

  mutating func allocate(_ service: QMIService) -> UInt8 {
    guard var info = send(.ctl, client: 0, 0x22, [(1, [service.rawValue])])[0].fields[1], info.u8() != nil else {
      return 0
    }
    return info.u8() ?? 0
  }

  static func read(_ frame: [UInt8]) -> Answer {
    let header = frame[4] == 0 ? 2 : 3
    let message = UInt16(littleEndian: frame[(6 + header)..<(8 + header)])
    return Answer(bytes: frame, message: message, fields: QMITLVs(Array(frame.dropFirst(10 + header)))!)
  }
}

extension [EndpointAction] {
  var messages: [[UInt8]] {
    compactMap { action in
      if case .send(let bytes, _) = action { bytes } else { nil }
    }
  }
}

extension SimulatedModemConfiguration {
  /// The SIM of the byte strings below: a German test network.
  static var german: SimulatedModemConfiguration {
    var configuration = SimulatedModemConfiguration()
    configuration.sim?.imsi = "262015012345678"
    configuration.sim?.iccid = "89490200001234567890"
    configuration.sim?.numbers = ["+4915112345678"]
    configuration.sim?.home = Network(PLMN("26201")!, name: "Telekom.de")
    return configuration
  }
}
