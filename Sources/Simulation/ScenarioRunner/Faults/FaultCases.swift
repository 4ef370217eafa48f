import ModemModel
import ModemSimulator

private typealias Fault = SimulatedFault

extension FaultCase {
  private static let noAnswer = Sight.error(["did not answer in time", "no answer"])
  private static let otherAnswer = Sight.error(["answered another command", "cannot be read"])
  private static let unreadable = Sight.error([
    "cannot be read", "no handle", "counts more", "without", "no answer", "does not",
  ])
  static let gone = Sight.error(["went away", "not open"])

  /// The limits of the trials are 1 s for a query and 2 s for everything else.
  static let late: [FaultCase] = [
    FaultCase(
      "a query's answer, 300 ms late", .refresh(), .works,
      Fault(on: .registration, .delay(.milliseconds(300)), times: 1)),
    FaultCase(
      "a query's answer, later than its limit", .refresh(), noAnswer,
      Fault(on: .deviceCaps, .delay(.milliseconds(1500)), times: 1)),
    FaultCase(
      "the connection's answer, 500 ms late", .connect, .works,
      Fault(on: .connect, .delay(.milliseconds(500)), times: 1)),
    FaultCase(
      "the connection's answer, later than its limit", .connect, noAnswer,
      Fault(on: .connect, .delay(.seconds(3)), times: 1), qmi: [Fault(on: .connect, .delay(.seconds(3)), times: 2)]),
    FaultCase(
      "the disconnection's answer, later than its limit", .disconnect, .works,
      Fault(on: .disconnect, .delay(.seconds(3)), times: 1)),
    FaultCase(
      "a client id, later than its limit: one address family is missing", .connect, .works, kinds: [.qmi],
      Fault(on: .clientIDs, .delay(.milliseconds(1500)), times: 1)),
    FaultCase(
      "the opening's answer, 500 ms late", .reopen, .works, Fault(on: .open, .delay(.milliseconds(500)), times: 1),
      qmi: [Fault(on: .clientIDs, .delay(.milliseconds(500)), times: 1)]),
  ]

  static let missing: [FaultCase] = [
    FaultCase("a query without an answer", .refresh(), noAnswer, Fault(on: .deviceCaps, .swallow, times: 1)),
    FaultCase("the SIM's state without an answer", .refresh(), .works, Fault(on: .subscriber, .swallow, times: 1)),
    FaultCase("the registration without an answer", .refresh(), .works, Fault(on: .registration, .swallow, times: 1)),
    FaultCase("the signal without an answer", .refresh(), .works, Fault(on: .signal, .swallow, times: 1)),
    FaultCase(
      "the attachment without an answer", .connect, noAnswer, Fault(on: .packetService, .swallow, times: 1),
      qmi: [Fault(on: .registration, .swallow, times: 1)]),
    FaultCase(
      "the connection taken and not made", .connect, noAnswer, Fault(on: .connect, .swallow, times: 1),
      qmi: [Fault(on: .connect, .swallow, times: 2)]),
    FaultCase(
      "the connection made, its answer lost", .connect, noAnswer, Fault(on: .connect, .lose, times: 1),
      qmi: [Fault(on: .connect, .lose, times: 2)]),
    FaultCase(
      "the addresses without an answer", .connect, noAnswer, Fault(on: .ipConfiguration, .swallow, times: 1),
      qmi: [Fault(on: .ipConfiguration, .swallow, times: 2)]),
    FaultCase(
      "the state of the session without an answer", .connect, noAnswer, kinds: [.mbim],
      Fault(on: .connectionStatus, .swallow, times: 1)),
    FaultCase("the disconnection taken and not made", .disconnect, .works, Fault(on: .disconnect, .swallow, times: 1)),
    FaultCase("the disconnection made, its answer lost", .disconnect, .works, Fault(on: .disconnect, .lose, times: 1)),
    FaultCase(
      "the opening without an answer", .reopen, .any, Fault(on: .open, .swallow, times: 1),
      qmi: [Fault(on: .clientIDs, .swallow, times: 1)]),
    FaultCase(
      "a client id allocated, its answer lost: one address family is missing", .connect, .works, kinds: [.qmi],
      Fault(on: .clientIDs, .lose, times: 1)),
    FaultCase(
      "a client id allocated while the port opens, its answer lost", .reopen, .any, kinds: [.qmi],
      Fault(on: .clientIDs, .lose, times: 1)),
    FaultCase(
      "a client id given back, its answer lost", .disconnect, .works, kinds: [.qmi],
      Fault(on: .clientIDs, .lose, times: 1)),
    FaultCase(
      "a client id not taken back", .disconnect, .works, kinds: [.qmi], Fault(on: .clientIDs, .swallow, times: 1)),
    FaultCase(
      "the subscription to news without an answer", .reopen, .any, kinds: [.qmi],
      Fault(on: .subscribe, .swallow, times: 1)),
    FaultCase(
      "the link's format without an answer", .connect, noAnswer, kinds: [.qmi],
      Fault(on: .dataFormat, .swallow, times: 1)),
    FaultCase(
      "no command answered any more, until the modem is well again", .refreshUntilEvent, noAnswer,
      Fault(on: .any, .swallow), repair: { $0.setFaults([]) }),
  ]

  static let wrong: [FaultCase] = [
    FaultCase("a query answered twice", .refresh(), .works, Fault(on: .deviceCaps, .double, times: 4)),
    FaultCase("the connection answered twice", .connect, .works, Fault(on: .connect, .double, times: 2)),
    FaultCase("the disconnection answered twice", .disconnect, .works, Fault(on: .disconnect, .double, times: 2)),
    FaultCase("the opening answered twice", .reopen, .works, kinds: [.mbim], Fault(on: .open, .double, times: 1)),
    FaultCase(
      "client ids answered twice", .connect, .works, kinds: [.qmi], Fault(on: .clientIDs, .double, times: 4)),
    FaultCase(
      "answers in another order", .refresh(atOnce: 4), .works,
      Fault(on: .any, .overtake(atMost: .milliseconds(200)), times: 4)),
    FaultCase(
      "the connection's answer overtaken", .connect, .works,
      Fault(on: .connect, .overtake(atMost: .milliseconds(200)), times: 1)),
    FaultCase(
      "an answer to another transaction", .refresh(), noAnswer,
      Fault(on: .deviceCaps, .mismatch(.transaction), times: 1)),
    FaultCase(
      "an answer to another command", .refresh(), otherAnswer, Fault(on: .deviceCaps, .mismatch(.command), times: 1)),
    FaultCase(
      "an answer of another service or client", .refresh(), otherAnswer,
      Fault(on: .deviceCaps, .mismatch(.recipient), times: 1), seesOverQMI: noAnswer),
    FaultCase(
      "the connection answered as another command", .connect, otherAnswer,
      Fault(on: .connect, .mismatch(.command), times: 1), qmi: [Fault(on: .connect, .mismatch(.command), times: 2)]),
    FaultCase(
      "the addresses answered as another command", .connect, otherAnswer,
      Fault(on: .ipConfiguration, .mismatch(.command), times: 1),
      qmi: [Fault(on: .ipConfiguration, .mismatch(.command), times: 2)]),
    FaultCase(
      "a client id answered as another command: one address family is missing", .connect, .works, kinds: [.qmi],
      Fault(on: .clientIDs, .mismatch(.command), times: 1)),
    FaultCase(
      "a query's answer cut short", .refresh(), .any, Fault(on: .deviceCaps, .cut, times: 1)),
    FaultCase("the SIM's state cut short", .refresh(), .works, Fault(on: .subscriber, .cut, times: 1)),
    FaultCase(
      "the connection's answer cut short", .connect, unreadable, Fault(on: .connect, .cut, times: 1),
      qmi: [Fault(on: .connect, .cut, times: 2)]),
    FaultCase(
      "the addresses cut short", .connect, .any, Fault(on: .ipConfiguration, .cut, times: 1),
      qmi: [Fault(on: .ipConfiguration, .cut, times: 2)]),
    FaultCase(
      "bytes of no message before an answer", .refreshUntilEvent, .any, Fault(on: .deviceCaps, .noise, times: 1)),
  ]

  /// Each indication could cost up to nine commands: 90,000. Whether the query before the storm is
  /// answered within its limit depends on the machine's speed.
  static let storms: [FaultCase] = Fault.Storm.allCases.map { subject in
    FaultCase(
      "10,000 indications at once: \(subject.rawValue)", .refresh(), .any,
      Fault(on: .deviceCaps, .storm(subject, count: 10_000), times: 1), commandLimit: 200)
  }
}
