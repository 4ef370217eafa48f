import AuthCore
import AuthFlows
import FlowService
import ModemAPI
import NetworkAddress
import TruIDAPI
import TruIDFlows

/// org.modemd.TruID.
package struct TruIDMethods: FlowMethods {
  private typealias Wire = TruIDInterface

  package static let rights = [
    InterfaceRights([
      .groups: [
        Wire.PhoneCheck.self, Wire.SubscriberCheck.self, Wire.SIMCheck.self, Wire.Coverage.self, Wire.Traces.self,
      ]
    ])
  ]

  package init() {}

  package func add(to flows: inout FlowRouter) {
    flows.add(Wire.self)
    addChecks(to: &flows)
    flows.method(Wire.Coverage.self, of: .settings(TruIDSettings.self)) { parameters in
      (
        try Self.options(way: parameters.way), try Self.subject(parameters),
        parameters.product.map { $0 == .phoneCheck ? TruIDProduct.phoneCheck : .subscriberCheck }
      )
    } run: { asked, call in
      let (options, subject, product) = asked
      if let subject { return try await TruIDFlow(call).coverage(of: subject, options) }
      return try await TruIDFlow(call).deviceCoverage(product)
    } reply: { reply, end in
      reply.served = end.answer.map { Wire.Served($0) }
    }
    flows.method(Wire.Traces.self, of: .settings(TruIDSettings.self)) { parameters in
      let options = try Self.options(version: parameters.version)
      for (argument, value) in [("check", parameters.check), ("trace", parameters.trace ?? "-")]
      where !Self.isWord(value) {
        throw AuthError.invalid(argument, "tru.ID's id of it")
      }
      return (parameters, options)
    } run: { asked, call in
      let (parameters, options) = asked
      return try await TruIDFlow(call).traces(
        of: parameters.check, TruIDProduct(parameters.kind), options, trace: parameters.trace)
    } reply: { reply, end in
      reply.traces = end.answer?.map { Wire.Trace($0) }
    }
  }

  private func addChecks(to flows: inout FlowRouter) {
    flows.method(Wire.PhoneCheck.self, of: .settings(TruIDSettings.self)) { parameters in
      (
        try SubscriberNumber(argument: parameters.number),
        try Self.options(version: parameters.version, way: parameters.way, reference: parameters.reference)
      )
    } run: { asked, call in
      try await TruIDFlow(call).check(.phoneCheck, of: asked.0, asked.1)
    } reply: { reply, end in
      reply.check = end.answer.map { Wire.Check($0) }
      reply.serverAnswer = end.answer?.serverAnswer
    }
    flows.method(Wire.SubscriberCheck.self, of: .settings(TruIDSettings.self)) { parameters in
      (
        try SubscriberNumber(argument: parameters.number),
        try Self.options(
          version: parameters.version, way: parameters.way, period: parameters.periodMinutes,
          reference: parameters.reference)
      )
    } run: { asked, call in
      try await TruIDFlow(call).check(.subscriberCheck, of: asked.0, asked.1)
    } reply: { reply, end in
      reply.check = end.answer.map { Wire.Check($0) }
      reply.serverAnswer = end.answer?.serverAnswer
    }
    flows.method(Wire.SIMCheck.self, of: .settings(TruIDSettings.self), needsModem: { _ in false }) { parameters in
      (
        try SubscriberNumber(argument: parameters.number),
        try Self.options(way: parameters.way, period: parameters.periodMinutes, reference: parameters.reference)
      )
    } run: { asked, call in
      try await TruIDFlow(call).simCheck(of: asked.0, asked.1)
    } reply: { reply, end in
      reply.check = end.answer.map { Wire.Check($0) }
    }
  }

  // MARK: Arguments

  private static func options(
    version: String? = nil, way: TruIDInterface.Way? = nil, period: Int? = nil, reference: String? = nil
  ) throws -> TruIDOptions {
    var options = TruIDOptions()
    if let version {
      guard let known = TruIDVersion(rawValue: version) else {
        throw AuthError.invalid("version", "v0.1 or v0.2")
      }
      options.version = known
    }
    if let period, !(60...540_000).contains(period) {
      throw AuthError.invalid("periodMinutes", "60 to 540000")
    }
    if let reference, !isWord(reference) {
      throw AuthError.invalid("reference", "1 to 64 printable characters without blanks")
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
        throw AuthError.invalid("address", "an IPv4 or IPv6 address")
      }
      return .address(address)
    case (nil, let country?):
      let isCode =
        country.utf8.count == 2 && country.allSatisfy { $0.isASCII && $0.isLetter }
        || (1...4).contains(country.utf8.count) && country.allSatisfy { $0.isASCII && $0.isNumber }
      guard isCode else { throw AuthError.invalid("country", "two letters or a dialling code") }
      return .country(country)
    case (_?, _?): throw AuthError.invalid("country", "left out where there is an address")
    }
  }
}

extension TruIDFlow {
  fileprivate init(_ call: FlowCall<TruIDSettings>) { self.init(call.provider, of: call.subscriber, call.run) }
}

extension TruIDProduct {
  /// Nil for a SIMCheck.
  fileprivate init?(_ kind: TruIDInterface.Traces.Parameters.Kind) {
    switch kind {
    case .phoneCheck: self = .phoneCheck
    case .subscriberCheck: self = .subscriberCheck
    case .simCheck: return nil
    }
  }
}
