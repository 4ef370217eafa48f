import ModemModel
import ModemSimulator

private typealias Fault = SimulatedFault

extension FaultCase {
  static let hangUps: [FaultCase] =
    [
      FaultCase(
        "hang-up while nothing is asked", .nothing(bearerIsUp: false), .works, world: { $0.unplug() }),
      FaultCase("hang-up with the bearer up", .nothing(bearerIsUp: true), .works, world: { $0.unplug() }),
      hangUp("in the modem's identity", .refresh(), .deviceCaps),
      hangUp("in the middle of an answer", .refresh(), .deviceCaps, .hangUpAfter),
      FaultCase("hang-up in the SIM's state", .refresh(), .any, Fault(on: .subscriber, .hangUp, times: 1)),
      FaultCase("hang-up in the registration", .refresh(), .any, Fault(on: .registration, .hangUp, times: 1)),
      FaultCase("hang-up in the signal", .refresh(), .any, Fault(on: .signal, .hangUp, times: 1)),
      FaultCase(
        "hang-up in the attachment", .connect, gone, Fault(on: .packetService, .hangUp, times: 1),
        qmi: [Fault(on: .registration, .hangUp, times: 1)]),
      hangUp("in the link's format", .connect, .dataFormat, kinds: [.qmi]),
      hangUp("in the state of the session", .connect, .connectionStatus, kinds: [.mbim]),
      hangUp("in the connection", .connect, .connect),
      hangUp("after the connection was made", .connect, .connect, .hangUpAfter),
      hangUp("in the addresses", .connect, .ipConfiguration),
      hangUp("after the addresses", .connect, .ipConfiguration, .hangUpAfter),
      FaultCase("hang-up in the disconnection", .disconnect, .works, Fault(on: .disconnect, .hangUp, times: 1)),
      FaultCase(
        "hang-up after the disconnection was made", .disconnect, .works, Fault(on: .disconnect, .hangUpAfter, times: 1)),
      hangUp("in a client id's allocation", .connect, .clientIDs, kinds: [.qmi]),
      hangUp("after a client id was allocated", .connect, .clientIDs, .hangUpAfter, kinds: [.qmi]),
      FaultCase(
        "hang-up while a client id is given back", .disconnect, .works, kinds: [.qmi],
        Fault(on: .clientIDs, .hangUp, times: 1)),
      FaultCase(
        "hang-up in the opening", .reopen, .any, Fault(on: .open, .hangUp, times: 1),
        qmi: [Fault(on: .clientIDs, .hangUp, times: 1)]),
      FaultCase(
        "back after 300 ms under the same name, from a query", .refresh(), gone,
        Fault(on: .deviceCaps, .replug(after: .milliseconds(300), elsewhere: false), times: 1)),
      FaultCase(
        "back after 300 ms under another name, from a query", .refresh(),
        .error(["went away", "not open", "disconnected"]),
        Fault(on: .deviceCaps, .replug(after: .milliseconds(300), elsewhere: true), times: 1)),
      FaultCase(
        "back after 300 ms under another name, from a connection", .connect,
        .error(["went away", "not open", "disconnected", "not answer"]),
        Fault(on: .connect, .replug(after: .milliseconds(300), elsewhere: true), times: 1)),
      FaultCase(
        "back under another name, the bearer was up", .nothing(bearerIsUp: true), .works, world: { $0.move() },
        comesBack: true),
    ]

  private static func hangUp(
    _ place: String, _ act: Act, _ operation: ModemOperation, _ action: Fault.Action = .hangUp,
    kinds: [ModemProtocol] = ModemProtocol.allCases
  ) -> FaultCase {
    FaultCase("hang-up \(place)", act, gone, kinds: kinds, Fault(on: operation, action, times: 1))
  }

  /// Restarts, refusals, and what the network does.
  static let ends: [FaultCase] = [
    FaultCase(
      "the firmware starts over while nothing is asked", .refresh(), .any, world: { $0.restart() }),
    FaultCase(
      "the firmware starts over with the bearer up", .nothing(bearerIsUp: true), .works, kinds: [.qmi],
      world: { $0.restart() }),
    // Over MBIM it says nothing: the next command learns of it.
    FaultCase(
      "the firmware starts over with the bearer up", .disconnect, .works, kinds: [.mbim], world: { $0.restart() }),
    FaultCase("the firmware starts over in a query", .refresh(), .any, Fault(on: .deviceCaps, .restart, times: 1)),
    FaultCase(
      "the firmware starts over in a connection", .connect, .any, Fault(on: .connect, .restart, times: 1)),
    FaultCase("a query fails", .refresh(), .any, Fault(on: .deviceCaps, .fail, times: 4)),
    FaultCase(
      "the modem says that it is busy", .connect, .error(["busy"]), Fault(on: .connect, .answer(status: 1), times: 1),
      qmi: [Fault(on: .connect, .answer(status: 23), times: 2)]),
    FaultCase(
      "the connection fails", .connect, .error(["fail", "refused"]), Fault(on: .connect, .fail, times: 1),
      qmi: [Fault(on: .connect, .fail, times: 2)]),
    FaultCase(
      "the network refuses the access point once, cause 33", .connect, .works,
      Fault(on: .connect, .refuse(cause: 33), times: 1), qmi: [Fault(on: .connect, .refuse(cause: 33), times: 2)]),
    FaultCase(
      "the network refuses, cause 26", .connect, .error(["26", "insufficient"]),
      Fault(on: .connect, .refuse(cause: 26), times: 1), qmi: [Fault(on: .connect, .refuse(cause: 26), times: 2)]),
    FaultCase(
      "the addresses fail", .connect, .error(["fail"]), Fault(on: .ipConfiguration, .fail, times: 1),
      qmi: [Fault(on: .ipConfiguration, .fail, times: 2)]),
    FaultCase("the disconnection fails", .disconnect, .works, Fault(on: .disconnect, .fail, times: 1)),
    FaultCase(
      "the opening fails", .reopen, .any, Fault(on: .open, .fail, times: 1),
      qmi: [Fault(on: .clientIDs, .fail, times: 1)]),
    FaultCase(
      "no client id is left", .connect, .works, kinds: [.qmi], Fault(on: .clientIDs, .answer(status: 5), times: 1)),
    FaultCase(
      "the network drops the bearer, cause 39", .nothing(bearerIsUp: true), .works,
      world: { $0.dropBearers(cause: 39) }),
    FaultCase(
      "the network is lost with the bearer up", .nothing(bearerIsUp: true), .works, world: { $0.setService(false) },
      repair: { $0.setService(true) }),
    FaultCase(
      "the SIM is taken out with the bearer up", .nothing(bearerIsUp: true), .works, world: { $0.removeSIM() },
      repair: { $0.insertSIM(SimulatedSIM()) }),
    FaultCase(
      "the radio is switched off with the bearer up", .nothing(bearerIsUp: true), .works,
      world: { $0.setRadio(on: false) }, repair: { $0.setRadio(on: true) }),
  ]
}

extension SimulatedModem {
  /// Whether there is a network to be heard.
  fileprivate func setService(_ isThere: Bool) {
    var network = SimulatedNetwork()
    network.state = isThere ? .home : .searching
    setNetwork(network)
  }
}
