import Glibc
import Logging
import NIOCore
import NIOPosix
import Varlink

/// Many modems without devices and without kernel: each serves org.modemd.Port on a socket of its
/// own in one folder, as its modemd-port would.
package struct SimulatedRack: Sendable {
  private struct Slot {
    let modem: RackModem
    let server: VarlinkServer
  }

  private let folder: String
  private let group: any EventLoopGroup
  private let logger = Logger(label: "rack") { _ in SwiftLogNoOpLogHandler() }
  private var slots: [Slot] = []

  /// - Parameters:
  ///   - folder: must exist.
  ///   - group: whose loops carry the ports' connections.
  package init(in folder: String, on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton) {
    self.folder = folder
    self.group = group
  }

  /// Those that are plugged in, in the order of their numbers.
  package var modems: [RackModem] { slots.map(\.modem) }

  /// Plugs modems in or out until there are so many.
  ///
  /// - Parameter count: 0 to 10,000.
  /// - Throws: `VarlinkListenError` when a socket cannot be made.
  package mutating func resize(to count: Int) async throws {
    while slots.count > count { await slots.removeLast().server.close() }
    while slots.count < count {
      let modem = RackModem(slots.count)
      let server = try await VarlinkServer.start(
        modem.router, at: .path("\(folder)/\(modem.name)", mode: 0o600), on: group, logger: logger)
      slots.append(Slot(modem: modem, server: server))
    }
  }
}
