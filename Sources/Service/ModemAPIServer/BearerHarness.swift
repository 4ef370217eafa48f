import FlowService
import ModemAPI
import ModemModel
import ModemService
import Varlink

/// org.modemd.Bearer.
struct BearerHarness: Sendable {
  static let rights = InterfaceRights([
    .groups: [
      BearerInterface.Connect.self, BearerInterface.Disconnect.self, BearerInterface.Get.self,
      BearerInterface.Watch.self,
    ],
    .ownEntry: [
      BearerInterface.Resolve.self, BearerInterface.OpenSocket.self, BearerInterface.OpenStream.self,
    ],
  ])

  let registry: ModemRegistry
  let bearers: BearerService

  func add(to router: inout VarlinkRouter) {
    router.add(BearerInterface.self)
    router.handle(BearerInterface.Connect.self) { parameters, _ in
      try await onWire {
        let state = try await bearers.connect(
          parameters.modem, apn: parameters.apn, ipType: parameters.ipType.flatMap { .init(rawValue: $0.rawValue) },
          keeps: true)
        return .init(bearer: BearerInterface.Bearer(of: state))
      }
    }
    router.handle(BearerInterface.Disconnect.self) { parameters, _ in
      try await onWire { .init(bearer: BearerInterface.Bearer(of: try await bearers.disconnect(parameters.modem))) }
    }
    router.handle(BearerInterface.Get.self) { parameters, _ in
      try onWire { .init(bearer: BearerInterface.Bearer(of: try registry.find(parameters.modem).state)) }
    }
    router.stream(BearerInterface.Watch.self, watch)
  }

  @Sendable private func watch(
    _ parameters: BearerInterface.Watch.Parameters, _ context: CallContext,
    _ replies: ReplySink<BearerInterface.Watch.Reply>
  ) async throws -> BearerInterface.Watch.Reply {
    let changes = registry.watch()
    let entry = try onWire { try registry.find(parameters.modem) }
    var last = entry.state.bearer
    let ready = BearerInterface.Watch.Reply(event: .ready, bearer: BearerInterface.Bearer(of: entry.state))
    guard context.more else { return ready }
    replies.send(ready)
    for await change in changes where change.modem.id == entry.state.id && change.modem.bearer != last {
      last = change.modem.bearer
      replies.send(.init(event: .changed, bearer: BearerInterface.Bearer(of: change.modem)))
    }
    throw CancellationError()
  }
}
