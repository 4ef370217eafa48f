import FoundationEssentials
import ModemAPI
import ModemService
import RedirectChain
import Varlink

extension CheckInterface.Hop {
  init(_ hop: ChainHop) {
    let times = CheckInterface.Times(
      dns: hop.times.dns, connect: hop.times.connect, tls: hop.times.tls, firstByte: hop.times.firstByte,
      end: hop.times.end)
    self.init(
      index: hop.index, scheme: hop.scheme == .https ? .https : .http, host: hop.host, port: hop.port,
      address: hop.address, reused: hop.isReused, status: hop.status, times: times, cookies: hop.cookies,
      next: hop.next)
  }
}

extension CheckInterface.Outcome {
  init(_ outcome: CheckService.Outcome, after time: Duration) {
    let (seconds, attoseconds) = time.components
    let milliseconds = Double(seconds) * 1000 + (Double(attoseconds) / 1e13).rounded() / 100
    let common = (modem: outcome.modem, source: outcome.source)
    switch outcome.result {
    case .answer(let answer):
      self.init(
        result: .answer, answer: CheckInterface.Answer(answer), modem: common.modem, source: common.source,
        milliseconds: milliseconds)
    case .redirectReached(let uri, let parameters):
      self.init(
        result: .redirectReached, redirect: CheckInterface.Redirect(uri: uri, parameters: parameters),
        modem: common.modem, source: common.source, milliseconds: milliseconds)
    case .failed(let failure):
      self.init(
        result: .failed, failure: CheckInterface.Failure(failure), modem: common.modem, source: common.source,
        milliseconds: milliseconds)
    }
  }
}

extension CheckInterface.Failure {
  init(_ failure: ChainFailure) {
    self.init(cause: Cause(rawValue: failure.cause.rawValue) ?? .badAnswer, hop: failure.hop, text: failure.text)
  }
}

extension CheckInterface.Answer {
  /// JSON where the body parses as an object or an array, else text where it is UTF-8, else base64.
  init(_ answer: ChainAnswer) {
    self.init(status: answer.status, contentType: answer.contentType)
    guard !answer.body.isEmpty else { return }
    if let value = try? JSONDecoder().decode(JSONValue.self, from: Data(answer.body)), value.isStructured {
      json = value
    } else if let text = String(validating: answer.body, as: UTF8.self) {
      self.text = text
    } else {
      base64 = Data(answer.body).base64EncodedString()
    }
  }
}

extension JSONValue {
  fileprivate var isStructured: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }
}
