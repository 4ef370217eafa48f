import AuthCore
import AuthFlows
import JournalLog
import LimitClock
import Logging
import ModemModel
import RedirectChain
import ShortMessage
import Web

/// Runs authentication flows for callers: finds the modem, and gives each flow its lanes and its
/// turn.
package struct AuthenticationService: Sendable {
  /// One exchange over the machine's own network, for a caller. No connection of one user serves
  /// another.
  package typealias HostSend =
    @Sendable (_ call: BackendCall, _ caller: Caller) async throws -> Result<BackendReply, BackendFailure>

  /// Opens a connection for a caller's call to come over the machine's own network. It returns at
  /// once.
  package typealias HostConnect = @Sendable (_ url: WebURL, _ caller: Caller) -> Void

  /// The configured providers.
  package private(set) var providers: ProviderSet
  private let registry: ModemRegistry
  private var checks: CheckService
  private let messages: MessageService?
  private var send: HostSend
  private var connect: HostConnect
  private let hostLane: HostLane
  private let simLane: SIMLane
  /// Hears how flows end, and which calls fail.
  package let observer: (any ServiceObserver)?
  /// For the limits of flows and for their times.
  package let clock: LimitClock
  package let logger: Logger
  /// The time of day.
  package let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - messages: nil for a service that reads no messages.
  package init(
    providers: ProviderSet, registry: ModemRegistry, checks: CheckService, messages: MessageService?,
    now: @escaping @Sendable () -> Timestamp, clock: LimitClock = .machine, logger: Logger = .silent,
    observer: (any ServiceObserver)? = nil,
    connect: @escaping HostConnect = { _, _ in }, send: @escaping HostSend
  ) {
    self.observer = observer
    self.providers = providers
    self.registry = registry
    self.checks = checks
    self.messages = messages
    self.logger = logger
    self.now = now
    self.send = send
    self.connect = connect
    self.clock = clock
    hostLane = HostLane(clock: clock)
    simLane = SIMLane(clock: clock)
  }

  /// The same service with other providers: flows that were begun before go on with theirs, and all
  /// share their turns at the providers' hosts.
  package func replacing(
    providers: ProviderSet, checks: CheckService, connect: @escaping HostConnect = { _, _ in },
    send: @escaping HostSend
  ) -> AuthenticationService {
    var service = self
    (service.providers, service.checks, service.send, service.connect) = (providers, checks, send, connect)
    return service
  }

  /// The SIM of a flow.
  ///
  /// - Parameter modem: id, device or interface; nil for the only modem.
  /// - Throws: `ServiceError`.
  package func subscriber(_ modem: String?) throws -> Subscriber { Subscriber(try registry.find(modem).state) }

  /// A runner for a caller's machines.
  ///
  /// - Parameters:
  ///   - modem: its bearer carries everything that must go over one; id, device or interface; nil
  ///     for the only one, if anything needs one.
  ///   - askForCode: gets a code or a PIN from the caller; nil for flows without one.
  ///   - onProgress: called for each finished hop and step, in order. It must not block.
  package func run(
    on modem: String?, for caller: Caller, askForCode: FlowLanes.AskForCode? = nil,
    onProgress: @escaping @Sendable (FlowProgress) -> Void
  ) -> FlowRun {
    let (checks, messages, hostLane, send, observer) = (checks, messages, hostLane, send, observer)
    // The kinds of chains that the flow has not come to yet: each is made ready once.
    let warmed = WarmedKinds()
    var lanes = FlowLanes(
      prepare: { try await checks.readiness(of: modem, caller) },
      open: { call, onHop in
        if let kind = call.request.kind { warmed.remove(kind) }
        return try await Self.open(call, checks, modem, caller, onHop)
      },
      send: { call in
        let result = try await hostLane.send(call, for: caller) { try await send($0, caller) }
        if case .failure(let failure) = result { observer?.failed(failure) }
        return result
      },
      readCode: { wait in
        guard let messages else {
          return .failure(CodeFailure(.unavailable, "this service reads no messages; give the code yourself"))
        }
        return try await Self.readCode(wait, messages, modem)
      })
    lanes.connect = { [connect] url in connect(url, caller) }
    if let askForCode { lanes.askForCode = askForCode }
    lanes.messageObstacle = { [registry] number in
      await MessageObstacle.to(number, on: modem, registry, messages)
    }
    lanes.askSIM = { [registry, simLane] question in
      try await simLane.ask(question, on: modem, of: registry, for: caller)
    }
    lanes.warm = { kind, first in
      guard warmed.insert(kind) else { return }
      checks.warm(kind, first: first, modem: modem, caller: caller)
    }
    lanes.bearerObstacle = { [registry] in BearerObstacle.on(modem, registry) }
    lanes.addresses = { [registry] in
      let settings = try? registry.find(modem).state.bearer.state.installed?.settings
      return [settings?.ipv4, settings?.ipv6].compactMap { $0?.prefix.address }
    }
    return FlowRun(FlowDriver(lanes, now: now, clock: clock), for: caller.owner, onProgress: onProgress)
  }

  private static func open(
    _ call: BearerCall, _ checks: CheckService, _ modem: String?, _ caller: Caller,
    _ onHop: @escaping @Sendable (ChainHop) -> Void
  ) async throws -> BearerReply {
    let visited = VisitedHops()
    var request = call.request
    request.isOfFlow = true
    let outcome = try await checks.open(request, modem: modem, caller: caller) { hop in
      visited.note(hop)
      onHop(hop)
    }
    return BearerReply(
      outcome.result, modem: outcome.modem, source: outcome.source, family: visited.family, visited: visited.urls)
  }

  private static func readCode(
    _ wait: CodeWait, _ messages: MessageService, _ modem: String?
  ) async throws -> Result<Secret, CodeFailure> {
    do {
      var request = try CodeRequest(
        modem: modem, sender: wait.sender, pattern: wait.pattern,
        timeoutSeconds: Int(clamping: wait.time.components.seconds))
      // To the millisecond: a message older than its request belongs to another sign-in.
      request.lookBack = wait.lookBack
      request.refused = Set(wait.refused.map(\.revealed))
      return .success(Secret(try await messages.waitForCode(request).code.revealed))
    } catch let error as MessageError {
      if case .noCode = error.code { return .failure(CodeFailure(.late, error.message)) }
      return .failure(CodeFailure(.unavailable, error.message))
    } catch let error as ServiceError {
      return .failure(CodeFailure(.unavailable, error.message))
    } catch let error as ModemError {
      return .failure(CodeFailure(.unavailable, error.message))
    }
  }
}
