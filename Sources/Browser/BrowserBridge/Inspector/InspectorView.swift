import JSONTree
import ModemAPIClient
import ModemModel

/// What the inspector's page shows, in words: sections of rows, each with a name and a value.
struct InspectorView: Hashable, Sendable {
  struct Section: Hashable, Sendable {
    let title: String
    let rows: [[String]]
  }

  let sections: [Section]

  init(_ reading: InspectorReading, _ flows: [ShownFlow], _ text: Text) {
    var sections: [Section] = []
    if let machines = reading.machines {
      sections += machines.map { Self.section($0, text) }
      if machines.isEmpty {
        sections.append(Section(title: text(.inspectModems), rows: [[text(.inspectNothing), ""]]))
      }
    } else {
      sections.append(Section(title: text(.inspectModems), rows: [[text(.inspectUnanswered), ""]]))
    }
    sections += flows.map { flow in
      let title = text(.inspectRunning, ["site": flow.site, "ask": flow.ask.rawValue, "user": String(flow.user)])
      return Section(title: title, rows: flow.trace.map { [$0.place, $0.result] })
    }
    let checks = reading.checks.map { $0.map(Self.row) } ?? [[text(.inspectUnanswered), ""]]
    sections.append(
      Section(title: text(.inspectHistory), rows: checks.isEmpty ? [[text(.inspectNothing), ""]] : checks))
    self.sections = sections
  }

  /// One line for the page's script: all that it shows.
  func line(_ status: String) -> [UInt8] {
    let sections = sections.map { section in
      JSONValue.object([
        "title": .string(section.title),
        "rows": .array(section.rows.map { row in .array(row.map { .string($0) }) }),
      ])
    }
    return Array((JSONValue.object(["status": .string(status), "sections": .array(sections)]).text + "\n").utf8)
  }

  private static func section(_ machine: InspectorReading.Machine, _ text: Text) -> Section {
    let (modem, sim, registration) = (machine.modem, machine.modem.sim, machine.modem.registration)
    let kind = [modem.manufacturer, modem.model, modem.firmware].compactMap(\.self).joined(separator: " ")
    let rows: [(Words, String?)] = [
      (.inspectFault, modem.fault.map { "\($0.cause) (\($0.since))" }),
      (.inspectDevice, "\(modem.device) \(modem.protocol.rawValue)\(modem.interface.map { " \($0)" } ?? "")"),
      (.inspectModel, kind.isEmpty ? nil : kind),
      (.inspectIMEI, modem.imei.map { IMEI(revealed: $0).redacted }),
      (.inspectSIM, sim.state.rawValue + (sim.slot.map { ", slot \($0)" } ?? "")),
      (.inspectAttempts, sim.retriesLeft.map(String.init)),
      (
        .inspectNumber,
        sim.numbers.isEmpty
          ? nil : sim.numbers.map { PhoneNumber($0.number, source: .unknown).redacted }.joined(separator: ", ")
      ),
      (.inspectIMSI, sim.imsi.map { IMSI($0).redacted }),
      (.inspectICCID, sim.iccid.map { ICCID($0).redacted }),
      (.inspectHome, sim.home.map(name)),
      (.inspectRegistration, registration.state.rawValue),
      (.inspectNetwork, registration.serving.map(name)),
      (.inspectTechnology, registration.technology?.rawValue),
      (.inspectSignal, signal(registration)),
      (.inspectCause, registration.cause.map { $0.text }),
    ]
    let all = rows + (machine.bearer.map(self.rows) ?? [(.inspectBearer, text(.inspectUnanswered))])
    return Section(title: modem.id, rows: all.compactMap { row in row.1.map { [text(row.0), $0] } })
  }

  private static func signal(_ registration: ModemInterface.Registration) -> String? {
    let parts = [
      registration.rssi.map { "\($0) dBm" }, registration.rsrp.map { "RSRP \($0) dBm" },
      registration.rsrq.map { "RSRQ \($0) dB" }, registration.sinr.map { "SINR \($0) dB" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func rows(_ bearer: BearerInterface.Bearer) -> [(Words, String?)] {
    [
      (.inspectBearer, "\(bearer.state.rawValue) (\(bearer.since))"),
      (.inspectCause, bearer.cause?.text),
      (.inspectAccessPoint, bearer.apn),
      (
        .inspectTraffic,
        bearer.traffic.map { [$0.rawValue, bearer.trafficText].compactMap(\.self).joined(separator: ": ") }
      ),
      (.inspectGuard, bearer.guard.map { [$0.rawValue, bearer.guardText].compactMap(\.self).joined(separator: ": ") }),
      (.inspectInterface, bearer.settings?.interface),
      (
        .inspectAddress,
        bearer.settings.map { settings in
          [settings.ipv4, settings.ipv6].compactMap { $0.map { "\($0.address)/\($0.prefixLength)" } }.joined(
            separator: " ")
        }
      ),
      (.inspectNextAttempt, bearer.nextAttempt),
    ]
  }

  private static func row(_ check: CheckInterface.PastCheck) -> [String] {
    let end =
      switch check.result {
      case .answer: "answer \(check.status.map(String.init) ?? "-")"
      case .redirectReached: "redirectReached"
      case .failed:
        (check.failure?.cause.rawValue ?? "failed") + (check.failure?.hop.map { ", hop \($0)" } ?? "")
      case .other(let word): word
      }
    return ["\(check.began) \(check.host)", "\(end), \(check.hops) hops, \(TraceLine.time(check.milliseconds))"]
  }

  private static func name(_ network: ModemInterface.Network) -> String {
    [network.name, "\(network.mcc)-\(network.mnc)"].compactMap(\.self).joined(separator: " ")
  }
}

/// A check of a site that goes on, as the inspector shows it. It has no number and no ticket.
package struct ShownFlow: Hashable, Sendable {
  let site: String
  let ask: Ask
  let user: UInt32
  let trace: [TraceLine]
}

/// A step, or one request over the bearer.
package struct TraceLine: Hashable, Sendable {
  let place: String
  let result: String

  init(_ hop: VerifyInterface.Hop) {
    place = "\(hop.step).\(hop.index) \(hop.host)"
    result = (hop.status.map(String.init) ?? "-") + (hop.milliseconds.map { ", \(Self.time($0))" } ?? "")
  }

  init(_ step: VerifyInterface.Step) {
    place = ["\(step.index) \(step.name)", step.host].compactMap(\.self).joined(separator: " ")
    let end = step.failure == nil ? step.status.map(String.init) ?? "-" : "failed"
    result = "\(end), \(Self.time(step.milliseconds))"
  }

  static func time(_ milliseconds: Double) -> String {
    Int(exactly: milliseconds.rounded()).map { "\($0) ms" } ?? "-"
  }
}

/// The serial number of a modem (3GPP TS 23.003, 6.2.1).
private struct IMEI: PersonalData {
  static let readableSuffix = 4
  let revealed: String
}
