import ModemModel

extension ModemEngine {
  /// Why a command that needs the SIM cannot be carried out.
  var mbimSIMStatus: MBIMStatus {
    switch slot {
    case .empty: .simNotInserted
    case .initialising: .notInitialized
    case .ready(let card):
      switch card.sim.condition {
      case .broken: .badSIM
      case .notActivated: .serviceNotActivated
      case .working: card.lock == .open ? .success : .pinRequired
      }
    }
  }

  /// MBIM_DEVICE_CAPS_INFO (MBIM 1.0, 10.5.1).
  var mbimDeviceCaps: [UInt8] {
    InformationBuffer.build {
      $0.u32(1)  // embedded
      $0.u32(1)  // GSM
      $0.u32(1)  // no voice
      $0.u32(2)  // removable SIM
      $0.u32(Registration.Technology.allCases.reduce(0) { $0 | $1.mbimDataClass })
      $0.u32(1)  // receives SMS as PDUs
      $0.u32(1)  // manual registration
      $0.u32(UInt32(configuration.sessionLimit))
      $0.string("")
      $0.string(configuration.imei)
      $0.string(configuration.firmware)
      $0.string(configuration.hardware)
    }
  }

  /// MBIM_SUBSCRIBER_READY_INFO (MBIM 1.0, 10.5.2). A locked SIM shows only its serial number.
  var mbimSubscriberReadyStatus: [UInt8] {
    let (state, sim, isOpen): (UInt32, SimulatedSIM?, Bool) =
      switch slot {
      case .empty: (2, nil, false)
      case .initialising: (0, nil, false)
      case .ready(let card):
        switch card.lock {
        case _ where card.sim.condition == .broken: (3, nil, false)
        case .open where card.sim.condition == .notActivated: (5, card.sim, false)
        case .open: (1, card.sim, true)
        case .pin, .puk: (6, card.sim, false)
        case .blocked: (3, card.sim, false)
        }
      }
    return InformationBuffer.build {
      let numbers = isOpen && configuration.reportsNumbersOverMBIM ? sim?.numbers ?? [] : []
      $0.u32(state)
      $0.string(isOpen ? sim?.imsi ?? "" : "")
      $0.string(sim?.iccid ?? "")
      $0.u32(0)
      $0.u32(UInt32(numbers.count))
      for number in numbers { $0.string(number) }
    }
  }

  /// MBIM_RADIO_STATE_INFO: the hardware switch is always on.
  var mbimRadioState: [UInt8] {
    InformationBuffer.build {
      $0.u32(1)
      $0.u32(isRadioOn ? 1 : 0)
    }
  }

  /// MBIM_REGISTRATION_STATE_INFO (MBIM 1.0, 10.5.10).
  var mbimRegisterState: [UInt8] {
    let registration = registration
    return InformationBuffer.build {
      $0.u32(UInt32(registration.cause?.code ?? 0))
      $0.u32(registration.state.mbimRegisterState)
      $0.u32(1)  // automatic
      $0.u32(registration.technology?.mbimDataClass ?? 0)
      $0.u32(1)  // GSM
      $0.string(registration.serving?.plmn.description ?? "")
      $0.string(registration.serving?.name ?? "")
      $0.string(registration.state == .roaming ? "Roaming" : "")
      $0.u32(configuration.attachesByItself ? 2 : 0)
    }
  }

  /// MBIM_PACKET_SERVICE_INFO (MBIM 1.0, 10.5.11).
  var mbimPacketService: [UInt8] {
    let technology = isAttached ? registration.technology : nil
    return InformationBuffer.build {
      $0.u32(0)
      $0.u32(isAttached ? 2 : 4)
      $0.u32(technology?.mbimDataClass ?? 0)
      $0.u64(technology?.speeds.up ?? 0)
      $0.u64(technology?.speeds.down ?? 0)
    }
  }

  /// MBIM_SIGNAL_STATE_INFO (MBIM 1.0, 10.5.14).
  func mbimSignalState(_ reporting: SignalReporting) -> [UInt8] {
    InformationBuffer.build {
      $0.u32(rssi.map { UInt32(min(max(($0 + 113) / 2, 0), 31)) } ?? 99)
      $0.u32(99)
      $0.u32(reporting.interval)
      $0.u32(reporting.rssiThreshold)
      $0.u32(reporting.errorRateThreshold)
    }
  }
}

extension SIMCard {
  /// MBIM_PROVIDER of the home network (MBIM 1.0, 10.5.7).
  var mbimHomeProvider: [UInt8] {
    InformationBuffer.build {
      $0.string(sim.home.plmn.description)
      $0.u32(1)  // home
      $0.string(sim.home.name ?? "")
      $0.u32(1)  // GSM
      $0.u32(99)
      $0.u32(99)
    }
  }
}

extension MBIMEndpoint {
  /// MBIM_DEVICE_SERVICES_INFO: what this function serves.
  static func deviceServices(_ engine: ModemEngine) -> [UInt8] {
    let extensions =
      (engine.configuration.mbimExtensions > .none ? versionCommands : [])
      + (engine.cards.count > 1 ? slotCommands : [])
    let services: [(MBIMService, [UInt32])] = [
      (.versions, extensions), (.basicConnect, BasicConnect.allCases.map(\.rawValue)),
      (
        .uicc,
        (engine.hasUICCChannels ? channelCommands : []) + (engine.configuration.hasUICCAccess ? uiccCommands : [])
      ),
      (.auth, engine.authentication.ways.contains(.direct) ? authenticationCommands : []), (.qmi, [1]),
      (.sms, ShortMessages.allCases.map(\.rawValue)),
    ].filter { !$0.1.isEmpty }
    return InformationBuffer.build { buffer in
      buffer.u32(UInt32(services.count))
      buffer.u32(0)
      for (service, cids) in services {
        var element = InformationBuffer()
        element.uuid(service)
        element.u32(0)
        element.u32(0)
        element.u32(UInt32(cids.count))
        for cid in cids { element.u32(cid) }
        buffer.structure(element)
      }
    }
  }
}

extension Registration.State {
  fileprivate var mbimRegisterState: UInt32 {
    switch self {
    case .unknown: 0
    case .deregistered: 1
    case .searching: 2
    case .home: 3
    case .roaming: 4
    case .partner: 5
    case .denied: 6
    }
  }
}

extension Registration.Technology {
  /// Bits of MBIM_DATA_CLASS.
  fileprivate var mbimDataClass: UInt32 {
    switch self {
    case .gsm: 0x03
    case .umts: 0x1c
    case .lte: 0x20
    case .nrNonStandalone: 0x60
    case .nr: 0x80
    }
  }

  /// Bits per second.
  fileprivate var speeds: (up: UInt64, down: UInt64) {
    switch self {
    case .gsm: (118_400, 236_800)
    case .umts: (5_760_000, 42_000_000)
    case .lte: (50_000_000, 150_000_000)
    case .nrNonStandalone, .nr: (200_000_000, 1_000_000_000)
    }
  }
}
