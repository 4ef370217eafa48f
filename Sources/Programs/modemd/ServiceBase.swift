import BearerStreams
import BoundHTTP
import FlowService
import Logging
import ModemAPIServer
import ModemModel
import ModemService
import NIOPosix
import ServiceMetrics
import TS43Flows
import TrafficLedger

/// What goes on when the configuration is read anew: modems, bearers, turns, history, messages, and
/// what providers keep.
struct ServiceBase: Sendable {
  let registry = ModemRegistry()
  /// Counts what happens.
  let metrics = ServiceMetrics(version: ModemdCommand.version)
  let bearers: BearerService
  let history = CheckHistory()
  /// What passes over the bearers.
  let ledger: TrafficLedger
  /// Makes sockets over bearers for programs. Chains know what it learns, and it what they learn.
  let dialer: BoundDialer
  /// Connections of programs: a reload leaves them open.
  let streams: BearerStreams
  let messages: MessageService
  /// The methods of the providers' interfaces.
  let methods: [any FlowMethods]
  /// What logins at entitlement servers left for the next ones.
  let tokens: any EntitlementTokenStore
  /// What flows ask their callers: the answer may come after a reload.
  let questions = PendingQuestions()
  let reloads = ReloadHistory()
  let group = MultiThreadedEventLoopGroup.singleton
  /// The command line's roots of trust, which replace the configured ones.
  let extraRoots: String?
  let now: @Sendable () -> Timestamp = Timestamp.now
  let logger: Logger

  init(_ means: ProviderMeans, extraRoots: String?) async throws {
    bearers = BearerService(registry: registry, observer: metrics)
    messages = MessageService(registry: registry, now: now)
    ledger = TrafficLedger(means: .init(means))
    dialer = BoundDialer(group: group)
    streams = BearerStreams(registry: registry, bearers: bearers, ledger: ledger, dialer: dialer)
    var methods: [any FlowMethods] = []
    for provider in KnownProviders.all { methods.append(try await provider.methods(means)) }
    self.methods = methods
    tokens = try await means.tokens()
    self.extraRoots = extraRoots
    logger = means.logger
  }

  /// Applies what a configuration says about what goes on.
  func apply(_ settings: Settings) async {
    await bearers.change(to: .init(request: settings.request, flows: settings.flows))
    history.change(limit: settings.historyLimit)
    ledger.change(to: settings.traffic(logger))
    streams.change(reach: settings.reach)
  }
}
