import Glibc
import ModemModel
import Testing

@testable import MBIMBackend

/// Traps 7 and 10: what Debian's proxies do to those who use them.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(
    if: PrivateNetwork.isPossible(with: "mbim-proxy"),
    "needs root, a network namespace and mbim-proxy, which serves root only"))
struct `The proxy of a port` {
  private func withProxy(
    _ body: (_ backend: MBIMBackend, _ proxy: pid_t, _ path: String) async throws -> Void
  ) async throws {
    let modem = await ScriptedModem { _ in [.reply(status: 9)] }
    let backend = MBIMBackend(MBIMConfiguration(path: modem.path, usesProxy: true))
    try #require(await backend.enterOwnNetwork())
    do {
      try await backend.open()
      try await body(backend, try #require(await backend.ownProxy()), modem.path)
    } catch {
      Issue.record(error)
    }
    let proxy = try #require(await backend.ownProxy())
    await backend.close()
    kill(proxy, SIGTERM)
    while kill(proxy, 0) == 0 { await Task.yield() }
    await modem.hangUp()
  }

  /// The proxy gives somebody else no answer, or hangs up: the error has to say what only the
  /// proxy's log says.
  @Test func `serves nobody but root, and the error says so`() async throws {
    try await withProxy { root, _, path in
      let thread = await root.threadNumber()
      let nobody = MBIMBackend(
        MBIMConfiguration(path: path, usesProxy: true, limits: .init(open: .seconds(2), close: .milliseconds(100))))
      try #require(await nobody.becomeNobody(inNetworkOf: thread))
      let error = await modemError { try await nobody.open() }
      #expect(error?.code == .timeout || error?.code == .deviceUnavailable)
      #expect(error?.cause?.contains("root only") == true, "\(String(describing: error))")
      await nobody.close()
    }
  }

  /// A proxy that modemd-port starts is in its control group, with its rights: it may open that
  /// port's device alone, and its end is the port's. So in a unit none is started.
  @Test func `is in the control group of its first user, which therefore must not start one in its unit`() async throws
  {
    try await withProxy { _, proxy, _ in
      let status = try #require(Self.read("/proc/\(proxy)/stat"))
      // After the name in parentheses: state, parent, process group.
      let words = try #require(status.split(separator: ")").last).split(separator: " ")
      #expect(Int32(words[2]) == proxy, "the proxy leads a process group of its own")
      #expect(Self.read("/proc/\(proxy)/cgroup") == Self.read("/proc/self/cgroup"))
    }
    let unit = try #require(Self.read(Self.repository + "/systemd/modemd-port@.service"))
    let lines = unit.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("InaccessiblePaths=") && $0.contains("/usr/libexec/mbim-proxy") })
    #expect(lines.contains { $0.hasPrefix("Wants=") && $0.contains("modemd-mbim-proxy.service") })
  }

  private static let repository = String(#filePath).split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}

extension MBIMBackend {
  fileprivate func enterOwnNetwork() -> Bool { PrivateNetwork.enter() }
  fileprivate func threadNumber() -> pid_t { PrivateNetwork.thread() }
  fileprivate func ownProxy() -> pid_t? { PrivateNetwork.listener(on: "mbim-proxy") }

  /// Makes the backend's thread, and no other, another user's.
  fileprivate func becomeNobody(inNetworkOf thread: pid_t) -> Bool {
    guard PrivateNetwork.enter(of: thread), let symbol = dlsym(nil, "syscall") else { return false }
    // Swift does not see syscall(2); the function setresuid(2) would change all threads.
    let call = unsafeBitCast(symbol, to: (@convention(c) (Int, Int, Int, Int) -> Int).self)
    #if arch(x86_64)
      let setresuid = 117
    #else
      let setresuid = 147
    #endif
    return call(setresuid, 65_534, 65_534, 65_534) == 0
  }
}
