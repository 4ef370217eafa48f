import Glibc
import ModemModel
import NetworkAddress
import OperatorSimulator

/// Providers in the process of the operator.
extension Scenario {
  /// The services of all providers, in one environment.
  func providerServices(_ folder: WorldFolder) -> [any SimulatedService] {
    guard !providers.isEmpty else { return [] }
    let secrets = IssuedSecrets(at: folder.issuedSecrets)
    let words = folder.words
    var subscribers = simulatedSubscribers(since: .now)
    subscribers.wordOfChange = { words["sim-change:\($0)"] }
    var environment = ProviderEnvironment(
      subscribers: subscribers,
      now: {
        // Ahead by the given time, so that tests need not wait for expiry.
        let ahead = words["clock"].flatMap { Int64($0) } ?? 0
        return Timestamp(milliseconds: Timestamp.now.milliseconds + ahead * 1000)
      },
      deliver: { number, sender, text in
        await Self.deliver("sms-to \(number) \(sender) \(MessageLine.line(of: text))", to: folder.control)
      },
      report: { secrets.add($1, kind: $0) })
    environment.word = { words[$0] }
    environment.folder = folder.path
    return providers.flatMap { [environment] in $0.definition.services(environment) }
      .map { DistortedService($0, word: environment.word) }
  }

  /// The operator's subscribers: the numbers of the SIMs in use, with their facts from the
  /// scenario, and other numbers there.
  func simulatedSubscribers(since start: Timestamp) -> SimulatedSubscribers {
    var known: [SimulatedSubscribers.Subscriber] = []
    for member in members {
      for number in member.simInUse.numbers {
        let facts = subscribers.first { $0.number == number }
        known.append(
          .init(
            number: number, network: facts?.network ?? member.simInUse.home.plmn,
            simChangedMinutesAgo: facts?.simChangedMinutesAgo))
      }
    }
    for facts in subscribers where !known.contains(where: { $0.number == facts.number }) {
      known.append(
        .init(
          number: facts.number, network: facts.network ?? simInUse.home.plmn,
          simChangedMinutesAgo: facts.simChangedMinutesAgo))
    }
    let bearers = members.flatMap(\.bearerAddresses)
    return SimulatedSubscribers(
      known, numbers: numbersByAddress, bearers: Set(bearers),
      subscriptions: members.flatMap { [$0.sim] + $0.otherSIMs }.map(\.subscription), start: start)
  }

  /// Sends a line to the world on a separate thread, because the answer is waited for.
  private static func deliver(_ line: String, to control: String) async {
    await withCheckedContinuation { continuation in
      NetworkNamespace.startThread {
        // A message that cannot be delivered is lost, as in the field; the answer to the app is the
        // same.
        _ = try? ControlClient.ask(line, at: control)
        continuation.resume()
      }
    }
  }
}

extension Timestamp {
  /// By the machine's clock.
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
