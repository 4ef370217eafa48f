/// Microsoft's extensions of the basic service, of which this modem has those for slots. They count
/// from 0.
extension MBIMEndpoint {
  private enum Command {
    static let systemCapabilities: UInt32 = 5
    static let slotMappings: UInt32 = 7
    static let slotInformation: UInt32 = 8
  }

  static let slotCommands: [UInt32] = [Command.systemCapabilities, Command.slotMappings, Command.slotInformation]

  func slots(_ command: MBIMCommand, engine: inout ModemEngine) -> MBIMReply {
    guard engine.cards.count > 1 else { return .failed(.noDeviceSupport) }
    switch (command.cid, command.isSet) {
    case (Command.systemCapabilities, false): return .success(engine.mbimSystemCapabilities)
    case (Command.slotMappings, false): return .success(engine.mbimSlotMappings)
    case (Command.slotMappings, true): return map(command.body, engine: &engine)
    case (Command.slotInformation, false):
      var reader = InformationReader(command.body)
      guard let index = reader.u32(), Int(index) < engine.cards.count else { return .failed(.invalidParameters) }
      return .success(engine.mbimSlotInformation(Int(index)))
    default: return .failed(.noDeviceSupport)
    }
  }

  /// MBIM_MS_DEVICE_SLOT_MAPPING_INFO with the one executor's slot.
  private func map(_ body: [UInt8], engine: inout ModemEngine) -> MBIMReply {
    var reader = InformationReader(body)
    guard reader.u32() == 1, let mapping = reader.bytes(), mapping.count == 4 else {
      return .failed(.invalidParameters)
    }
    let slot = Int(UInt32(littleEndian: mapping))
    guard slot < engine.cards.count else { return .failed(.invalidParameters) }
    guard engine.sessions.isEmpty else { return .failed(.busy) }
    engine.useSlot(slot)
    return .success(engine.mbimSlotMappings)
  }
}

extension ModemEngine {
  /// MBIM_SYS_CAPS_INFO: executors, slots, how many of them at once, the modem's number.
  fileprivate var mbimSystemCapabilities: [UInt8] {
    InformationBuffer.build {
      $0.u32(1)
      $0.u32(UInt32(cards.count))
      $0.u32(1)
      $0.u64(0)
    }
  }

  fileprivate var mbimSlotMappings: [UInt8] {
    InformationBuffer.build {
      $0.u32(1)
      var mapping = InformationBuffer()
      mapping.u32(UInt32(cards.active))
      $0.structure(mapping)
    }
  }

  /// MBIM_SLOT_INFO.
  fileprivate func mbimSlotInformation(_ index: Int) -> [UInt8] {
    let isActive = index == cards.active
    let state: UInt32 =
      switch cards[index] {
      case .empty: isActive ? 3 : 1
      case .initialising: 4
      case .ready(let card): !isActive ? 2 : card.sim.condition == .broken ? 6 : 5
      }
    return InformationBuffer.build {
      $0.u32(UInt32(index))
      $0.u32(state)
    }
  }
}
