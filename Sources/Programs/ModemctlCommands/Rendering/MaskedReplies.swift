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
  /// The code at the chain's end is what the caller asked for, and works once: it stays.
  func masked() -> Self {
    var reply = self
    reply.outcome?.answer = outcome?.answer.map { $0.masked() }
    reply.outcome?.redirect = outcome?.redirect.map { $0.masked() }
    return reply
  }
}

extension CheckInterface.Answer {
  /// `code` is what the chain was for, or says what went wrong, and `state` goes with it: they
  /// stay.
  func masked() -> Self {
    var answer = self
    answer.json = json.map { value in
      guard case .object(let fields) = value, case .object(var masked) = Mask.json(value) else {
        return Mask.json(value)
      }
      for name in ["code", "state"] { masked[name] = fields[name].map { Mask.json($0) } }
      return .object(masked)
    }
    answer.text = text.map(Mask.text)
    answer.base64 = base64.map { _ in Mask.hidden }
    return answer
  }
}

extension CheckInterface.Redirect {
  func masked() -> Self {
    let shown = Mask.parameters(parameters)
    return .init(uri: shown == parameters ? uri : Mask.uri(uri), parameters: shown)
  }
}

extension CheckInterface.Outcome {
  /// For a file that others read: neither answer nor redirect has a value.
  func maskedForOthers() -> Self {
    var outcome = self
    outcome.answer = answer.map { answer in
      var masked = answer.masked()
      masked.json = masked.json.map { Mask.json($0) }
      return masked
    }
    outcome.redirect = redirect.map {
      .init(uri: Mask.uri($0.uri), parameters: $0.parameters.mapValues { _ in Mask.dots })
    }
    return outcome
  }
}
