import Dispatch
import Glibc

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
    try await onQueue { [path] in try Self.content("\(path)/\(file.rawValue)") }
  }

  package func replace(_ file: FleetFile, with bytes: [UInt8]) async throws {
    try await onQueue { [path] in
      let (name, draft) = ("\(path)/\(file.rawValue)", "\(path)/\(file.rawValue).new")
      unlink(draft)
      try Self.write(bytes, to: draft, O_WRONLY | O_CREAT | O_EXCL)
      guard rename(draft, name) == 0 else { throw Self.failure(name, "replaced") }
      let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else { throw Self.failure(path, "opened") }
      defer { close(folder) }
      guard fsync(folder) == 0 else { throw Self.failure(path, "written to the disk") }
    }
  }

  package func append(_ bytes: [UInt8], to file: FleetFile) async throws {
    try await onQueue { [path] in
      try Self.write(bytes, to: "\(path)/\(file.rawValue)", O_WRONLY | O_CREAT | O_APPEND)
    }
  }

  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }

  private static func write(_ bytes: [UInt8], to name: String, _ flags: Int32) throws {
    let descriptor = open(name, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(name, "opened") }
    defer { close(descriptor) }
    let before = lseek(descriptor, 0, SEEK_END)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let failed = failure(name, "written")
        // Half a line would hide the one behind it.
        if before >= 0 { _ = ftruncate(descriptor, before) }
        throw failed
      }
      rest = rest.dropFirst(count)
    }
    guard fdatasync(descriptor) == 0 else { throw failure(name, "written to the disk") }
  }

  private static func content(_ name: String) throws -> [UInt8] {
    let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw failure(name, "opened")
    }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(name, "read") }
      guard count > 0 else { return content }
      content += chunk[..<count]
      guard content.count <= most else { throw FleetMemoryError("\(name): it has more than 16 MiB") }
    }
  }

  private static func failure(_ name: String, _ what: String) -> FleetMemoryError {
    FleetMemoryError("\(name): it cannot be \(what): \(String(cString: strerror(errno)))")
  }
}
