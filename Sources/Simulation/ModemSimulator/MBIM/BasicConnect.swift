/// The commands of the service Basic Connect (MBIM 1.0, table 10-3).
enum BasicConnect: UInt32, Sendable, CaseIterable {
  case deviceCaps = 1
  case subscriberReadyStatus, radioState, pin, pinList, homeProvider
  case registerState = 9
  case packetService, signalState, connect, provisionedContexts, serviceActivation, ipConfiguration, deviceServices
  case deviceServiceSubscribeList = 19
  case packetStatistics
  case ipPacketFilters = 23

  func operation(of command: MBIMCommand) -> ModemOperation {
    switch self {
    case .deviceCaps: .deviceCaps
    case .deviceServices: .versions
    case .subscriberReadyStatus: .subscriber
    case .radioState: .radio
    case .pin, .pinList: .pin
    case .homeProvider: .homeNetwork
    case .registerState: .registration
    case .packetService: .packetService
    case .signalState: .signal
    case .connect: !command.isSet ? .connectionStatus : command.isActivation ? .connect : .disconnect
    case .ipConfiguration: .ipConfiguration
    case .deviceServiceSubscribeList: .subscribe
    case .provisionedContexts, .serviceActivation, .packetStatistics, .ipPacketFilters: .other
    }
  }
}

extension MBIMCommand {
  /// Whether this asks to bring a session up.
  var isActivation: Bool {
    service == .basicConnect && cid == BasicConnect.connect.rawValue && isSet
      && ByteReader(body.dropFirst(4)).firstWord == 1
  }
}

extension ByteReader {
  fileprivate var firstWord: UInt32? {
    var copy = self
    return copy.u32()
  }
}

extension MBIMEndpoint {
  mutating func basicConnect(_ command: MBIMCommand, engine: inout ModemEngine) -> MBIMReply {
    guard let cid = BasicConnect(rawValue: command.cid) else { return .failed(.noDeviceSupport) }
    if cid == .subscriberReadyStatus, !command.isSet, engine.takesFalseAbsence() {
      return query(cid, command, engine: engine.withoutCard)
    }
    return command.isSet ? set(cid, command, engine: &engine) : query(cid, command, engine: engine)
  }

  private func query(_ cid: BasicConnect, _ command: MBIMCommand, engine: ModemEngine) -> MBIMReply {
    switch cid {
    case .deviceCaps: .success(engine.mbimDeviceCaps)
    case .subscriberReadyStatus: .success(engine.mbimSubscriberReadyStatus)
    case .radioState: .success(engine.mbimRadioState)
    case .pin: engine.card.map { .success($0.mbimPIN) } ?? .failed(engine.mbimSIMStatus)
    case .pinList: engine.card.map { .success($0.mbimPINList) } ?? .failed(engine.mbimSIMStatus)
    case .homeProvider: engine.openCard.map { .success($0.mbimHomeProvider) } ?? .failed(engine.mbimSIMStatus)
    case .registerState: .success(engine.mbimRegisterState)
    case .packetService: .success(engine.mbimPacketService)
    case .signalState: .success(engine.mbimSignalState(signalReporting))
    case .connect: queryConnect(command.body, engine: engine)
    case .provisionedContexts: .success(engine.mbimProvisionedContexts)
    case .ipConfiguration: ipConfiguration(command.body, engine: engine)
    case .deviceServices: .success(Self.deviceServices(engine))
    case .packetStatistics: .success([UInt8](repeating: 0, count: 56))
    case .ipPacketFilters: emptyPacketFilters(command.body)
    case .serviceActivation, .deviceServiceSubscribeList: .failed(.noDeviceSupport)
    }
  }

  private mutating func set(_ cid: BasicConnect, _ command: MBIMCommand, engine: inout ModemEngine) -> MBIMReply {
    switch cid {
    case .radioState: setRadio(command.body, engine: &engine)
    case .pin: setPIN(command.body, engine: &engine)
    case .registerState: register(command.body, engine: &engine)
    case .packetService: setPacketService(command.body, engine: &engine)
    case .signalState: setSignalReporting(command.body, engine: engine)
    case .connect: connect(command.body, engine: &engine)
    case .serviceActivation: .failed(.serviceNotActivated)
    case .deviceServiceSubscribeList: subscribe(command.body)
    case .ipPacketFilters: emptyPacketFilters(command.body)
    default: .failed(.noDeviceSupport)
    }
  }

  func indications(for event: ModemEvent, engine: ModemEngine) -> [MBIMIndication] {
    let indicate = { (cid: BasicConnect, body: [UInt8]) in MBIMIndication(cid: cid.rawValue, body: body) }
    switch event {
    case .sim: return [indicate(.subscriberReadyStatus, engine.mbimSubscriberReadyStatus)]
    case .radio: return [indicate(.radioState, engine.mbimRadioState)]
    case .registration: return [indicate(.registerState, engine.mbimRegisterState)]
    case .packetService: return [indicate(.packetService, engine.mbimPacketService)]
    case .signal: return [indicate(.signalState, engine.mbimSignalState(signalReporting))]
    case .sessionDown(let session, let end):
      // The host that requested it already has its answer.
      guard case .mbim(let id) = session.owner, end != .hostAsked else { return [] }
      return [indicate(.connect, MBIMConnectInfo(session: id, families: session.families, cause: end.cause).bytes)]
    case .addresses(let owner):
      guard case .mbim(let id) = owner, let session = engine.session(of: owner) else { return [] }
      return [indicate(.ipConfiguration, engine.bearer(of: session).told.mbimIPConfiguration(session: id))]
    case .sessionUp, .messageStored, .messagePassedOn, .messageStoreFull: return []
    }
  }

  // MARK: Commands that set

  private func setRadio(_ body: [UInt8], engine: inout ModemEngine) -> MBIMReply {
    var reader = InformationReader(body)
    guard let state = reader.u32(), state <= 1 else { return .failed(.invalidParameters) }
    engine.follow { $0.isRadioOn = state == 1 }
    return .success(engine.mbimRadioState)
  }

  private func register(_ body: [UInt8], engine: inout ModemEngine) -> MBIMReply {
    var reader = InformationReader(body)
    guard let provider = reader.string(), let action = reader.u32(), reader.u32() != nil else {
      return .failed(.invalidParameters)
    }
    guard engine.openCard != nil else { return .failed(engine.mbimSIMStatus) }
    if action == 1, provider != engine.registration.serving?.plmn.description { return .failed(.providerNotVisible) }
    return .success(engine.mbimRegisterState)
  }

  private func setPacketService(_ body: [UInt8], engine: inout ModemEngine) -> MBIMReply {
    var reader = InformationReader(body)
    guard let action = reader.u32(), action <= 1 else { return .failed(.invalidParameters) }
    guard engine.openCard != nil else { return .failed(engine.mbimSIMStatus) }
    guard action == 1 || engine.registration.state.allowsData else { return .failed(.notRegistered) }
    engine.follow { $0.wantsAttach = action == 0 }
    return .success(engine.mbimPacketService)
  }

  private mutating func setSignalReporting(_ body: [UInt8], engine: ModemEngine) -> MBIMReply {
    var reader = InformationReader(body)
    guard let interval = reader.u32(), let rssi = reader.u32(), let errorRate = reader.u32() else {
      return .failed(.invalidParameters)
    }
    signalReporting = SignalReporting(interval: interval, rssiThreshold: rssi, errorRateThreshold: errorRate)
    return .success(engine.mbimSignalState(signalReporting))
  }

  private mutating func subscribe(_ body: [UInt8]) -> MBIMReply {
    guard let subscriptions = EventSubscriptions(body) else { return .failed(.invalidParameters) }
    opened?.subscriptions = subscriptions
    return .success(body)
  }

  private func emptyPacketFilters(_ body: [UInt8]) -> MBIMReply {
    var reader = InformationReader(body)
    guard let session = reader.u32() else { return .failed(.invalidParameters) }
    return .success(
      InformationBuffer.build {
        $0.u32(session)
        $0.u32(0)
      })
  }
}
