import NIOConcurrencyHelpers
import NIOCore
import NetworkAddress
import RedirectChain

/// The running chains of one client, and a regular check of their interfaces. A connected socket
/// does not notice that its device is gone.
final class RunningChains: Sendable {
  /// How often the interfaces are checked while a chain runs.
  private static let lookInterval = TimeAmount.milliseconds(500)

  /// What is checked: once, for any number of chains that use it.
  private struct Way: Hashable {
    let interface: BoundInterface
    /// The last address that a chain tried; nil before the first.
    var remote: IPAddress?
  }

  private struct Contents {
    var chains: [ObjectIdentifier: (run: ChainRun, way: Way)] = [:]
    var look: RepeatedTask?
  }

  private let contents = NIOLockedValueBox(Contents())

  /// A chain begins.
  ///
  /// - Parameter onLoss: called when the interface under the chains is gone, with the reason in one
  ///   sentence.
  func add(_ run: ChainRun, onLoss: @escaping @Sendable (BoundInterface, String) -> Void) {
    contents.withLockedValue { contents in
      contents.chains[ObjectIdentifier(run)] = (run, Way(interface: run.scope.interface))
      guard contents.look == nil else { return }
      contents.look = run.scope.loop.scheduleRepeatedTask(
        initialDelay: Self.lookInterval, delay: Self.lookInterval
      ) { _ in self.look(onLoss) }
    }
  }

  /// A chain is over.
  func remove(_ run: ChainRun) {
    let look = contents.withLockedValue { contents -> RepeatedTask? in
      contents.chains[ObjectIdentifier(run)] = nil
      guard contents.chains.isEmpty else { return nil }
      defer { contents.look = nil }
      return contents.look
    }
    look?.cancel()
  }

  /// A chain tries an address.
  func note(_ remote: IPAddress?, of run: ChainRun) {
    contents.withLockedValue { $0.chains[ObjectIdentifier(run)]?.way.remote = remote }
  }

  /// Ends the chains over an interface.
  func end(over index: Int32, _ reason: String) {
    for run in runs({ $0.interface.index == index }) { run.end(.bearerLost, reason) }
  }

  private func runs(_ isMeant: (Way) -> Bool) -> [ChainRun] {
    contents.withLockedValue { contents in contents.chains.values.filter { isMeant($0.way) }.map(\.run) }
  }

  private func look(_ onLoss: (BoundInterface, String) -> Void) {
    for way in Set(contents.withLockedValue { $0.chains.values.map(\.way) }) {
      do throws(BoundHTTPError) {
        if let remote = way.remote {
          try RouteProbe.check(remote, over: way.interface)
        } else {
          try way.interface.verify()
        }
      } catch {
        if error.code == .interfaceLost {
          onLoss(way.interface, error.message)
        } else {
          for run in runs({ $0 == way }) { run.end(.bearerLost, error.message) }
        }
      }
    }
  }
}
