import Synchronization

/// What an agent remembers over its process's end.
package enum FleetFile: String, CaseIterable, Hashable, Sendable {
  /// Session number, naming key, retained topics, today's traffic. Replaced as a whole.
  case state = "state.json"
  /// Commands and audit, one line each. Appended.
  case journal = "commands.log"
}

/// Where an agent remembers. What a call has returned from survives a sudden end of the process
/// and of the machine.
package protocol FleetMemory: Sendable {
  /// Empty if there is nothing yet.
  ///
  /// - Throws: `FleetMemoryError`.
  func read(_ file: FleetFile) async throws -> [UInt8]
  /// - Throws: `FleetMemoryError`.
  func replace(_ file: FleetFile, with bytes: [UInt8]) async throws
  /// - Throws: `FleetMemoryError`.
  func append(_ bytes: [UInt8], to file: FleetFile) async throws
}

/// Why something cannot be remembered.
package struct FleetMemoryError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// A memory that lasts as long as the value: for simulated machines, which are many in one process.
package final class VolatileMemory: FleetMemory {
  private let files = Mutex<[FleetFile: [UInt8]]>([:])

  package init() {}

  package func read(_ file: FleetFile) -> [UInt8] { files.withLock { $0[file] ?? [] } }
  package func replace(_ file: FleetFile, with bytes: [UInt8]) { files.withLock { $0[file] = bytes } }
  package func append(_ bytes: [UInt8], to file: FleetFile) { files.withLock { $0[file, default: []] += bytes } }
}
