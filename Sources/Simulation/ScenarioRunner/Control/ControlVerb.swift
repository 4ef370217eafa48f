import Glibc

/// What can be asked of a running world.
package enum ControlVerb: String, CaseIterable, Sendable {
  case leaks
  case packets
  case dropBearer = "drop-bearer"
  case silenceBearer = "silence-bearer"
  case restoreBearer = "restore-bearer"
  case renumber
  case reset
  case forgetSessions = "forget-sessions"
  case unplug
  case plugIn = "plug-in"
  case move
  case faults
  case authentication
  case signal
  case challenges
  case removeSIM = "remove-sim"
  case useSlot = "use-slot"
  case sms
  case smsTo = "sms-to"
  case smsPDU = "sms-pdu"
  case removeInterface = "remove-interface"
  case restoreInterface = "restore-interface"
  case emptyTables = "empty-tables"
  case removeRules = "remove-rules"
  case linkDown = "link-down"
  case linkUp = "link-up"
  case reuseIndex = "reuse-index"
  case names
  case tell
  case kill
  case start
  case restart
  case reload

  /// The verb with its arguments.
  package var usage: String {
    switch self {
    case .dropBearer: "\(rawValue) [CAUSE]"
    case .names: "\(rawValue) honest|silent|ADDRESS…|NAME=ADDRESS[,ADDRESS]…"
    case .tell: "\(rawValue) NAME [VALUE]"
    case .useSlot: "\(rawValue) SLOT"
    case .sms: "\(rawValue) FROM TEXT"
    case .smsTo: "\(rawValue) NUMBER FROM TEXT"
    case .smsPDU: "\(rawValue) HEX"
    case .kill, .start, .restart: "\(rawValue) modemd|modemd-port"
    case .reload: "\(rawValue) modemd"
    case .faults: "\(rawValue) [LIST]"
    case .authentication, .signal: "\(rawValue) [OBJECT]"
    default: rawValue
    }
  }

  /// In words, for people.
  package var explanation: String {
    switch self {
    case .leaks: "how many packets left by the other uplink, and the first of them"
    case .packets: "how many packets the bearer let through and how many not"
    case .dropBearer: "the network takes the bearer away, with a 3GPP cause (36)"
    case .silenceBearer: "the bearer stays up and carries nothing"
    case .restoreBearer: "it carries packets again"
    case .renumber: "the network gives the bearer other addresses: the next ones, then the first ones again"
    case .reset: "the modem's firmware starts over and has forgotten the host"
    case .forgetSessions: "the modem loses its sessions without a word, as over a suspend"
    case .unplug: "the modem's control port goes away"
    case .plugIn: "it comes back"
    case .move: "the modem's control port goes away and comes back under another name"
    case .faults: "from now on the modem misbehaves as this JSON list of faults says; without one it is well again"
    case .authentication:
      "from now on the modem and its SIM answer challenges as this JSON object says; without one they work again"
    case .signal: "from now on the modem hears its cell as this JSON object says; without one as at the start"
    case .challenges: "how many challenges the SIM was given, and how many of its logical channels are open"
    case .removeSIM: "the SIM is taken out"
    case .useSlot: "the modem works with the SIM in another slot, as by itself"
    case .sms: "a short message comes, in as many parts as it needs"
    case .smsTo:
      "the same to the modem with a number, where there is one; in TEXT \\n is a line feed, \\\\ a backslash"
    case .smsPDU: "these octets come as a short message, the service centre's address first"
    case .removeInterface: "wwan0 goes away"
    case .restoreInterface: "it comes back"
    case .emptyTables: "all routes but the machine's own are deleted"
    case .removeRules: "all rules but the machine's own are deleted"
    case .linkDown: "wwan0 is set down"
    case .linkUp: "it is set up"
    case .reuseIndex: "wwan0 goes away, and a device to the other uplink gets its index and addresses"
    case .names:
      "the operator's name servers answer truly, not at all, every name with these addresses, or these names so"
    case .tell: "the simulated providers are told a value by name; without VALUE it is taken back"
    case .kill: "a daemon is ended with SIGKILL"
    case .start: "a daemon is started again"
    case .restart: "a daemon ends as systemd would end it, and is started again with new settings"
    case .reload: "modemd reads its files and credentials anew, and flows under way go on"
    }
  }
}

extension World {
  /// Does what a line says, as in `drop-bearer 36`.
  ///
  /// - Returns: the answer in words.
  /// - Throws: `WorldError`, `SimulatorError`.
  package func perform(_ line: String) async throws -> String {
    let words = line.split(separator: " ").map(String.init)
    guard let verb = words.first.flatMap(ControlVerb.init) else {
      let known = ControlVerb.allCases.map(\.usage).joined(separator: ", ")
      throw WorldError(.process, "the verb is not known; known are: \(known)")
    }
    switch verb {
    case .leaks: return "\(leaks)"
    case .packets: return "\(gate.count.passed) passed, \(gate.count.dropped) dropped"
    case .dropBearer: modem.dropBearers(cause: words.dropFirst().first.flatMap { Int($0) } ?? 36)
    case .silenceBearer: gate.silence(true)
    case .restoreBearer: gate.silence(false)
    case .renumber: renumber()
    case .reset: modem.restart()
    case .forgetSessions: modem.forgetSessions()
    case .unplug: unplug()
    case .plugIn: try await plugInAgain()
    case .move: modem.move()
    case .faults: try setFaults(words.dropFirst().joined(separator: " "))
    case .authentication: try setAuthentication(words.dropFirst().joined(separator: " "))
    case .signal: try setSignal(words.dropFirst().joined(separator: " "))
    case .challenges:
      let snapshot = modem.snapshot
      return "\(snapshot.challenges) challenges, \(snapshot.openChannels.count) channels open"
    case .removeSIM: modem.removeSIM()
    case .useSlot:
      guard let slot = words.dropFirst().first.flatMap({ Int($0) }), (1...1 + scenario.otherSIMs.count).contains(slot)
      else { throw WorldError(.process, "a slot from 1 to \(1 + scenario.otherSIMs.count) is expected") }
      modem.useSlot(slot)
    case .sms: return try receiveMessage(words, line)
    case .smsTo: return try deliverMessage(line)
    case .smsPDU: return try receivePDU(words)
    case .removeInterface: try await removeInterface()
    case .restoreInterface: try await restoreInterface()
    case .emptyTables: return "\(try await emptyTables()) routes deleted"
    case .removeRules: return "\(try await removeRules()) rules deleted"
    case .linkDown: try await setLink(isUp: false)
    case .linkUp: try await setLink(isUp: true)
    case .reuseIndex: try await reuseIndex()
    case .names: try folder.set(words.dropFirst().joined(separator: " "))
    case .tell:
      guard words.count > 1 else { throw WorldError(.process, "a name is expected after \(words[0])") }
      try folder.words.say(words[1], words.dropFirst(2).joined(separator: " "))
    case .kill: await end(try daemon(words))
    case .start: try await start(try daemon(words))
    case .restart:
      let daemon = try daemon(words)
      await end(daemon, with: SIGTERM)
      try await start(daemon)
      try await waitForModem()
    case .reload:
      guard try daemon(words) == .service else { throw WorldError(.process, "modemd is expected after \(words[0])") }
      try await reload()
    }
    return "done"
  }

  private func setFaults(_ list: String) throws {
    modem.setFaults(
      try Scenario(text: #"{"modem": {"faults": \#(list.isEmpty ? "[]" : list)}}"#, providers: []).modem.faults)
  }

  private func setAuthentication(_ object: String) throws {
    let text = #"{"modem": {"authentication": \#(object.isEmpty ? "{}" : object)}}"#
    modem.setAuthentication(try Scenario(text: text, providers: []).modem.authentication)
  }

  private func setSignal(_ object: String) throws {
    let network =
      object.isEmpty
      ? scenario.network : try Scenario(text: #"{"network": \#(object)}"#, providers: []).network
    modem.setSignal(rssi: network.rssi, network.referenceSignal)
  }

  private func daemon(_ words: [String]) throws -> Daemon {
    guard let daemon = words.dropFirst().first.flatMap(Daemon.init) else {
      throw WorldError(.process, "modemd or modemd-port is expected after \(words[0])")
    }
    return daemon
  }
}
