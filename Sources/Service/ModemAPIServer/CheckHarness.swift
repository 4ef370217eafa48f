import FlowService
import JournalLog
import LimitClock
import ModemAPI
import ModemModel
import ModemService
import RedirectChain
import Varlink

/// org.modemd.Check.
struct CheckHarness: Sendable {
  static let rights = InterfaceRights([
    .groups: [CheckInterface.Open.self, CheckInterface.Prepare.self, CheckInterface.History.self]
  ])

  /// What `History` may be asked for at most.
  private static let historyLimits = 1...10_000

  let checks: CheckService
  let access: AccessPolicy

  func add(to router: inout VarlinkRouter) {
    router.add(CheckInterface.self)
    router.stream(CheckInterface.Open.self, open)
    router.runCalls(of: CheckInterface.Open.self) { [checks] _ in checks.executor() }
    router.handle(CheckInterface.Prepare.self, prepare)
    router.handle(CheckInterface.History.self) { parameters, context in
      let limit = parameters.limit ?? Self.historyLimits.upperBound
      guard Self.historyLimits.contains(limit) else {
        throw VarlinkError(CheckInterface.InvalidOption(option: "limit", expected: "1 to 10000"))
      }
      if let trace = parameters.trace, !TraceContext.isTraceID(trace) {
        throw ChainRequest.invalid("trace", "32 lower-case hexadecimal digits that are not all zero")
      }
      let past = checks.past(for: Caller(context.peer), trace: parameters.trace, limit: limit)
      return .init(checks: past.map { CheckInterface.PastCheck($0) })
    }
  }

  @Sendable private func open(
    _ parameters: CheckInterface.Open.Parameters, _ context: CallContext,
    _ replies: ReplySink<CheckInterface.Open.Reply>
  ) async throws -> CheckInterface.Open.Reply {
    let reveals = parameters.reveal ?? false
    guard !reveals || access.allowsRevealing(context.peer) else { throw VarlinkError.permissionDenied }
    let request = try ChainRequest(parameters)
    let trace = try TraceContext(option: parameters.traceparent)
    let start = checks.clock.now
    replies.send(.init(event: .ready))
    let outcome = try await TraceContext.$current.withValue(trace) {
      try await onWire {
        try await checks.open(request, modem: parameters.modem, caller: Caller(context.peer)) { hop in
          replies.send(.init(event: .hop, hop: CheckInterface.Hop(hop, reveals: reveals)))
        }
      }
    }
    var last = CheckInterface.Outcome(outcome, after: checks.clock.now - start)
    last.trace = trace.traceID
    return .init(event: .outcome, outcome: last)
  }

  @Sendable private func prepare(
    _ parameters: CheckInterface.Prepare.Parameters, _ context: CallContext
  ) async throws -> CheckInterface.Prepare.Reply {
    let start = checks.clock.now
    let url = try parameters.url.map(ChainRequest.start)
    let trace = try TraceContext(option: parameters.traceparent)
    let ready = try await TraceContext.$current.withValue(trace) {
      try await onWire {
        try await checks.prepare(
          url, learns: parameters.learn, modem: parameters.modem, caller: Caller(context.peer))
      }
    }
    let time = checks.clock.now - start
    return .init(
      modem: ready.modem, source: ready.source, resolved: ready.names.filter(\.isResolved).map(\.host),
      unresolved: ready.names.filter { !$0.isResolved }.map(\.host), milliseconds: time.milliseconds,
      trace: trace.traceID, connected: ready.connections)
  }
}

extension TraceContext {
  /// The trace that a caller gave, or a new one.
  fileprivate init(option text: String?) throws {
    guard let text else {
      self.init()
      return
    }
    guard let given = TraceContext(traceparent: text) else {
      throw ChainRequest.invalid("traceparent", TraceContext.expected)
    }
    self = given
  }
}

extension Caller {
  init(_ peer: Peer) { self.init(userID: peer.userID, groupIDs: peer.groupIDs) }
}
