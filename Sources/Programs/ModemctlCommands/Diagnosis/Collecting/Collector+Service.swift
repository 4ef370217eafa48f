import ModemAPI
import ModemModel
import ModemctlCore
import PortAPI
import Varlink

extension Collector {
  /// modemd, and its reports about modems.
  mutating func lookAtService() async {
    var text = ""
    for path in ["/run/modemd", session.socket, "/run/modemd/ports"] {
      text += "\(path): \(machine.rights(of: path) ?? "not there")\n"
    }
    do {
      let information = try await session.call(GetInfo.self, .init(), within: Self.patience)
      seen.reach = .answers(version: information.version)
      text += "\(information.product) \(information.version) answers\n"
    } catch {
      seen.reach = Self.reach(error)
      let reason = ModemctlError(explaining: error, socket: session.socket).message
      text += "modemd does not answer: \(reason)\n"
      unread.append(
        "modems, bearers and checks as modemd knows them: modemd does not answer"
          + (seen.reach == .denied && !machine.isRoot ? "; root can ask" : ""))
      add("Service", text)
      return
    }
    add("Service", text)
    await lookAtModems()
    await lookAtChecks()
  }

  private static func reach(_ error: any Error) -> Observations.Reach {
    switch error {
    case VarlinkClientError.unreachable(_, 2): .missing
    case VarlinkClientError.unreachable(_, 1), VarlinkClientError.unreachable(_, 13): .denied
    case VarlinkClientError.unreachable: .refused
    case let error as VarlinkError where error.name == VarlinkError.permissionDenied.name: .denied
    default: .silent
    }
  }

  private mutating func lookAtModems() async {
    do {
      let all = try await session.call(ModemInterface.List.self, .init(), within: Self.patience).modems
      seen.knowsModems = true
      var text = ""
      for modem in all.prefix(32) where isAsked(modem.id, modem.device, modem.interface) {
        let bearer = try? await session.call(BearerInterface.Get.self, .init(modem: modem.id), within: Self.patience)
          .bearer
        learn(modem, bearer)
        seen.modems.append(Observations.Modem(modem: modem, bearer: bearer))
        text += JSONText.document(modem) + (bearer.map { JSONText.document($0) } ?? "(its bearer is unknown)\n")
      }
      add("Modems, as modemd knows them", text.isEmpty ? "There is none." : text)
    } catch {
      if Self.reach(error) == .denied { seen.reach = .denied }
      unread.append("modems: \(ModemctlError(explaining: error, socket: session.socket).message)")
      add("Modems, as modemd knows them", "(modemd did not report them)")
    }
  }

  func isAsked(_ names: String?...) -> Bool { modem == nil || names.contains(modem) }

  mutating func learn(_ modem: ModemInterface.Modem, _ bearer: BearerInterface.Bearer?) {
    learn(imei: modem.imei, imsi: modem.sim.imsi, iccid: modem.sim.iccid, numbers: modem.sim.numbers.map(\.number))
    for text in [modem.firmware, modem.model, modem.manufacturer, modem.software, bearer?.apn] { mask.keep(text) }
  }

  mutating func learn(imei: String?, imsi: String?, iccid: String?, numbers: [String]) {
    mask.learn(imei, as: .imei)
    mask.learn(imsi, as: .imsi)
    mask.learn(iccid, as: .iccid)
    for number in numbers { mask.learn(number, as: .msisdn) }
  }

  private mutating func lookAtChecks() async {
    do {
      let checks = try await session.call(CheckInterface.History.self, .init(limit: 20), within: Self.patience).checks
      seen.failedChecks = checks.sorted { $0.number > $1.number }.compactMap { $0.failure?.cause.rawValue }
      let lines = checks.map { check in
        let end = check.failure.map { "\($0.cause.rawValue): \($0.text)" } ?? check.status.map { "answer \($0)" }
        return "\(check.began)  \(check.host)  \(check.hops) hops  \(Int(clamping: Int64(check.milliseconds))) ms  "
          + "\(end ?? check.result.rawValue)"
      }
      add("Last checks", lines.isEmpty ? "None since modemd started." : lines.joined(separator: "\n"))
    } catch {
      unread.append("the last checks: \(ModemctlError(explaining: error, socket: session.socket).message)")
    }
  }

  /// The ports themselves, which answer root even while modemd does not run.
  mutating func lookAtPorts() async {
    guard let names = machine.names(in: ports, limit: 32) else {
      if machine.exists(ports), !machine.isRoot {
        unread.append("the ports' own states: \(ports) is for root and modemd; root can ask them")
      }
      return
    }
    var text = ""
    for name in names {
      let port = session(withPort: name)
      do {
        let state = try await port.call(PortInterface.GetState.self, .init(), within: Self.patience).state
        learn(imei: state.imei, imsi: state.sim.imsi, iccid: state.sim.iccid, numbers: state.sim.numbers.map(\.number))
        for kept in [state.firmware, state.model, state.manufacturer, state.software] { mask.keep(kept) }
        guard isAsked(state.id, state.device, state.interface) else { continue }
        askedPorts.append(name)
        text += "--- \(name)\n" + JSONText.document(state)
        take(state)
      } catch {
        let reason = ModemctlError(explaining: error, socket: name).message
        text += "--- \(name)\n(its port does not answer: \(reason))\n"
      }
    }
    if !text.isEmpty { add("Ports, by their own answers", text) }
  }

  /// A port's report where modemd gave none.
  private mutating func take(_ state: PortInterface.State) {
    guard !seen.modems.contains(where: { $0.modem.id == state.id }) else { return }
    guard let model = try? ModemState(state) else { return }
    seen.knowsModems = true
    seen.modems.append(
      Observations.Modem(
        modem: ModemInterface.Modem(model), bearer: BearerInterface.Bearer(of: model)))
  }
}
