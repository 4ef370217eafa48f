import ModemAPI
import ModemModel
import Varlink

/// Slots over one port's socket.
extension PortLink {
  func slots() async throws -> SIMSlots {
    let reply = try await ask(PortInterface.Slots.self, .init())
    return SIMSlots(reply.slots.map { SIMSlot($0) }, canSwitch: reply.switchable)
  }

  func switchSlot(to slot: Int) async throws -> ModemState {
    try ModemState(try await ask(PortInterface.SwitchSlot.self, .init(slot: slot)).state)
  }
}

extension ModemError {
  /// What the port said about its slots; nil for an error about something else.
  init?(aboutSlots error: VarlinkError) {
    if let use = error.parameters(as: PortInterface.InUse.self) {
      self.init(.inUse, use.text)
    } else if let unknown = error.parameters(as: PortInterface.NoSuchSlot.self) {
      self.init(.noSuchSlot, unknown.text)
    } else if let lack = error.parameters(as: PortInterface.SlotsNotSupported.self) {
      self.init(.notSupported, lack.text)
    } else {
      return nil
    }
  }
}
