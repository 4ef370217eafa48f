import BoundHTTP
import LimitClock
import ModemModel
import ModemService
import NetworkAddress
import Synchronization

/// The sockets that programs have, until the port reports their end. The ledger counts their bytes.
///
/// The port destroys streams by their cookies. Datagram sockets are shut down here
/// (`DatagramHold`), also when the kernel no longer lists them over the bearer: their program has
/// unbound them.
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
    /// Who asked for it, if that is known.
    let process: RunningProcess?
    /// Of datagrams.
    let hold: DatagramHold?
    var stage: Stage

    /// Whether nobody can use it any more. A condemned stream is remembered for as long as the
    /// process that asked for it runs.
    var isForgotten: Bool {
      if case .condemned = stage { return process?.hasEnded ?? true }
      return life.isOver
    }
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
  /// - Parameters:
  ///   - isListed: whether the kernel lists it already. It lists no stream that is not connected.
  ///     Such a socket is no use of the bearer, since nobody can say when it is closed, and the
  ///     ledger is told of it when it is seen.
  ///   - processID: who asked for it; nil if that is not known.
  /// - Throws: `IOError` if there is no descriptor left.
  func add(
    _ life: ConnectionLife, _ socket: BoundDescriptor, isListed: Bool, isDatagram: Bool, processID: Int32?,
    over link: any ModemLink
  ) throws {
    let cookie = socket.cookie
    let hold = isDatagram ? try DatagramHold(socket) : nil
    life.account.connected(source: socket.source, address: socket.address, cookie: isListed ? cookie : nil)
    if !isListed { life.endUse() }
    state.withLock { state in
      state.entries[cookie] = Entry(
        life: life, link: link, source: socket.source, process: processID.map { RunningProcess($0) }, hold: hold,
        stage: isListed ? .missed(0) : .quiet)
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
      for (cookie, entry) in state.entries where entry.link.name == port {
        if let hold = entry.hold, entry.life.isOver || entry.process?.hasEnded == true {
          hold.shutDown()
          entry.life.finish()
          state.entries[cookie] = nil
        } else if entry.isForgotten {
          state.entries[cookie] = nil
        }
      }
      let goesOn = state.entries.values.contains { $0.link.name == port }
      if !goesOn { state.watches[port] = nil }
      return goesOn
    }
  }

  private func see(_ report: BearerSockets, from link: any ModemLink) -> Bool {
    let (open, ended) = (Set(report.open.map(\.cookie)), Set(report.ended.map(\.cookie)))
    var (over, begun, condemned): ([Entry], [UInt64: Entry], [UInt64]) = ([], [:], [])
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
          over.append(entry)
          state.entries[cookie] = nil
        } else if report.unlisted == 0 {
          switch entry.stage {
          case .missed(let times) where times < Self.patience: state.entries[cookie]?.stage = .missed(times + 1)
          case .missed, .seen:
            over.append(entry)
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
    for entry in over {
      entry.hold?.shutDown()
      entry.life.finish()
    }
    for cookie in condemned { destroy(cookie, over: link) }
    return goesOn(link.name)
  }

  private func end(_ cookie: UInt64, _ end: ConnectionLife.End) {
    let entry = state.withLock { state -> Entry? in
      guard let entry = state.entries[cookie] else { return nil }
      if case .quiet = entry.stage {
        state.entries[cookie]?.stage = .condemned
      } else if end == .bearerLost || entry.hold != nil {
        state.entries[cookie] = nil
      }
      return entry
    }
    guard let entry else { return }
    if let hold = entry.hold {
      hold.shutDown()
      entry.life.finish()
    } else if end == .bearerLost {
      // With the bearer, the port destroys all streams over it.
      entry.life.finish()
    } else if case .quiet = entry.stage {
      return
    } else {
      // What the port reports of its end still counts.
      destroy(cookie, over: entry.link)
    }
  }

  private func destroy(_ cookie: UInt64, over link: any ModemLink) {
    Task { try? await link.endSocket(cookie: cookie) }
  }
}
