import FlowService
import ModemAPI
import ModemModel
import ModemService
import Synchronization
import Varlink

/// org.modemd.Modem. List and Get are answered from memory, encoded once for each change.
struct ModemHarness: Sendable {
  /// A few wrong PINs block the SIM; another slot is another subscription.
  static let rights = InterfaceRights([
    .groups: [ModemInterface.List.self, ModemInterface.Get.self, ModemInterface.Watch.self, ModemInterface.Slots.self],
    .ownEntry: [ModemInterface.UnlockPIN.self, ModemInterface.SwitchSlot.self],
  ])

  let registry: ModemRegistry
  private let access: AccessPolicy
  private let encoded = EncodedCache()
  /// For those who are not told who the SIM is.
  private let encodedWithoutIdentity = EncodedCache()

  init(registry: ModemRegistry, access: AccessPolicy) {
    self.registry = registry
    self.access = access
  }

  func add(to router: inout VarlinkRouter) {
    router.add(ModemInterface.self)
    router.answer(ModemInterface.List.self) { _, context in
      cache(for: context.peer).list(at: registry.version) {
        .init(modems: registry.modems.map { shown($0, to: context.peer) })
      }
    }
    router.answer(ModemInterface.Get.self) { parameters, context in
      try onWire {
        // The version is read first: an entry that is newer than its version is only encoded once
        // more.
        let version = registry.version
        return try cache(for: context.peer).modem(parameters.modem, at: version) {
          .init(modem: shown(try registry.find(parameters.modem).state, to: context.peer))
        }
      }
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

  private func cache(for peer: Peer) -> EncodedCache {
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
    for await change in changes where id == nil || change.modem.id == id {
      let word: ModemInterface.Watch.Reply.Change =
        switch change {
        case .added: .added
        case .changed: .changed
        case .removed: .removed
        }
      replies.send(.init(change: word, modem: shown(change.modem, to: context.peer)))
    }
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

/// Replies as JSON, kept until the registry changes.
private final class EncodedCache: Sendable {
  private struct Contents {
    var version: UInt64 = 0
    var list: EncodedReply<ModemInterface.List.Reply>?
    var modems: [String?: EncodedReply<ModemInterface.Get.Reply>] = [:]

    mutating func advance(to version: UInt64) {
      guard version != self.version else { return }
      self = Contents(version: version)
    }
  }

  private let contents = Mutex(Contents())

  func list(at version: UInt64, _ make: () -> ModemInterface.List.Reply) -> EncodedReply<ModemInterface.List.Reply> {
    contents.withLock { contents in
      contents.advance(to: version)
      let reply = contents.list ?? EncodedReply(make())
      contents.list = reply
      return reply
    }
  }

  /// - Parameter make: Throws if there is no such modem. Nothing is kept then: callers choose
  ///   names, and those of modems are few.
  func modem(
    _ name: String?, at version: UInt64, _ make: () throws -> ModemInterface.Get.Reply
  ) throws -> EncodedReply<ModemInterface.Get.Reply> {
    try contents.withLock { contents in
      contents.advance(to: version)
      let reply = try contents.modems[name] ?? EncodedReply(make())
      contents.modems[name] = reply
      return reply
    }
  }
}
