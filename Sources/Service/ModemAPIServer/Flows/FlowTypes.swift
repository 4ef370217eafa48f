import AuthCore
import AuthFlows
import ModemAPI
import RedirectChain

// The types Step, Hop and Outcome stand in every interface of a provider, since Varlink's interfaces cannot share types. These protocols
// are what the generated ones have in common, so that each is filled in one place.

/// `Step` of an interface.
protocol WireStep: Sendable {
  associatedtype Lane: RawRepresentable<String>
  init(
    index: Int, name: String, lane: Lane, host: String?, status: Int?, start: Double, milliseconds: Double,
    failure: String?)
}

/// `Hop` of an interface.
protocol WireHop: Sendable {
  associatedtype Scheme: RawRepresentable<String>
  init(
    step: Int, index: Int, scheme: Scheme, host: String, address: String?, status: Int?, next: String?, start: Double,
    milliseconds: Double?)
}

/// `Outcome` of an interface.
protocol WireOutcome: Sendable {
  associatedtype Result: RawRepresentable<String>
  associatedtype Number: RawRepresentable<String>
  associatedtype Sim: RawRepresentable<String>
  init(
    result: Result, number: Number?, sim: Sim?, code: String?, status: Int?, cause: String?,
    retryAfterMilliseconds: Int?, text: String, provider: String?, kind: String?, modem: String?, source: String?,
    milliseconds: Double)
}

extension WireStep {
  init(_ step: FlowStep) {
    self.init(
      index: step.index, name: step.name, lane: word(step.lane), host: step.host, status: step.status,
      start: step.begin.toHundredth, milliseconds: step.time.toHundredth, failure: step.failure)
  }
}

extension WireHop {
  init(_ hop: ChainHop, of step: Int) {
    self.init(
      step: step, index: hop.index, scheme: word(hop.scheme), host: hop.host, address: hop.address, status: hop.status,
      next: hop.next, start: hop.begin.toHundredth, milliseconds: hop.times.end?.toHundredth)
  }
}

extension WireOutcome {
  init(
    _ outcome: FlowOutcome, provider: String?, kind: String?, place: (modem: String?, source: String?),
    after time: Duration
  ) {
    self.init(
      result: word(outcome.result), number: outcome.number.map { word($0) }, sim: outcome.sim.map { word($0) },
      code: outcome.code, status: outcome.status, cause: outcome.cause?.rawValue,
      retryAfterMilliseconds: outcome.retryAfter.map { $0 * 1000 }, text: outcome.text, provider: provider, kind: kind,
      modem: place.modem, source: place.source, milliseconds: time.milliseconds)
  }
}

/// The same word in an interface's own type. A test holds the two lists against each other.
private func word<Own: RawRepresentable<String>, Wire: RawRepresentable<String>>(_ own: Own) -> Wire {
  guard let wire = Wire(rawValue: own.rawValue) else {
    // Impossible: FlowTypesTests holds the words of each interface against those of the flows.
    preconditionFailure("\(Wire.self) lacks the word \(own.rawValue); add it to the interface")
  }
  return wire
}

extension Double {
  fileprivate var toHundredth: Double { (self * 100).rounded() / 100 }
}

extension VerifyInterface.Step: WireStep {}
extension VerifyInterface.Hop: WireHop {}
extension VerifyInterface.Outcome: WireOutcome {}

extension IPificationInterface.Step: WireStep {}
extension IPificationInterface.Hop: WireHop {}
extension IPificationInterface.Outcome: WireOutcome {}
