import AuthCore
import AuthFlows
import ModemAPI
import RedirectChain

// Every interface of a provider has the types Step, Hop and Outcome of org.modemd.Verify.

extension VerifyInterface.Step {
  package init(_ step: FlowStep) {
    self.init(
      index: step.index, name: step.name, lane: Lane(word: step.lane), host: step.host, status: step.status,
      start: step.begin.toHundredth, milliseconds: step.time.toHundredth, failure: step.failure)
  }
}

extension VerifyInterface.Hop {
  package init(_ hop: ChainHop, of step: Int) {
    self.init(
      step: step, index: hop.index, scheme: Scheme(word: hop.scheme), host: hop.host, address: hop.address,
      status: hop.status, next: hop.next, start: hop.begin.toHundredth, milliseconds: hop.times.end?.toHundredth)
  }
}

extension VerifyInterface.Outcome {
  package init(
    _ outcome: FlowOutcome, provider: String?, kind: String?, place: FlowPlace,
    after time: Duration
  ) {
    self.init(
      result: Result(word: outcome.result), number: outcome.number.map { Number(word: $0) },
      proof: outcome.proof.map { Proof(word: $0) },
      sim: outcome.sim.map { Sim(word: $0) }, code: outcome.code, status: outcome.status,
      cause: outcome.cause?.rawValue, retryAfterMilliseconds: outcome.retryAfter.map { $0 * 1000 },
      text: outcome.text, provider: provider, kind: kind, modem: place.modem, source: place.source,
      milliseconds: time.milliseconds)
  }
}

extension Double {
  fileprivate var toHundredth: Double { (self * 100).rounded() / 100 }
}

extension Duration {
  /// To a hundredth of one.
  package var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1000 + (Double(attoseconds) / 1e13).rounded() / 100
  }
}
