import Dispatch
import SmallFiles

/// A memory in a folder that belongs to the agent's user alone. The disk is waited for on a queue
/// of its own, not in the pool of tasks.
package final class FleetFolder: FleetMemory {
  /// A file beyond this is not the agent's.
  private static let most = 16 << 20

  package let path: String
  private let queue = DispatchQueue(label: "modemd-fleet.memory")

  /// - Parameter path: the folder, which exists (`StateDirectory=`).
  package init(_ path: String) { self.path = path }

  package func read(_ file: FleetFile) async throws -> [UInt8] {
    try await onQueue { [path] () throws(FileFailure) in
      try SmallFile.content("\(path)/\(file.rawValue)", limit: Self.most) ?? []
    }
  }

  package func replace(_ file: FleetFile, with bytes: [UInt8]) async throws {
    try await onQueue { [path] () throws(FileFailure) in
      try SmallFile.replace("\(path)/\(file.rawValue)", with: bytes)
    }
  }

  package func append(_ bytes: [UInt8], to file: FleetFile) async throws {
    try await onQueue { [path] () throws(FileFailure) in
      try SmallFile.append(bytes, to: "\(path)/\(file.rawValue)")
    }
  }

  private func onQueue<Value: Sendable>(
    _ body: @escaping @Sendable () throws(FileFailure) -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        do throws(FileFailure) {
          continuation.resume(returning: try body())
        } catch {
          continuation.resume(throwing: Self.failure(error))
        }
      }
    }
  }

  private static func failure(_ failure: FileFailure) -> FleetMemoryError {
    FleetMemoryError(failure.step == .size ? "\(failure.path): it has more than 16 MiB" : "\(failure)")
  }
}
