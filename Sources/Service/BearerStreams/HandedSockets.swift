import BoundHTTP
import LimitClock
import ModemModel
import ModemService
import NetworkAddress
import Synchronization

/// The sockets that programs have, until the port reports their end. The ledger counts their bytes.
final class HandedSockets: Sendable {
  /// What is known of a socket.
  private enum Stage {
    /// The kernel lists it from the moment it is connected. A datagram's is listed when it is
    /// bound.
    case quiet
    /// It should be listed; so often it was not.
    case missed(Int)
    case seen
    /// It was ended while the kernel did not list it. It is destroyed as soon as it is.
    case condemned
  }

  private struct Entry {
    let life: ConnectionLife
    let link: any ModemLink
    let source: IPAddress
    var stage: Stage
  }

  private struct State {
    /// By cookie.
    var entries: [UInt64: Entry] = [:]
    /// By port.
    var watches: [String: Task<Void, Never>] = [:]
  }

  /// Time between two reports.
  private static let interval = Duration.seconds(1)
  /// Time until a port that reports nothing is asked again.
  private static let rest = Duration.seconds(5)
  /// Reports without a socket after which it is taken for closed before the first.
  private static let patience = 3

  private let state = Mutex(State())
  private let bearers: BearerService
  private let clock: LimitClock

  init(bearers: BearerService, clock: LimitClock) {
    self.bearers = bearers
    self.clock = clock
  }

  deinit { for watch in state.withLock({ Array($0.watches.values) }) { watch.cancel() } }

  /// A socket is about to be handed over.
  ///
  /// - Parameter isListed: whether the kernel lists it already. It lists no stream that is not
  ///   connected. Such a socket is no use of the bearer, since nobody can say when it is closed,
  ///   and the ledger is told of it when it is seen.
  func add(_ life: ConnectionLife, _ socket: BoundDescriptor, isListed: Bool, over link: any ModemLink) {
    let cookie = socket.cookie
    life.account.connected(source: socket.source, address: socket.address, cookie: isListed ? cookie : nil)
    if !isListed { life.endUse() }
    state.withLock { state in
      state.entries[cookie] = Entry(
        life: life, link: link, source: socket.source, stage: isListed ? .missed(0) : .quiet)
      guard state.watches[link.name] == nil else { return }
      state.watches[link.name] = Task { [weak self, clock] in
        repeat {
          do {
            for try await report in link.watchSockets(every: Self.interval) {
              guard let self, self.see(report, from: link) else { return }
            }
          } catch {
            // Asked again below: the port may be starting anew.
          }
          guard let self, self.goesOn(link.name) else { return }
        } while (try? await clock.pause(for: Self.rest)) != nil
      }
    }
    life.onEnd { [weak self] end in self?.end(cookie, end) }
  }

  /// - Returns: whether there are sockets to watch. Otherwise the watch is over.
  private func goesOn(_ port: String) -> Bool {
    state.withLock { state in
      for (cookie, entry) in state.entries where entry.link.name == port && entry.life.isOver {
        state.entries[cookie] = nil
      }
      let goesOn = state.entries.values.contains { $0.link.name == port }
      if !goesOn { state.watches[port] = nil }
      return goesOn
    }
  }

  private func see(_ report: BearerSockets, from link: any ModemLink) -> Bool {
    let (open, ended) = (Set(report.open.map(\.cookie)), Set(report.ended.map(\.cookie)))
    var (over, begun, condemned): ([ConnectionLife], [UInt64: Entry], [UInt64]) = ([], [:], [])
    state.withLock { state in
      for (cookie, entry) in state.entries where entry.link.name == link.name {
        if open.contains(cookie) {
          switch entry.stage {
          case .condemned: condemned.append(cookie)
          case .quiet:
            begun[cookie] = entry
            state.entries[cookie]?.stage = .seen
          case .missed, .seen: state.entries[cookie]?.stage = .seen
          }
        } else if ended.contains(cookie) {
          over.append(entry.life)
          state.entries[cookie] = nil
        } else if report.unlisted == 0 {
          switch entry.stage {
          case .missed(let times) where times < Self.patience: state.entries[cookie]?.stage = .missed(times + 1)
          case .missed, .seen:
            over.append(entry.life)
            state.entries[cookie] = nil
          case .quiet, .condemned: break
          }
        }
      }
    }
    for (cookie, entry) in begun {
      entry.life.begin(bearers.use(of: link))
      entry.life.account.connected(source: entry.source, address: nil, cookie: cookie)
    }
    for life in over { life.finish() }
    for cookie in condemned { destroy(cookie, over: link) }
    return goesOn(link.name)
  }

  private func end(_ cookie: UInt64, _ end: ConnectionLife.End) {
    let entry = state.withLock { state -> Entry? in
      guard let entry = state.entries[cookie] else { return nil }
      switch (end, entry.stage) {
      // With the bearer, the port destroys all sockets over it.
      case (.bearerLost, _): state.entries[cookie] = nil
      case (_, .quiet):
        state.entries[cookie]?.stage = .condemned
        return nil
      default: break
      }
      return entry
    }
    guard let entry else { return }
    if end != .bearerLost { destroy(cookie, over: entry.link) }
    // What the port reports of its end still counts.
    if end == .bearerLost { entry.life.finish() }
  }

  private func destroy(_ cookie: UInt64, over link: any ModemLink) {
    Task { try? await link.endSocket(cookie: cookie) }
  }
}
