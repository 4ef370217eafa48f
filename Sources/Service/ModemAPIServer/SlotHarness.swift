import ModemAPI
import ModemModel
import ModemService
import Varlink

/// The slots of org.modemd.Modem.
struct SlotHarness: Sendable {
  let registry: ModemRegistry
  let access: AccessPolicy

  func add(to router: inout VarlinkRouter) {
    router.handle(ModemInterface.Slots.self) { parameters, context in
      try await onSlotWire {
        let slots = try await registry.find(parameters.modem).link.slots()
        let showsIdentity = access.showsIdentity(to: context.peer)
        let shown = slots.slots.map { slot in
          var shown = ModemInterface.Slot(slot)
          if !showsIdentity { shown.iccid = nil }
          return shown
        }
        return .init(slots: shown, switchable: slots.canSwitch)
      }
    }
    router.handle(ModemInterface.SwitchSlot.self) { parameters, context in
      try await onSlotWire {
        let state = try await registry.find(parameters.modem).link.switchSlot(to: parameters.slot)
        return .init(
          modem: ModemInterface.Modem(access.showsIdentity(to: context.peer) ? state : state.withoutIdentity))
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
