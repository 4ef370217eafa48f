import FoundationEssentials
import FlowService
import ModemAPI
import ModemService
@_spi(Exchange) import RedirectChain
import Varlink
@_spi(Exchange) import Web

extension CheckInterface.Hop {
  /// - Parameter reveals: whether to show the URL and values in full.
  init(_ hop: ChainHop, reveals: Bool) {
    let times = CheckInterface.Times(
      dns: hop.times.dns, connect: hop.times.connect, tls: hop.times.tls, firstByte: hop.times.firstByte,
      end: hop.times.end)
    let secrets = hop.secrets.revealed
    let own = hop.scheme == .https ? 443 : 80
    let host = hop.host.contains(":") && !hop.host.hasPrefix("[") ? "[\(hop.host)]" : hop.host
    let masked = "\(hop.scheme.rawValue)://\(host)\(hop.port == own ? "" : ":\(hop.port)")/…"
    self.init(
      index: hop.index, scheme: hop.scheme == .https ? .https : .http, host: hop.host, port: hop.port,
      address: hop.address, reused: hop.isReused, status: hop.status, times: times, cookies: hop.cookies,
      next: hop.next, start: (hop.begin * 1000).rounded() / 1000, method: hop.method == "POST" ? .post : .get,
      url: reveals ? secrets.url : masked, family: hop.family.map { $0 == .ipv4 ? .ipv4 : .ipv6 },
      addresses: hop.addresses, tlsVersion: hop.tlsVersion, bodyBytes: hop.bodyBytes, setCookies: hop.cookiesSet,
      requestFields: secrets.requestFields.map { CheckInterface.Field($0, reveals: reveals) },
      answerFields: secrets.answerFields.map { CheckInterface.Field($0, reveals: reveals) },
      traceFields: hop.trace.map { CheckInterface.Field($0, reveals: true) }, openedAhead: hop.isOpenedAhead)
  }
}

extension CheckInterface.Field {
  init(_ field: WebHeader, reveals: Bool) {
    self.init(name: field.name, value: reveals || HopSecrets.isHarmless(field.name) ? field.value : nil)
  }
}

extension CheckInterface.Outcome {
  init(_ outcome: CheckService.Outcome, after time: Duration) {
    let milliseconds = time.milliseconds
    let common = (modem: outcome.modem, source: outcome.source)
    switch outcome.result {
    case .answer(let answer):
      self.init(
        result: .answer, answer: CheckInterface.Answer(answer), modem: common.modem, source: common.source,
        milliseconds: milliseconds, waitedMilliseconds: outcome.waited.milliseconds)
    case .redirectReached(let uri, let parameters, _):
      self.init(
        result: .redirectReached, redirect: CheckInterface.Redirect(uri: uri, parameters: parameters),
        modem: common.modem, source: common.source, milliseconds: milliseconds,
        waitedMilliseconds: outcome.waited.milliseconds)
    case .failed(let failure):
      self.init(
        result: .failed,
        answer: failure.cause == .rateLimited ? failure.answer.map { CheckInterface.Answer($0) } : nil,
        failure: CheckInterface.Failure(failure), modem: common.modem, source: common.source,
        milliseconds: milliseconds, waitedMilliseconds: outcome.waited.milliseconds)
    }
  }
}

extension CheckInterface.Failure {
  init(_ failure: ChainFailure) {
    self.init(
      cause: Cause(word: failure.cause), hop: failure.hop, text: failure.text,
      retryAfterMilliseconds: failure.retryAfter.map { $0 * 1000 })
  }
}

extension CheckInterface.Answer {
  /// JSON if the body is an object or an array, else text if it is UTF-8, else base64.
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
