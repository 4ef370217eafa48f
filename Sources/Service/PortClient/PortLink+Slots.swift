import ModemModel
import PortAPI
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
