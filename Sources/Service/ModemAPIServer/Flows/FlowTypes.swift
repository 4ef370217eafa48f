import AuthCore
import ModemAPI
import RedirectChain

// Every interface of a provider has the types Step, Hop and Outcome of org.modemd.Verify.

extension VerifyInterface.Step {
  init(_ step: FlowStep) {
    self.init(
      index: step.index, name: step.name, lane: Lane(word: step.lane), host: step.host, status: step.status,
      start: step.begin.toHundredth, milliseconds: step.time.toHundredth, failure: step.failure)
  }
}

extension VerifyInterface.Hop {
  init(_ hop: ChainHop, of step: Int) {
    self.init(
      step: step, index: hop.index, scheme: Scheme(word: hop.scheme), host: hop.host, address: hop.address,
      status: hop.status, next: hop.next, start: hop.begin.toHundredth, milliseconds: hop.times.end?.toHundredth)
  }
}

extension VerifyInterface.Outcome {
  init(
    _ outcome: FlowOutcome, provider: String?, kind: String?, place: (modem: String?, source: String?),
    after time: Duration
  ) {
    self.init(
      result: Result(word: outcome.result), number: outcome.number.map { Number(word: $0) },
      sim: outcome.sim.map { Sim(word: $0) }, code: outcome.code, status: outcome.status,
      cause: outcome.cause?.rawValue, retryAfterMilliseconds: outcome.retryAfter.map { $0 * 1000 },
      text: outcome.text, provider: provider, kind: kind, modem: place.modem, source: place.source,
      milliseconds: time.milliseconds)
  }
}

extension Double {
  fileprivate var toHundredth: Double { (self * 100).rounded() / 100 }
}
