import DNSWire
import HTTPExchange
import NetworkAddress
import NIOCore

/// The addresses of one name on the bearer. A and AAAA are asked at once, and a failure of one does
/// not delay the other.
///
/// `@unchecked Sendable`: confined to the scope's loop; every method runs on it.
final class NameLookup: @unchecked Sendable {
  /// What was found: at least one address.
  struct Found: Hashable, Sendable {
    var v6: [IPAddress] = []
    var v4: [IPAddress] = []
    /// Seconds.
    var ttl = UInt32.max

    var isEmpty: Bool { v6.isEmpty && v4.isEmpty }

    /// All addresses: alternately of each family, IPv6 first (RFC 8305, 4).
    var interleaved: [IPAddress] {
      (0..<max(v6.count, v4.count)).flatMap { index in
        [v6, v4].compactMap { index < $0.count ? $0[index] : nil }
      }
    }
  }

  /// Why nothing was found. A definite answer of the servers is valid for `ttl` seconds (RFC 2308).
  enum Failure: Error, Hashable {
    case noServers
    case noSuchName(ttl: UInt32)
    case noAddresses(ttl: UInt32)
    case refused(DNSMessage.ResponseCode)
    case noAnswer(String)
    case lost(String)

    /// Seconds for which it may be remembered; nil if it must not be.
    var ttl: UInt32? {
      switch self {
      case .noSuchName(let ttl), .noAddresses(let ttl): ttl
      case .noServers, .refused, .noAnswer, .lost: nil
      }
    }
  }

  private let name: DomainName
  private let scope: ChainScope
  private let timing: DNSTiming
  private let randomID: @Sendable () -> UInt16
  private let promise: EventLoopPromise<Found>
  private var pending: [DNSRecordType: DNSQuery] = [:]
  private var found = Found()
  private var failures: [Failure] = []
  private var timers: [Scheduled<Void>] = []
  private var isDone = false

  init(_ name: DomainName, _ scope: ChainScope, _ timing: DNSTiming, randomID: @escaping @Sendable () -> UInt16) {
    self.name = name
    self.scope = scope
    self.timing = timing
    self.randomID = randomID
    promise = scope.loop.makePromise()
  }

  /// Asks. It is called once.
  func start() -> EventLoopFuture<Found> {
    guard !scope.interface.dnsServers.isEmpty else {
      isDone = true
      promise.fail(Failure.noServers)
      return promise.futureResult
    }
    let types = scope.families.map { $0 == .ipv4 ? DNSRecordType.a : .aaaa }
    guard !types.isEmpty else {
      isDone = true
      promise.fail(Failure.noAddresses(ttl: 0))
      return promise.futureResult
    }
    timers.append(scope.loop.scheduleTask(in: TimeAmount(timing.total)) { self.giveUp() })
    let queries = types.map { ($0, DNSQuery(DNSQuestion(name, $0), scope, timing, randomID: randomID)) }
    for (type, query) in queries { pending[type] = query }
    for (type, query) in queries { query.start().whenComplete { self.received($0, for: type) } }
    return promise.futureResult
  }

  private func received(_ result: Result<AddressAnswer, any Error>, for type: DNSRecordType) {
    guard !isDone, pending.removeValue(forKey: type) != nil else { return }
    switch result {
    case .success(.addresses(let addresses, let ttl)):
      if type == .a { found.v4 = addresses } else { found.v6 = addresses }
      found.ttl = min(found.ttl, ttl)
    case .success(.noSuchName(let ttl)): failures.append(.noSuchName(ttl: ttl))
    case .success(.failed(let code)): failures.append(.refused(code))
    case .success(.none(let ttl)): failures.append(.noAddresses(ttl: ttl))
    case .success: failures.append(.noAddresses(ttl: 0))
    case .failure(let error): failures.append(Self.failure(error))
    }
    if pending.isEmpty { return finish() }
    guard !found.isEmpty, timers.count == 1 else { return }
    timers.append(scope.loop.scheduleTask(in: TimeAmount(timing.otherFamily)) { self.finish() })
  }

  private func giveUp() {
    if !pending.isEmpty { failures.append(.noAnswer("no DNS server of the bearer answered in time")) }
    finish()
  }

  private func finish() {
    guard !isDone else { return }
    isDone = true
    for timer in timers { timer.cancel() }
    for query in pending.values { query.cancel() }
    pending = [:]
    if found.isEmpty {
      promise.fail(Self.worst(failures))
    } else {
      promise.succeed(found)
    }
  }

  /// A lost bearer explains every other failure. "The name does not exist" is more certain than
  /// silence.
  private static func worst(_ failures: [Failure]) -> Failure {
    func rank(_ failure: Failure) -> Int {
      switch failure {
      case .lost: 0
      case .noSuchName: 1
      case .noServers: 2
      case .noAnswer: 3
      case .refused: 4
      case .noAddresses: 5
      }
    }
    let worst = failures.min { rank($0) < rank($1) } ?? .noAddresses(ttl: 0)
    guard case .noAddresses(let first) = worst else { return worst }
    return .noAddresses(ttl: failures.reduce(first) { min($0, $1.ttl ?? 0) })
  }

  private static func failure(_ error: any Error) -> Failure {
    SocketFailure.isBearerLost(error)
      ? .lost(SocketFailure.boundWords(error)) : .noAnswer(SocketFailure.boundWords(error))
  }
}
