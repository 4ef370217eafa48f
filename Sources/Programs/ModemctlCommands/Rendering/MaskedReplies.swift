import ModemAPI
import ModemctlCore

extension ModemInterface.Modem {
  func masked() -> Self {
    var modem = self
    modem.imei = imei.map { Mask.digits($0, readable: 4) }
    modem.sim.iccid = sim.iccid.map { Mask.digits($0, readable: 4) }
    modem.sim.imsi = sim.imsi.map { Mask.digits($0, readable: 0) }
    modem.sim.numbers = sim.numbers.map { number in
      var number = number
      number.number = Mask.digits(number.number, readable: 2)
      return number
    }
    return modem
  }
}

extension CheckInterface.Open.Reply {
  func masked() -> Self {
    var reply = self
    reply.outcome?.answer = outcome?.answer.map { $0.masked() }
    reply.outcome?.redirect = outcome?.redirect.map { $0.masked() }
    return reply
  }
}

extension CheckInterface.Answer {
  /// An error's `code` says what went wrong and stays; a success's is a secret.
  func masked() -> Self {
    var answer = self
    answer.json = json.map { value in
      var shown = Mask.json(value)
      if status >= 400, case .object(let fields) = value, case .object(var masked) = shown {
        masked["code"] = fields["code"].map { Mask.json($0) }
        shown = .object(masked)
      }
      return shown
    }
    answer.text = text.map(Mask.text)
    answer.base64 = base64.map { _ in Mask.hidden }
    return answer
  }
}

extension CheckInterface.Redirect {
  func masked() -> Self { .init(uri: Mask.uri(uri), parameters: parameters.mapValues { _ in Mask.hidden }) }
}
