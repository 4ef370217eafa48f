import FlowService
import ModemAPI
import ModemModel
import ModemService
import TrafficLedger
import Varlink

/// org.modemd.Usage.
struct UsageHarness: Sendable {
  /// What others do over a bearer is theirs to know: each method gives a user the user's own.
  static let rights = InterfaceRights([
    .groups: [
      UsageInterface.Sockets.self, UsageInterface.EndSocket.self, UsageInterface.Get.self, UsageInterface.Watch.self,
    ]
  ])

  private static let dayRange = 0...400

  let registry: ModemRegistry
  let ledger: TrafficLedger

  func add(to router: inout VarlinkRouter) {
    router.add(UsageInterface.self)
    router.handle(UsageInterface.Sockets.self) { parameters, context in
      let modem = try modemID(parameters.modem)
      return .init(sockets: ledger.sockets(of: viewer(context.peer), modem: modem).map(UsageInterface.Socket.init))
    }
    router.handle(UsageInterface.EndSocket.self) { parameters, context in
      guard ledger.endSocket(parameters.id, for: viewer(context.peer)) else {
        throw VarlinkError(UsageInterface.NoSuchSocket(id: parameters.id))
      }
      return .init()
    }
    router.handle(UsageInterface.Get.self, get)
    router.stream(UsageInterface.Watch.self, watch)
  }

  @Sendable private func get(
    _ parameters: UsageInterface.Get.Parameters, _ context: CallContext
  ) async throws -> UsageInterface.Get.Reply {
    guard Self.dayRange.contains(parameters.days ?? 0) else { throw VarlinkError.invalidParameter("days") }
    let user = try user(parameters.user, context.peer)
    let report = ledger.usage(of: user, modem: try modemID(parameters.modem), days: parameters.days ?? 0)
    let groups = user == context.peer.userID ? context.peer.groupIDs : []
    return .init(
      bearer: report.bearer.map(UsageInterface.Usage.init), month: report.month.map(UsageInterface.Usage.init),
      days: report.days.map { .init(day: "\($0.day)", usage: $0.rows.map(UsageInterface.Usage.init)) },
      budgets: ledger.budgets(of: user, groups: groups).map(UsageInterface.Budget.init))
  }

  @Sendable private func watch(
    _ parameters: UsageInterface.Watch.Parameters, _ context: CallContext,
    _ replies: ReplySink<UsageInterface.Watch.Reply>
  ) async throws -> UsageInterface.Watch.Reply {
    let user = viewer(context.peer)
    let events = ledger.watchBudgets(of: user)
    let budgets = ledger.budgets(of: user, groups: user == nil ? [] : context.peer.groupIDs)
    let ready = UsageInterface.Watch.Reply(event: .ready, budgets: budgets.map(UsageInterface.Budget.init))
    guard context.more else { return ready }
    replies.send(ready)
    for await event in events {
      replies.send(.init(event: event.isSpent ? .spent : .warned, budgets: [UsageInterface.Budget(event.budget)]))
    }
    throw CancellationError()
  }

  /// Whose usage a peer may see: nil for everybody's.
  private func viewer(_ peer: Peer) -> UInt32? { peer.userID == 0 ? nil : peer.userID }

  /// The user that a call is about; nil for everybody.
  private func user(_ named: Int?, _ peer: Peer) throws -> UInt32? {
    guard let named else { return viewer(peer) }
    guard let user = UInt32(exactly: named), user != .max else { throw VarlinkError.invalidParameter("user") }
    guard peer.userID == 0 || user == peer.userID else { throw VarlinkError(UsageInterface.OtherUser(user: named)) }
    return user
  }

  private func modemID(_ name: String?) throws -> String? {
    guard let name else { return nil }
    return try onWire { try registry.find(name).state.id }
  }
}

extension UsageInterface.Socket {
  init(_ socket: BearerSocket) {
    let request = socket.request
    self.init(
      id: socket.id, modem: request.modem, interface: request.interface, user: Int(socket.user),
      process: request.processID.map(Int.init), program: socket.program, kind: request.isDatagram ? .datagram : .stream,
      way: request.purpose == .sockets ? .socket : request.purpose == .proxy ? .proxy : .stream,
      host: request.host, port: request.port, source: socket.source?.description ?? "",
      address: socket.address?.description, opened: socket.opened.description,
      sent: socket.isUncounted ? nil : socket.sent, received: socket.isUncounted ? nil : socket.received)
  }
}

extension UsageInterface.Usage {
  init(_ row: UsageReport.Row) {
    self.init(
      modem: row.key.modem, user: row.key.user.map { Int($0) }, purpose: Purpose(word: row.key.purpose.rawValue),
      sent: row.counts.sent, received: row.counts.received, roaming: row.counts.roaming,
      connections: row.counts.connections)
  }
}

extension UsageInterface.Budget {
  init(_ budget: Budget) {
    self.init(
      name: budget.key, user: Int(budget.user), unit: budget.kind.isOfBytes ? .bytes : .connections,
      limit: budget.limit, used: budget.used, resets: budget.resets?.description)
  }
}
