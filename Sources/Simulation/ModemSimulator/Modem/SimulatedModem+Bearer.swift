import ModemModel
import NetworkAddress

/// Changes of a bearer other than a drop.
extension SimulatedModem {
  /// The modem loses its sessions without notice, as during a suspend of the machine.
  package func forgetSessions() {
    change { engine in
      engine.endSessions(.serviceLost) { _ in true }
      _ = engine.takeEvents()
    }
  }
}

extension ModemEngine {
  /// MBIM_PROVISIONED_CONTEXTS_INFO (MBIM 1.0, 10.5.13): each is of the type "internet".
  var mbimProvisionedContexts: [UInt8] {
    InformationBuffer.build { list in
      list.u32(UInt32(configuration.provisioned.count))
      for (position, accessPoint) in configuration.provisioned.enumerated() {
        list.structure(
          InformationBuffer.make {
            $0.u32(UInt32(position + 1))
            $0.uuid(.internetContext)
            $0.string(accessPoint.name ?? "")
            $0.string(accessPoint.user ?? "")
            $0.string(accessPoint.password?.revealed ?? "")
            $0.u32(0)
            $0.u32(accessPoint.authentication.mbimNumber)
          })
      }
    }
  }
}

extension InformationBuffer {
  fileprivate static func make(_ fill: (inout InformationBuffer) -> Void) -> InformationBuffer {
    var buffer = InformationBuffer()
    fill(&buffer)
    return buffer
  }
}

extension BearerRequest.Authentication {
  fileprivate var mbimNumber: UInt32 {
    switch self {
    case .none: 0
    case .pap: 1
    case .chap: 2
    case .mschapv2: 3
    }
  }

  /// 1 PAP, 2 CHAP.
  var qmiBits: UInt8 {
    switch self {
    case .none: 0
    case .pap: 1
    case .chap, .mschapv2: 2
    }
  }
}
