import AuthCore
import AuthFlows
import JournalLog
import LimitClock
import Logging
import ModemAPI
import Varlink

/// Registers the methods of flows, and does for each call what all flows have in common.
///
/// For each call, it reads the arguments, finds the modem, then the provider, and makes the flow.
/// Errors of the call are reported before any reply. Then it sends `ready`, runs the flow, and
/// reports its steps and hops. The flow's end is the last reply.
package struct FlowRouter {
  /// The interface's own error for something that no other interface has an error for; nil
  /// otherwise.
  package typealias OwnErrors = @Sendable (AuthError) -> VarlinkError?

  package private(set) var router: VarlinkRouter
  /// What flows ask their callers, who answer with other calls.
  package let questions: PendingQuestions
  package let host: any FlowHost
  private let clock: LimitClock
  private var ownErrors: [String: OwnErrors] = [:]

  /// - Parameters:
  ///   - questions: those of an earlier router, if its flows may still wait for answers.
  ///   - clock: measures the flows' times and limits.
  package init(
    _ router: VarlinkRouter, for host: any FlowHost, questions: PendingQuestions? = nil, clock: LimitClock = .machine
  ) {
    self.router = router
    self.host = host
    self.clock = clock
    self.questions = questions ?? PendingQuestions(clock: clock)
  }

  /// Declares an interface.
  package mutating func add(_ interface: any VarlinkInterface.Type, errors: OwnErrors? = nil) {
    router.add(interface)
    ownErrors[interface.name] = errors
  }

  /// Registers a method that runs a flow.
  ///
  /// - Parameters:
  ///   - providers: the providers that it may use.
  ///   - asking: how it asks its caller; nil if it never asks.
  ///   - arguments: reads the call's parameters.
  ///   - flow: makes the flow to run, and refuses what the chosen provider does not support.
  ///   - run: runs it.
  ///   - reply: adds what the provider gave to the last reply.
  ///   - needsModem: whether the question is about the SIM in this machine, or goes over its
  ///     bearer. A question about a number is answered with no modem, and with several, none of
  ///     which is named.
  package mutating func method<Method: FlowMethod, Provider, Arguments: Sendable, Flow: Sendable, Answer>(
    _ method: Method.Type, of providers: ProviderChoice<Provider>, asking: Asking<Method.Reply>? = nil,
    needsModem: @escaping @Sendable (Arguments) -> Bool = { _ in true },
    arguments: @escaping @Sendable (Method.Parameters) throws -> Arguments,
    flow: @escaping @Sendable (Arguments, FlowCall<Provider>) async throws -> Flow,
    run: @escaping @Sendable (Flow, FlowCall<Provider>) async throws -> FlowEnd<Answer>,
    reply: @escaping @Sendable (inout Method.Reply, FlowEnd<Answer>) -> Void = { _, _ in }
  ) {
    let (host, questions, clock, declared) = (host, questions, clock, declared(for: method))
    router.stream(method) { parameters, context, replies in
      do {
        let trace = try TraceContext(argument: parameters.traceparent)
        return try await TraceContext.$current.withValue(trace) {
          try await serve(parameters, context, replies, trace)
        }
      } catch {
        throw declared(error)
      }
    }
    @Sendable func serve(
      _ parameters: Method.Parameters, _ context: CallContext, _ replies: ReplySink<Method.Reply>, _ trace: TraceContext
    ) async throws -> Method.Reply {
      let start = clock.now
      let arguments = try arguments(parameters)
      let (subscriber, found) = try Self.choose(
        providers, host, parameters.provider, parameters.modem, needsModem: needsModem(arguments))
      // Only names of the configuration, never a name as the caller gave it.
      var ended = (provider: found.name, kind: found.kind, result: FlowResult?.none)
      defer {
        host.endedFlow(
          of: Method.name, provider: ended.provider, kind: ended.kind, result: ended.result,
          isCancelled: Task.isCancelled, after: clock.now - start)
      }
      let id = asking.map { _ in questions.open(for: context.peer.userID) }
      defer { if let id { questions.close(id) } }
      let lanes = host.run(
        on: subscriber.isKnown ? subscriber.modem : nil, for: context.peer,
        askForCode: Self.ask(asking, id, questions, replies)
      ) { progress in
        if let reply = Method.Reply(progress, asking) { replies.send(reply) }
      }
      defer { lanes.end() }
      let call = FlowCall(
        provider: found.provider, name: found.name, providers: host.providers, subscriber: subscriber, run: lanes,
        canAsk: context.more, seesSIM: host.revealsSIM(to: context.peer))
      let flow = try await flow(arguments, call)
      let ready = Method.Reply(event: .init(word: FlowWord.ready))
      replies.send(id.flatMap { asking?.naming(ready, $0) } ?? ready)
      let end = try await run(flow, call)
      var last = Method.Reply(event: .init(word: FlowWord.outcome))
      last.outcome = VerifyInterface.Outcome(
        end.outcome, provider: found.name, kind: found.kind, place: lanes.place, after: clock.now - start)
      last.outcome?.trace = trace.traceID
      reply(&last, end)
      ended = (last.outcome?.provider, last.outcome?.kind, end.outcome.result)
      Self.log(last.outcome, of: method.name, for: context.peer, host.logger)
      return last
    }
  }

  /// One line for each flow that came to its end.
  private static func log(_ outcome: VerifyInterface.Outcome?, of method: String, for peer: Peer, _ logger: Logger) {
    guard let outcome else { return }
    var metadata: Logger.Metadata = [
      "flow": "\(method)", "uid": "\(peer.userID)", "result": "\(outcome.result.rawValue)",
    ]
    if let modem = outcome.modem { metadata["modem"] = "\(modem)" }
    if let provider = outcome.provider { metadata["provider"] = "\(provider)" }
    if let cause = outcome.cause { metadata["cause"] = "\(cause)" }
    logger.info("a flow ended", metadata: metadata)
  }

  /// The same for a flow that is made from the arguments alone.
  package mutating func method<Method: FlowMethod, Provider, Arguments: Sendable, Answer>(
    _ method: Method.Type, of providers: ProviderChoice<Provider>, asking: Asking<Method.Reply>? = nil,
    needsModem: @escaping @Sendable (Arguments) -> Bool = { _ in true },
    arguments: @escaping @Sendable (Method.Parameters) throws -> Arguments,
    run: @escaping @Sendable (Arguments, FlowCall<Provider>) async throws -> FlowEnd<Answer>,
    reply: @escaping @Sendable (inout Method.Reply, FlowEnd<Answer>) -> Void = { _, _ in }
  ) {
    self.method(
      method, of: providers, asking: asking, needsModem: needsModem, arguments: arguments,
      flow: { arguments, _ in arguments }, run: run, reply: reply)
  }

  /// Registers a method that has one reply and runs no flow.
  package mutating func handle<Method: VarlinkMethod>(
    _ method: Method.Type, _ handler: @escaping @Sendable (Method.Parameters, CallContext) async throws -> Method.Reply
  ) {
    let declared = declared(for: method)
    router.handle(method) { parameters, context in
      do {
        return try await handler(parameters, context)
      } catch {
        throw declared(error)
      }
    }
  }

  /// The SIM that a call is about, and the provider for it.
  private static func choose<Provider>(
    _ providers: ProviderChoice<Provider>, _ host: any FlowHost, _ name: String?, _ modem: String?, needsModem: Bool
  ) throws -> (Subscriber, ProviderChoice<Provider>.Found) {
    let subscriber: Subscriber
    do {
      subscriber = try host.subscriber(modem)
    } catch {
      guard !needsModem, modem == nil else { throw error }
      return (.unknown, try chooseForNumber(providers, host.providers, name))
    }
    return (subscriber, try providers.find(host.providers, name, subscriber.home))
  }

  /// Without a SIM, no provider is for another network than it: the only one is meant.
  private static func chooseForNumber<Provider>(
    _ providers: ProviderChoice<Provider>, _ configured: ProviderSet, _ name: String?
  ) throws -> ProviderChoice<Provider>.Found {
    do {
      return try providers.find(configured, name, nil)
    } catch let error as AuthError where error.code == .noProvider && name == nil {
      let names = configured.names.map(\.name)
      let found = names.compactMap { name in (try? providers.find(configured, name, nil)).map { (name, $0) } }
      guard found.count < 2 else {
        let fitting = found.map(\.0)
        throw AuthError(
          .moreThanOneProvider(fitting),
          "\(fitting.count) providers can tell; name one of \(fitting.joined(separator: ", "))")
      }
      guard let only = found.first else { throw error }
      return only.1
    }
  }

  private static func ask<Reply>(
    _ asking: Asking<Reply>?, _ id: String?, _ questions: PendingQuestions, _ replies: ReplySink<Reply>
  ) -> FlowLanes.AskForCode? {
    guard let asking, let id else { return nil }
    return { question in
      try await questions.wait(at: id, for: question) { replies.send(asking.ask(question, id)) }
    }
  }

  /// What a method's errors become.
  private func declared(for method: any VarlinkMethod.Type) -> @Sendable (any Error) -> any Error {
    let interface = String(method.name[..<(method.name.lastIndex(of: ".") ?? method.name.endIndex)])
    let (own, host) = (ownErrors[interface], host)
    return { error in
      guard let fault = error as? AuthError else { return host.declared(error) ?? error }
      return own?(fault) ?? fault.onWire ?? fault
    }
  }
}

/// The events that all flows report.
private enum FlowWord: String {
  case ready, step, hop, outcome
}

extension FlowMethodReply {
  /// Nil for what callers of this method are not told.
  fileprivate init?(_ progress: FlowProgress, _ asking: Asking<Self>?) {
    switch progress {
    case .step(let done):
      self.init(event: .init(word: FlowWord.step))
      step = VerifyInterface.Step(done)
    case .hop(let index, let done):
      self.init(event: .init(word: FlowWord.hop))
      hop = VerifyInterface.Hop(done, of: index)
    case .messageSent(let resumption):
      guard let reply = asking?.messageSent?(resumption) else { return nil }
      self = reply
    }
  }
}

extension TraceContext {
  /// The trace that a caller gave, or a new one.
  fileprivate init(argument text: String?) throws {
    guard let text else {
      self.init()
      return
    }
    guard let given = TraceContext(traceparent: text) else {
      throw AuthError.invalid("traceparent", TraceContext.expected)
    }
    self = given
  }
}
