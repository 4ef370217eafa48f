import ModemAPI
import ModemModel
import ModemService
import Varlink

/// The slots of org.modemd.Modem.
struct SlotHarness: Sendable {
  let registry: ModemRegistry

  func add(to router: inout VarlinkRouter) {
    router.handle(ModemInterface.Slots.self) { parameters, _ in
      try await onSlotWire {
        let slots = try await registry.find(parameters.modem).link.slots()
        return .init(
          slots: slots.slots.map { ModemInterface.Slot($0) }, switchable: slots.canSwitch)
      }
    }
    router.handle(ModemInterface.SwitchSlot.self) { parameters, _ in
      try await onSlotWire {
        let state = try await registry.find(parameters.modem).link.switchSlot(to: parameters.slot)
        return .init(modem: ModemInterface.Modem(state))
      }
    }
  }

  private func onSlotWire<Reply>(_ body: () async throws -> Reply) async throws -> Reply {
    try await onWire {
      do {
        return try await body()
      } catch let error as ModemError {
        throw error.onWire(aboutSlots: true)
      }
    }
  }
}
