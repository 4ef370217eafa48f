import AuthCore
import AuthFlows
import ModemAPI
import ModemService
import NetworkAddress
import Varlink
import TruIDFlows

/// org.modemd.TruID.
struct TruIDHarness: Sendable {
  private typealias Wire = TruIDInterface

  private let call: FlowCall

  init(_ authentication: AuthenticationService) { call = FlowCall(authentication) }

  func add(to router: inout VarlinkRouter) {
    router.add(TruIDInterface.self)
    router.stream(TruIDInterface.PhoneCheck.self, phoneCheck)
    router.stream(TruIDInterface.SubscriberCheck.self, subscriberCheck)
    router.stream(TruIDInterface.SIMCheck.self, simCheck)
    router.stream(TruIDInterface.Coverage.self, coverage)
    router.stream(TruIDInterface.Traces.self, traces)
  }

  // MARK: Checks

  @Sendable private func phoneCheck(
    _ parameters: TruIDInterface.PhoneCheck.Parameters, _ context: CallContext,
    _ replies: ReplySink<TruIDInterface.PhoneCheck.Reply>
  ) async throws -> TruIDInterface.PhoneCheck.Reply {
    let number = try FlowCall.number(parameters.number)
    let options = try Self.options(
      version: parameters.version, way: parameters.way, reference: parameters.reference)
    let (begun, provider, flow) = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let (outcome, check) = try await onWire { try await flow.check(.phoneCheck, of: number, options) }
    return .init(event: .outcome, outcome: begun.outcome(outcome, provider), check: check.map(Wire.Check.init))
  }

  @Sendable private func subscriberCheck(
    _ parameters: TruIDInterface.SubscriberCheck.Parameters, _ context: CallContext,
    _ replies: ReplySink<TruIDInterface.SubscriberCheck.Reply>
  ) async throws -> TruIDInterface.SubscriberCheck.Reply {
    let number = try FlowCall.number(parameters.number)
    let options = try Self.options(
      version: parameters.version, way: parameters.way, period: parameters.periodMinutes,
      reference: parameters.reference)
    let (begun, provider, flow) = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let (outcome, check) = try await onWire { try await flow.check(.subscriberCheck, of: number, options) }
    return .init(event: .outcome, outcome: begun.outcome(outcome, provider), check: check.map(Wire.Check.init))
  }

  @Sendable private func simCheck(
    _ parameters: TruIDInterface.SIMCheck.Parameters, _ context: CallContext,
    _ replies: ReplySink<TruIDInterface.SIMCheck.Reply>
  ) async throws -> TruIDInterface.SIMCheck.Reply {
    let number = try FlowCall.number(parameters.number)
    let options = try Self.options(
      way: parameters.way, period: parameters.periodMinutes, reference: parameters.reference)
    let (begun, provider, flow) = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let (outcome, check) = try await onWire { try await flow.simCheck(of: number, options) }
    return .init(event: .outcome, outcome: begun.outcome(outcome, provider), check: check.map(Wire.Check.init))
  }

  // MARK: What is around checks

  @Sendable private func coverage(
    _ parameters: TruIDInterface.Coverage.Parameters, _ context: CallContext,
    _ replies: ReplySink<TruIDInterface.Coverage.Reply>
  ) async throws -> TruIDInterface.Coverage.Reply {
    let options = try Self.options(way: parameters.way)
    let subject = try Self.subject(parameters)
    let (begun, provider, flow) = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let product = parameters.product.map { $0 == .phoneCheck ? TruIDProduct.phoneCheck : .subscriberCheck }
    let (outcome, coverage) = try await onWire {
      if let subject { return try await flow.coverage(of: subject, options) }
      return try await flow.deviceCoverage(product)
    }
    return .init(event: .outcome, outcome: begun.outcome(outcome, provider), served: coverage.map(Wire.Served.init))
  }

  @Sendable private func traces(
    _ parameters: TruIDInterface.Traces.Parameters, _ context: CallContext,
    _ replies: ReplySink<TruIDInterface.Traces.Reply>
  ) async throws -> TruIDInterface.Traces.Reply {
    let options = try Self.options(version: parameters.version)
    for (argument, value) in [("check", parameters.check), ("trace", parameters.trace ?? "-")] where !Self.isWord(value)
    {
      throw AuthError.invalid(argument, "tru.ID's id of it").onWire
    }
    let (begun, provider, flow) = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let product: TruIDProduct? =
      switch parameters.kind {
      case .phoneCheck: .phoneCheck
      case .subscriberCheck: .subscriberCheck
      case .simCheck: nil
      }
    let (outcome, traces) = try await onWire {
      try await flow.traces(of: parameters.check, product, options, trace: parameters.trace)
    }
    return .init(
      event: .outcome, outcome: begun.outcome(outcome, provider), traces: traces?.map(Wire.Trace.init))
  }

  // MARK: Arguments

  /// Finds modem, provider and settings of a call.
  private func begin<Reply>(
    _ modem: String?, _ name: String?, _ context: CallContext, _ replies: ReplySink<Reply>,
    _ reply: @escaping @Sendable (TruIDInterface.Event, TruIDInterface.Step?, TruIDInterface.Hop?) -> Reply
  ) throws -> (FlowCall.Begun, NamedProvider<TruIDSettings>, TruIDFlow) {
    let begun = try call.begin(
      on: modem, for: context.peer, replies, step: { reply(.step, $0, nil) }, hop: { reply(.hop, nil, $0) })
    let home = begun.subscriber.home
    let provider = try onWire {
      try call.authentication.providers.find(TruIDSettings.self, named: name, for: home)
    }
    return (begun, provider, TruIDFlow(provider.settings(for: home), of: begun.subscriber, begun.run))
  }

  private static func options(
    version: String? = nil, way: TruIDInterface.Way? = nil, period: Int? = nil, reference: String? = nil
  ) throws -> TruIDOptions {
    var options = TruIDOptions()
    if let version {
      guard let known = TruIDVersion(rawValue: version) else {
        throw AuthError.invalid("version", "v0.1 or v0.2").onWire
      }
      options.version = known
    }
    if let period, !(60...540_000).contains(period) {
      throw AuthError.invalid("periodMinutes", "60 to 540000").onWire
    }
    if let reference, !isWord(reference) {
      throw AuthError.invalid("reference", "1 to 64 printable characters without blanks").onWire
    }
    options.way = way.map { $0 == .backend ? .backend : .api }
    options.period = period
    options.reference = reference
    return options
  }

  private static func isWord(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  private static func subject(
    _ parameters: TruIDInterface.Coverage.Parameters
  ) throws -> TruIDListedCoverageMachine.Subject? {
    switch (parameters.address, parameters.country) {
    case (nil, nil): return nil
    case (let address?, nil):
      guard IPAddress(address) != nil else {
        throw AuthError.invalid("address", "an IPv4 or IPv6 address").onWire
      }
      return .address(address)
    case (nil, let country?):
      let isCode =
        country.utf8.count == 2 && country.allSatisfy { $0.isASCII && $0.isLetter }
        || (1...4).contains(country.utf8.count) && country.allSatisfy { $0.isASCII && $0.isNumber }
      guard isCode else { throw AuthError.invalid("country", "two letters or a dialling code").onWire }
      return .country(country)
    case (_?, _?): throw AuthError.invalid("country", "left out where there is an address").onWire
    }
  }
}
