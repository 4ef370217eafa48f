import DeviceAPI
import FleetSettings
import JSONTree
import ModemAPI

/// What the fleet is told of modems and bearers.
extension Discretion {
  /// A modem: no serial number, no subscriber's identity, no path. Numbers as the settings say.
  func body(_ modem: ModemInterface.Modem, numbers: FleetSettings.Numbers) -> [String: JSONValue] {
    let registration = modem.registration
    var body = JSONValue.fields([
      "modem": .string(name(modem.id)),
      "protocol": .string(modem.`protocol`.rawValue),
      "manufacturer": modem.manufacturer.map { self($0) }.json,
      "model": modem.model.map { self($0) }.json,
      "firmware": modem.firmware.json,
      "interface": modem.interface.json,
      "sim": .object(
        JSONValue.fields([
          "state": .string(modem.sim.state.rawValue), "retriesLeft": modem.sim.retriesLeft.json,
          "slot": modem.sim.slot.json, "home": modem.sim.home.map { JSONValue(wire: $0) },
        ])),
      "registration": .object(
        JSONValue.fields([
          "state": .string(registration.state.rawValue),
          "serving": registration.serving.map { JSONValue(wire: $0) },
          "technology": registration.technology.map { .string($0.rawValue) },
          "cause": registration.cause.map { self(JSONValue(wire: $0)) },
        ])),
      "fault": modem.fault.map { self(JSONValue(wire: $0)) },
      "sharing": modem.sharing.map { sharing in
        .object(
          JSONValue.fields([
            "way": .string(sharing.way.rawValue),
            "managerState": sharing.managerState.map { .string($0.rawValue) },
          ]))
      },
      "rssi": registration.rssi.json, "rsrp": registration.rsrp.json, "rsrq": registration.rsrq.json,
      "sinr": registration.sinr.json,
    ])
    let known = modem.sim.numbers.filter(\.normalised).map(\.number)
    guard let first = known.first else { return body }
    switch numbers {
    case .none: break
    case .masked: body["number"] = .string("…" + first.suffix(4))
    case .hashed:
      body["numberKey"] = .string(key.numberKey(first))
      guard known.count > 1 else { break }
      body["otherNumberKeys"] = .array(known.dropFirst().prefix(4).map { .string(key.numberKey($0)) })
    }
    return body
  }

  /// Members of a modem's body whose change alone is not told: the signal is always changing, and
  /// the figures have it.
  static let quiet: Set<String> = ["rssi", "rsrp", "rsrq", "sinr"]

  /// A bearer as its topic tells it: without addresses.
  func body(_ bearer: BearerInterface.Bearer) -> [String: JSONValue] {
    JSONValue.fields([
      "modem": .string(name(bearer.modem)),
      "state": .string(bearer.state.rawValue),
      "since": .string(bearer.since),
      "apn": bearer.apn.json,
      "cause": bearer.cause.map { self(JSONValue(wire: $0)) },
      "traffic": bearer.traffic.map { .string($0.rawValue) },
      "trafficText": bearer.trafficText.map { self($0) }.json,
      "nextAttempt": bearer.nextAttempt.json,
      "failures": bearer.failures.json,
      "resumption": bearer.resumption.map { .string($0.rawValue) },
    ])
  }

  /// A bearer as `bearer.get` answers it: with its addresses, for whom this machine allows that.
  func answer(_ bearer: BearerInterface.Bearer) -> JSONValue {
    var bearer = bearer
    bearer.modem = name(bearer.modem)
    bearer.guardText = bearer.guardText.map { self($0) }
    bearer.trafficText = bearer.trafficText.map { self($0) }
    bearer.resumptionText = bearer.resumptionText.map { self($0) }
    bearer.cause = bearer.cause.map { .init(code: $0.code, text: self($0.text)) }
    return JSONValue(wire: bearer)
  }
}
