import Dispatch
import FoundationEssentials
import Glibc
import Subprocess
import Testing

/// modemd as it was built beside this test, with providers' files and credentials of its own.
struct ModemdProcess: Sendable {
  let folder: String
  var socket: String { "\(folder)/socket" }
  var providers: String { "\(folder)/providers" }
  var credentials: String { "\(folder)/credentials" }

  /// The program beside the test.
  static func program(_ name: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/\(name)"
  }

  /// Makes folders with these files, and takes them away afterwards.
  static func with(
    _ files: [String: String] = [:], secrets: [String: String] = [:], _ body: (ModemdProcess) async throws -> Void
  ) async throws {
    let folder = "/tmp/modemd-providers-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let process = ModemdProcess(folder: folder)
    for part in [process.providers, process.credentials, "\(folder)/ports", "\(folder)/state"] {
      try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: true)
    }
    for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(process.providers)/\(name)")) }
    for (name, text) in secrets { try Data(text.utf8).write(to: URL(filePath: "\(process.credentials)/\(name)")) }
    try await body(process)
  }

  private var arguments: [String] {
    [
      "--socket", socket, "--providers", providers, "--ports", "\(folder)/ports", "--state-directory",
      "\(folder)/state",
    ]
  }

  private func environment(_ more: [Environment.Key: String] = [:]) -> Environment {
    .inherit.updating(["CREDENTIALS_DIRECTORY": credentials].merging(more) { _, new in new })
  }

  /// Runs `modemd --check`.
  func check() async throws -> (status: TerminationStatus, output: String) {
    let result = try await Subprocess.run(
      .path(.init(Self.program("modemd"))), arguments: .init(arguments + ["--check"]), environment: environment(),
      output: .string(limit: 65_536), error: .string(limit: 65_536))
    return (result.terminationStatus, result.standardOutput + result.standardError)
  }

  /// Runs modemd while `body` runs, and ends it.
  ///
  /// - Returns: its log.
  @discardableResult
  func run(_ body: @Sendable () async throws -> Void) async throws -> String {
    try await run { _ in try await body() }
  }

  /// Runs modemd while `body` runs, and ends it.
  ///
  /// - Parameter body: is given what asks modemd to read its files anew, as `systemctl reload`
  ///   does.
  /// - Returns: its log.
  @discardableResult
  func run(_ body: @Sendable (_ askForReload: @Sendable () -> Void) async throws -> Void) async throws -> String {
    let ready = try ReadySocket("\(folder)/notify")
    let result = try await Subprocess.run(
      .path(.init(Self.program("modemd"))), arguments: .init(arguments),
      environment: environment(["NOTIFY_SOCKET": ready.path]), input: .none, output: .discarded,
      error: .string(limit: 1 << 20)
    ) { execution in
      do {
        try #require(await ready.isReady(), "modemd does not start")
        let process = execution.processIdentifier.value
        try await body { _ = Glibc.kill(process, SIGHUP) }
        try execution.send(signal: .terminate)
      } catch {
        try execution.send(signal: .kill)
        throw error
      }
    }
    #expect(result.terminationStatus == .exited(0), "\(result.standardError)")
    return result.standardError
  }
}

/// What the service manager listens at (sd_notify(3)).
private final class ReadySocket: Sendable {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    unlink(path)
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
  }

  deinit { close(descriptor) }

  /// Waits for `READY=1`, or for the end of modemd's patience.
  func isReady() async -> Bool {
    await withCheckedContinuation { done in
      DispatchQueue.global().async { [descriptor] in
        var buffer = [UInt8](repeating: 0, count: 4096)
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while Glibc.poll(&poll, 1, 30_000) > 0 {
          let count = recv(descriptor, &buffer, buffer.count, 0)
          if String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).contains("READY=1") {
            return done.resume(returning: true)
          }
        }
        done.resume(returning: false)
      }
    }
  }
}
