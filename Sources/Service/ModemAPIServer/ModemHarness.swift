import FlowService
import ModemAPI
import ModemModel
import ModemService
import Varlink

/// org.modemd.Modem. List and Get are answered from memory, and each modem is encoded once for each
/// of its changes.
struct ModemHarness: Sendable {
  /// A few wrong PINs block the SIM; another slot is another subscription.
  static let rights = InterfaceRights([
    .groups: [ModemInterface.List.self, ModemInterface.Get.self, ModemInterface.Watch.self, ModemInterface.Slots.self],
    .ownEntry: [ModemInterface.UnlockPIN.self, ModemInterface.SwitchSlot.self],
  ])

  let registry: ModemRegistry
  private let access: AccessPolicy
  private let encoded = EncodedModems { ModemInterface.Modem($0) }
  /// For those who are not told who the SIM is.
  private let encodedWithoutIdentity = EncodedModems { ModemInterface.Modem($0.withoutIdentity) }

  init(registry: ModemRegistry, access: AccessPolicy) {
    self.registry = registry
    self.access = access
  }

  func add(to router: inout VarlinkRouter) {
    router.add(ModemInterface.self)
    router.answer(ModemInterface.List.self) { _, context in
      encoded(for: context.peer).list(of: registry)
    }
    router.answer(ModemInterface.Get.self) { parameters, context in
      try onWire { try encoded(for: context.peer).modem(parameters.modem, of: registry) }
    }
    router.stream(ModemInterface.Watch.self, watch)
    router.handle(ModemInterface.UnlockPIN.self) { parameters, context in
      guard let pin = PIN(parameters.pin) else { throw VarlinkError.invalidParameter("pin") }
      let mayBeLast = parameters.lastAttempt ?? false
      // For all groups in the table: only root may block a SIM for good.
      guard !mayBeLast || Caller(context.peer).isRoot else { throw VarlinkError.permissionDenied }
      return try await onWire {
        let state = try await registry.find(parameters.modem).link.unlock(with: pin, mayBeLast: mayBeLast)
        return .init(modem: shown(state, to: context.peer))
      }
    }
  }

  private func encoded(for peer: Peer) -> EncodedModems {
    access.showsIdentity(to: peer) ? encoded : encodedWithoutIdentity
  }

  private func shown(_ state: ModemState, to peer: Peer) -> ModemInterface.Modem {
    ModemInterface.Modem(access.showsIdentity(to: peer) ? state : state.withoutIdentity)
  }

  @Sendable private func watch(
    _ parameters: ModemInterface.Watch.Parameters, _ context: CallContext,
    _ replies: ReplySink<ModemInterface.Watch.Reply>
  ) async throws -> ModemInterface.Watch.Reply {
    let changes = registry.watch()
    let id = try onWire { try parameters.modem.map { try registry.find($0).state.id } }
    guard context.more else { return .init(change: .ready) }
    replies.send(.init(change: .ready))
    let encoded = encoded(for: context.peer)
    for await change in changes where id == nil || change.modem.id == id { replies.send(encoded.change(change)) }
    throw CancellationError()
  }
}

extension ModemState {
  /// Without what says who the SIM and the device are.
  var withoutIdentity: ModemState {
    var state = self
    state.identity.imei = nil
    (state.sim.iccid, state.sim.imsi, state.sim.numbers) = (nil, nil, [])
    return state
  }
}
