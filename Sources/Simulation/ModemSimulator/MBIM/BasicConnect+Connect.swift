import NetworkAddress

/// MBIM_CONNECT_INFO (MBIM 1.0, 10.5.12), the answer to Connect and its indication.
struct MBIMConnectInfo {
  var session: UInt32
  var isActive = false
  var families: Set<AddressFamily>
  var cause: Int?

  var bytes: [UInt8] {
    InformationBuffer.build {
      $0.u32(session)
      $0.u32(isActive ? 1 : 3)
      $0.u32(0)
      $0.u32(families.mbimIPType)
      $0.uuid(.internetContext)
      $0.u32(UInt32(cause ?? 0))
    }
  }
}

extension Set<AddressFamily> {
  /// MBIM_CONTEXT_IP_TYPES; 0 is the modem's choice.
  fileprivate var mbimIPType: UInt32 { isEmpty ? 0 : count == 2 ? 3 : contains(.ipv4) ? 1 : 2 }

  fileprivate init?(mbimIPType type: UInt32) {
    switch type {
    case 1: self = [.ipv4]
    case 2: self = [.ipv6]
    case 0, 3, 4: self = [.ipv4, .ipv6]
    default: return nil
    }
  }
}

extension MBIMEndpoint {
  func queryConnect(_ body: [UInt8], engine: ModemEngine) -> MBIMReply {
    var reader = InformationReader(body)
    guard let id = reader.u32() else { return .failed(.invalidParameters) }
    guard let session = engine.session(of: .mbim(id)) else {
      return .success(MBIMConnectInfo(session: id, families: []).bytes)
    }
    return .success(MBIMConnectInfo(session: id, isActive: true, families: session.families).bytes)
  }

  func connect(_ body: [UInt8], engine: inout ModemEngine) -> MBIMReply {
    var reader = InformationReader(body)
    guard let id = reader.u32(), let command = reader.u32(), command <= 1, let accessPoint = reader.string(),
      let user = reader.string(), let password = reader.string(), reader.u32() != nil, reader.u32() != nil,
      let families = reader.u32().flatMap({ Set(mbimIPType: $0) }), let context = reader.uuid(),
      id <= 255
    else { return .failed(.invalidParameters) }
    guard command == 1 else { return disconnect(id, engine: &engine) }
    guard context == .internetContext else { return .failed(MBIMStatus(code: 38)) }
    // With any number: a modem with one session uses number 0.
    guard id == 0 || engine.configuration.sessionLimit > 1 else { return .failed(.maxActivatedContexts) }
    let request = SessionRequest(
      owner: .mbim(id), accessPoint: accessPoint, user: user, password: password, families: families)
    do {
      let (session, cause) = try engine.activate(request)
      return .success(MBIMConnectInfo(session: id, isActive: true, families: session.families, cause: cause).bytes)
    } catch {
      return Self.reply(to: error, session: id, engine: engine)
    }
  }

  private func disconnect(_ id: UInt32, engine: inout ModemEngine) -> MBIMReply {
    guard let session = engine.session(of: .mbim(id)) else { return .failed(.contextNotActivated) }
    engine.endSessions(.hostAsked) { $0 == session }
    return .success(MBIMConnectInfo(session: id, families: session.families).bytes)
  }

  private static func reply(to refusal: SessionRefusal, session: UInt32, engine: ModemEngine) -> MBIMReply {
    switch refusal {
    case .noSIM, .simLocked: return .failed(engine.mbimSIMStatus)
    case .radioOff: return .failed(.radioPowerOff)
    case .notRegistered: return .failed(.notRegistered)
    case .detached: return .failed(.packetServiceDetached)
    case .alreadyActive, .noFreeBearer: return .failed(.maxActivatedContexts)
    case .network(let cause): return refused(session, cause)
    }
  }

  /// The answer to an activation that the network refuses with this cause.
  static func refusal(of command: MBIMCommand, cause: Int) -> MBIMReply {
    var reader = InformationReader(command.body)
    return refused(reader.u32() ?? 0, cause)
  }

  private static func refused(_ session: UInt32, _ cause: Int) -> MBIMReply {
    MBIMReply(status: .failure, body: MBIMConnectInfo(session: session, families: [], cause: cause).bytes)
  }

  /// MBIM_IP_CONFIGURATION_INFO (MBIM 1.0, 10.5.20).
  func ipConfiguration(_ body: [UInt8], engine: ModemEngine) -> MBIMReply {
    var reader = InformationReader(body)
    guard let id = reader.u32() else { return .failed(.invalidParameters) }
    guard let session = engine.session(of: .mbim(id)) else { return .failed(.contextNotActivated) }
    return .success(engine.bearer(of: session).told.mbimIPConfiguration(session: id))
  }
}

extension SimulatedBearer {
  func mbimIPConfiguration(session: UInt32) -> [UInt8] {
    InformationBuffer.build { buffer in
      buffer.u32(session)
      buffer.u32(available(ipv4 != nil, gateway: ipv4?.gateway, dns: dnsIPv4))
      buffer.u32(available(ipv6 != nil, gateway: ipv6?.gateway, dns: dnsIPv6))
      for assignment in [ipv4, ipv6] {
        buffer.u32(assignment == nil ? 0 : 1)
        buffer.reference(
          assignment.map { UInt32($0.prefix.length).littleEndianBytes + $0.prefix.address.bytes } ?? [])
      }
      for assignment in [ipv4, ipv6] { buffer.reference(assignment?.gateway?.bytes ?? []) }
      for servers in [dnsIPv4, dnsIPv6] {
        buffer.u32(UInt32(servers.count))
        buffer.reference(servers.flatMap(\.bytes))
      }
      buffer.u32(ipv4 == nil ? 0 : UInt32(mtu ?? 0))
      buffer.u32(ipv6 == nil ? 0 : UInt32(mtu ?? 0))
    }
  }

  /// Bits of MBIM_IP_CONFIGURATION_AVAILABLE: address, gateway, DNS, MTU.
  private func available(_ hasAddress: Bool, gateway: IPAddress?, dns: [IPAddress]) -> UInt32 {
    guard hasAddress else { return 0 }
    return 1 | (gateway == nil ? 0 : 2) | (dns.isEmpty ? 0 : 4) | (mtu == nil ? 0 : 8)
  }
}
