import NetworkAddress

/// Why a call ended or did not start, in QMI's two forms.
enum CallEnd: Hashable, Sendable {
  case clientEnded
  case noService
  case network(cause: Int)

  init(_ end: SessionEnd) {
    switch end {
    case .hostAsked: self = .clientEnded
    case .serviceLost: self = .noService
    case .network(let cause): self = .network(cause: cause)
    }
  }

  /// TLV 0x10, the old reason, and 0x11, the verbose one: type (3 call manager, 6 3GPP) and number.
  var fields: QMITLVs {
    let (reason, type, number): (UInt16, UInt16, UInt16) =
      switch self {
      case .clientEnded: (2, 3, 2000)
      case .noService: (3, 3, 2001)
      case .network(let cause): (Self.reason(for: cause), 6, UInt16(clamping: cause))
      }
    var fields = QMITLVs()
    fields.add(0x10, reason)
    fields.add(0x11, type.littleEndianBytes + number.littleEndianBytes)
    return fields
  }

  /// QmiWdsCallEndReason of a 3GPP cause; 1 is "unspecified".
  private static func reason(for cause: Int) -> UInt16 {
    let reasons: [Int: UInt16] = [
      8: 1012, 26: 1005, 27: 1013, 28: 1014, 30: 1015, 31: 1016, 32: 1017, 33: 1018, 34: 1006, 36: 1008, 38: 1009,
      39: 1010,
    ]
    return reasons[cause] ?? 1
  }
}

/// WDS: calls, their status and their settings.
extension QMIEndpoint {
  func wirelessData(
    _ request: QMIRequest, _ client: inout Client, engine: inout ModemEngine, details: inout QMITLVs
  ) throws(QMIError) -> QMITLVs {
    var fields = QMITLVs()
    switch request.message {
    case 0x00, 0x01, 0x03: break  // Reset, Set Event Report, Indication Register
    case 0x20: return try start(request, client, engine: &engine, details: &details)
    case 0x21: try stop(request, client, engine: &engine)
    case 0x22: fields.add(1, [engine.call(seenBy: client) == nil ? 1 : 2])
    case 0x2a: fields.add(1, [1, 0, 1, 0])
    case 0x49: fields.add(1, [1])
    case 0x2b: return try profile(request, engine)
    case 0x2d:
      guard let call = engine.call(seenBy: client) else { throw .outOfCall }
      return Self.settings(of: call, engine: engine, mask: request.fields[0x10]?.mask)
    case 0x4d:
      guard let field = request.fields[1], let family = field.family else { throw .invalidArgument }
      client.family = family
    case 0xa2:  // Bind Mux Data Port
      // Firmware without multiplexing does not know the message.
      guard engine.configuration.sessionLimit > 1 else { throw .invalidQMICommand }
      guard var field = request.fields[0x11], let id = field.u8() else { throw .missingArgument }
      guard id <= 254 else { throw .invalidArgument }
      client.muxID = id == 0 ? nil : id
    default: throw .invalidQMICommand
    }
    return fields
  }

  /// Start Network: APN 0x14, authentication 0x16, user 0x17, password 0x18, family 0x19.
  private func start(
    _ request: QMIRequest, _ client: Client, engine: inout ModemEngine, details: inout QMITLVs
  ) throws(QMIError) -> QMITLVs {
    let session = SessionRequest(
      owner: .qmi(client: client.id), accessPoint: request.fields.text(0x14) ?? "",
      user: request.fields.text(0x17) ?? "", password: request.fields.text(0x18) ?? "",
      families: [request.fields[0x19]?.family ?? client.family], muxID: client.muxID)
    var fields = QMITLVs()
    do {
      fields.add(1, try engine.activate(session).session.handle)
      return fields
    } catch {
      guard let end = error.callEnd else { throw .noEffect }
      details = end.fields
      throw .callFailed
    }
  }

  private func stop(_ request: QMIRequest, _ client: Client, engine: inout ModemEngine) throws(QMIError) {
    guard var field = request.fields[1], let handle = field.u32() else { throw .missingArgument }
    // 0xffffffff stops a call that the modem started by itself, which this one does not.
    guard let call = engine.sessions.first(where: { $0.handle == handle && $0.owner == .qmi(client: client.id) })
    else { throw handle == .max ? .noEffect : .invalidHandle }
    engine.endSessions(.hostAsked) { $0 == call }
  }

  /// Get Profile Settings: one 3GPP profile, number 1, with the first access point that was put
  /// into the modem.
  private func profile(_ request: QMIRequest, _ engine: ModemEngine) throws(QMIError) -> QMITLVs {
    guard var field = request.fields[1], let type = field.u8(), let index = field.u8() else { throw .missingArgument }
    guard type == 0, index == 1 else { throw .invalidProfile }
    var fields = QMITLVs()
    fields.add(0x10, text: "")
    fields.add(0x11, [3])
    let accessPoint = engine.configuration.provisioned.first
    fields.add(0x14, text: accessPoint?.name ?? "")
    if let user = accessPoint?.user { fields.add(0x1b, text: user) }
    if let password = accessPoint?.password { fields.add(0x1c, text: password.revealed) }
    fields.add(0x1d, [accessPoint?.authentication.qmiBits ?? 0])
    return fields
  }

  /// The indication of a call's start, end or new settings; nil where the client does not see that
  /// call.
  static func packetServiceStatus(for event: ModemEvent, to client: Client, engine: ModemEngine) -> QMITLVs? {
    var fields = QMITLVs()
    switch event {
    case .sessionUp(let owner), .addresses(let owner):
      guard let call = engine.session(of: owner), engine.call(seenBy: client) == call else { return nil }
      var changesAddresses = false
      if case .addresses = event { changesAddresses = true }
      fields.add(1, [2, changesAddresses ? 1 : 0])
      fields.add(0x12, [call.qmiFamily])
    case .sessionDown(let call, let end):
      guard call.isSeen(by: client), engine.call(seenBy: client) == nil else { return nil }
      fields.add(1, [1, 0])
      for field in CallEnd(end).fields.fields { fields.add(field.type, field.value) }
      fields.add(0x12, [call.qmiFamily])
    default: return nil
    }
    return fields
  }

  // MARK: Settings

  /// Bits of the mask in Get Current Settings.
  private enum Wanted {
    static let profile: UInt32 = 1 << 0
    static let pdpType: UInt32 = 1 << 2
    static let accessPoint: UInt32 = 1 << 3
    static let dns: UInt32 = 1 << 4
    static let address: UInt32 = 1 << 8
    static let gateway: UInt32 = 1 << 9
    static let mtu: UInt32 = 1 << 13
    static let family: UInt32 = 1 << 15
    /// What a modem returns if nothing particular is requested.
    static let usual = accessPoint | dns | address | gateway | mtu | family
  }

  private static func settings(of call: PDNSession, engine: ModemEngine, mask: UInt32?) -> QMITLVs {
    let bearer = engine.bearer(of: call).told
    let mask = mask ?? Wanted.usual
    var fields = QMITLVs()
    if mask & Wanted.pdpType != 0 { fields.add(0x11, [call.families == [.ipv4] ? 0 : 2]) }
    if mask & Wanted.accessPoint != 0, !call.accessPoint.isEmpty { fields.add(0x14, text: call.accessPoint) }
    if call.families.contains(.ipv4) { addIPv4(bearer, mask, &fields) } else { addIPv6(bearer, mask, &fields) }
    if mask & Wanted.mtu != 0, let mtu = bearer.mtu { fields.add(0x29, UInt32(mtu)) }
    if mask & Wanted.family != 0 { fields.add(0x2b, [call.qmiFamily]) }
    return fields
  }

  /// IPv4 values are numbers, so their bytes are the other way round on the wire.
  private static func addIPv4(_ bearer: SimulatedBearer, _ mask: UInt32, _ fields: inout QMITLVs) {
    if let assignment = bearer.ipv4 {
      let length = assignment.prefix.length
      if mask & Wanted.address != 0 { fields.add(0x1e, assignment.prefix.address.bytes.reversed()) }
      if mask & Wanted.gateway != 0 {
        fields.add(0x21, length == 0 ? UInt32(0) : UInt32.max << UInt32(32 - length))
        if let gateway = assignment.gateway { fields.add(0x20, gateway.bytes.reversed()) }
      }
    }
    guard mask & Wanted.dns != 0 else { return }
    for (type, server) in zip([0x15, 0x16] as [UInt8], bearer.dnsIPv4) { fields.add(type, server.bytes.reversed()) }
  }

  private static func addIPv6(_ bearer: SimulatedBearer, _ mask: UInt32, _ fields: inout QMITLVs) {
    if let assignment = bearer.ipv6 {
      let length = UInt8(assignment.prefix.length)
      if mask & Wanted.address != 0 { fields.add(0x25, assignment.prefix.address.bytes + [length]) }
      if mask & Wanted.gateway != 0, let gateway = assignment.gateway { fields.add(0x26, gateway.bytes + [length]) }
    }
    guard mask & Wanted.dns != 0 else { return }
    for (type, server) in zip([0x27, 0x28] as [UInt8], bearer.dnsIPv6) { fields.add(type, server.bytes) }
  }
}

extension ByteReader {
  fileprivate var family: AddressFamily? {
    var copy = self
    return switch copy.u8() {
    case 4: .ipv4
    case 6: .ipv6
    default: nil
    }
  }

  fileprivate var mask: UInt32? {
    var copy = self
    return copy.u32()
  }
}

extension PDNSession {
  fileprivate var qmiFamily: UInt8 { families.contains(.ipv4) ? 4 : 6 }

  fileprivate func isSeen(by client: QMIEndpoint.Client) -> Bool {
    owner == .qmi(client: client.id) || families.contains(client.family) && muxID == client.muxID
  }
}

extension ModemEngine {
  /// A client's own call, else the call of the client's family on its data port or multiplexing id.
  fileprivate func call(seenBy client: QMIEndpoint.Client) -> PDNSession? {
    session(of: .qmi(client: client.id)) ?? sessions.first { $0.isSeen(by: client) }
  }
}

extension SessionRefusal {
  /// Nil where the client's call is up already.
  fileprivate var callEnd: CallEnd? {
    switch self {
    case .alreadyActive: nil
    case .noSIM, .simLocked, .radioOff, .notRegistered, .detached: .noService
    case .noFreeBearer: .network(cause: 65)
    case .network(let cause): .network(cause: cause)
    }
  }
}
