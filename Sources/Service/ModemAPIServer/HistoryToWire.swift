import ModemAPI
import ModemService

extension CheckInterface.PastCheck {
  init(_ check: PastCheck) {
    self.init(
      number: check.number, began: check.began.description, user: Int(check.caller.userID), host: check.host,
      modem: check.modem, source: check.source, hops: check.hops, result: .answer,
      milliseconds: check.time.milliseconds,
      waitedMilliseconds: check.waited.milliseconds, trace: check.trace)
    switch check.end {
    case .answer(let status): self.status = status
    case .redirectReached: result = .redirectReached
    case .failed(let failure):
      result = .failed
      self.failure = CheckInterface.Failure(failure)
    }
  }
}
