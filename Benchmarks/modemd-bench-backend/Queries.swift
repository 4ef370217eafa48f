import ArgumentParser
import Glibc
import MBIMBackend
import ModemModel
import ModemSimulator
import QMIBackend

/// Who asks.
enum Way: String, ExpressibleByArgument, CaseIterable {
  /// The bare library.
  case library
  /// This project's backend.
  case backend
}

/// What the control port speaks. A query of either is two messages, one after the other.
enum Language: String, ExpressibleByArgument, CaseIterable {
  /// The subscriber's state and the home network (MBIM_CID_SUBSCRIBER_READY_STATUS,
  /// MBIM_CID_HOME_PROVIDER).
  case mbim
  /// The registration and the signal (NAS Get Serving System, NAS Get Signal Info).
  case qmi

  static let messages = 2

  var modem: SimulatedModem {
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = self == .mbim ? .mbim : .qmi
    return SimulatedModem(configuration)
  }
}

/// Times of a query, in microseconds, a line for each.
struct Queries: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times of a query in microseconds, for `modemd-bench times`.",
    discussion: """
      Each round asks for two things, one after the other, and reads both answers: over MBIM, for the subscriber's \
      state and the home network (MBIM_CID_SUBSCRIBER_READY_STATUS, MBIM_CID_HOME_PROVIDER); over QMI, for the \
      registration and the signal (NAS Get Serving System, Get Signal Info). Its line is half of its time.
      """)

  @Argument(help: "Who asks: library or backend.") var way: Way
  @Option(help: "What the modem speaks: mbim or qmi.") var language = Language.mbim
  @Option(help: "Rounds, after a tenth of that for warming up.") var rounds = 2000

  func run() async throws {
    let modem = language.modem
    let path = try modem.plugIn()
    defer { modem.unplug() }
    let asked = try await AskedModem(way, language, path)
    for round in 0..<(rounds + rounds / 10) {
      let time = try await asked.time()
      if round >= rounds / 10 { print(time) }
    }
    await asked.close()
  }
}

/// The library and the backend by turns.
struct Pairs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The backend's time for a query relative to the library's, by turns in one process.",
    discussion: """
      Each line is a pair: the median of so many rounds of the library, of as many of the backend, both in \
      microseconds, and the second relative to the first. The last line has the medians of all pairs, and the \
      interval that holds the median ratio with a probability of 95%.
      """)

  @Option(help: "What the modem speaks: mbim or qmi.") var language = Language.mbim
  @Option(help: "Pairs.") var pairs = 31
  @Option(help: "Rounds of each half of a pair.") var rounds = 200
  @Flag(help: "Only the last line.") var quiet = false

  func validate() throws {
    guard (6...10_000).contains(pairs), (10...100_000).contains(rounds) else {
      throw ValidationError("--pairs is from 6 to 10000, --rounds from 10 to 100000")
    }
  }

  func run() async throws {
    var asked: [AskedModem] = []
    var modems: [SimulatedModem] = []
    defer { for modem in modems { modem.unplug() } }
    for way in Way.allCases {
      let modem = language.modem
      modems.append(modem)
      asked.append(try await AskedModem(way, language, try modem.plugIn()))
    }
    var medians: [[Double]] = [[], []]
    var ratios: [Double] = []
    for pair in 0...pairs {
      var pairMedians: [Double] = []
      for modem in asked {
        var times: [Double] = []
        for _ in 0..<rounds { times.append(try await modem.time()) }
        pairMedians.append(median(times))
      }
      // The first pair warms up.
      guard pair > 0 else { continue }
      let ratio = pairMedians[1] / pairMedians[0]
      if !quiet { print("\(rounded(pairMedians[0])) \(rounded(pairMedians[1])) \(rounded(ratio, 1000))") }
      medians[0].append(pairMedians[0])
      medians[1].append(pairMedians[1])
      ratios.append(ratio)
    }
    for modem in asked { await modem.close() }
    let sorted = ratios.sorted()
    let (low, high) = medianInterval(of: sorted.count)
    print(
      """
      \(language.rawValue): library \(rounded(median(medians[0]))) us, backend \(rounded(median(medians[1]))) us, \
      ratio \(rounded(median(ratios), 1000)) (\(rounded(sorted[low], 1000)) to \(rounded(sorted[high], 1000)))
      """)
  }
}

/// A modem that was opened in one of the two ways.
struct AskedModem {
  private enum Opened {
    case bare(any BareDevice)
    case mbim(MBIMBackend)
    case qmi(QMIBackend)
  }

  private let opened: Opened

  /// Opens it, and makes sure that a query of the backend has as many messages as one of the
  /// library: the times of different questions cannot be compared.
  init(_ way: Way, _ language: Language, _ path: String) async throws {
    switch (way, language) {
    case (.library, .mbim): opened = .bare(try BareMBIMDevice(path: path))
    case (.library, .qmi): opened = .bare(try BareQMIDevice(path: path))
    case (.backend, _):
      let tap = ControlTap()
      let backend: any ModemBackend
      switch language {
      case .mbim:
        var configuration = MBIMConfiguration(path: path)
        configuration.tap = tap
        let mbim = MBIMBackend(configuration)
        (opened, backend) = (.mbim(mbim), mbim)
      case .qmi:
        var configuration = QMIConfiguration(path: path)
        configuration.tap = tap
        let qmi = QMIBackend(configuration)
        (opened, backend) = (.qmi(qmi), qmi)
      }
      try await backend.open()
      // What is asked once for each SIM.
      _ = try await time()
      guard let messages = tap.listen() else { throw BareError("the messages cannot be counted") }
      _ = try await time()
      _ = try await backend.identity()
      // Up to the first message of the last call: in both languages, it is not one of a query.
      var count = 0
      for await message in messages {
        if message.name.contains("DEVICE_CAPS") || message.name.hasPrefix("DMS") { break }
        if message.direction == .sent { count += 1 }
      }
      guard count == Language.messages else { throw BareError("a query of the backend has \(count) messages") }
    }
  }

  /// Asks twice.
  /// - Returns: half of the time, in microseconds.
  func time() async throws -> Double {
    let start = microseconds()
    let end: Double
    switch opened {
    case .bare(let device):
      try device.query()
      end = microseconds()
    case .mbim(let backend):
      let status = try await backend.simStatus()
      end = microseconds()
      guard !status.numbers.isEmpty, status.home != nil else { throw BareError("an empty answer") }
    case .qmi(let backend):
      let registration = try await backend.registration()
      end = microseconds()
      guard registration.serving != nil, registration.rssi != nil else { throw BareError("an empty answer") }
    }
    return (end - start) / 2
  }

  func close() async {
    switch opened {
    case .bare(let device): device.close()
    case .mbim(let backend): await backend.close()
    case .qmi(let backend): await backend.close()
    }
  }
}

private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

private func rounded(_ value: Double, _ parts: Double = 10) -> Double { (value * parts).rounded() / parts }

/// Which of so many sorted values hold their median with a probability of 95%, by the binomial
/// distribution's normal approximation.
private func medianInterval(of count: Int) -> (low: Int, high: Int) {
  let half = 0.98 * Double(count).squareRoot()
  let low = max(Int((Double(count) / 2 - half).rounded(.down)), 0)
  return (low, count - 1 - low)
}

/// Microseconds of a clock that only goes forward.
func microseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}
