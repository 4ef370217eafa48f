import ModemModel
import ModemPort
import PortAPI
import Varlink

/// Slots over org.modemd.Port.
extension PortRouter {
  static func addSlots(to router: inout VarlinkRouter, _ port: ModemPort) {
    router.handle(PortInterface.Slots.self) { _, _ in
      try await onSlotWire("slots") {
        let slots = try await port.slots()
        return PortInterface.Slots.Reply(
          slots: slots.slots.map { PortInterface.Slot($0) }, switchable: slots.canSwitch)
      }
    }
    router.handle(PortInterface.SwitchSlot.self) { parameters, _ in
      try await onSlotWire("switch slot") {
        PortInterface.SwitchSlot.Reply(state: PortInterface.State(try await port.switchSlot(to: parameters.slot)))
      }
    }
  }

  private static func onSlotWire<Reply>(_ operation: String, _ body: () async throws -> Reply) async throws -> Reply {
    do {
      return try await body()
    } catch let error as ModemError {
      throw error.onPortWire(operation, aboutSlots: true)
    }
  }
}
