import Glibc
import Testing

@testable import ScenarioRunner

/// The daemons as a service manager starts them that wants signs of life (`WatchdogSec=`).
@Suite(.timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason)) struct SignOfLifeTests {
  static let daemons = [
    ["modemd"],
    ["modemd-port", "--device", "/dev/nothing", "--protocol", "mbim", "--interface", "wwan9", "--user", "root"],
  ]

  @Test(arguments: daemons) func `come again and again, once the daemon is ready, and a reload is told`(
    command: [String]
  ) async throws {
    try await Scratch.with { scratch in
      let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      try #require(receiver >= 0)
      defer { close(receiver) }
      let path = scratch.path + "/notify"
      try #require(Self.bind(receiver, to: path))
      let ports = scratch.path + "/ports"
      mkdir(ports, 0o700)
      var streams = ChildProcess.Streams()
      (streams.output, streams.error) = (scratch.path + "/out", scratch.path + "/err")
      let options =
        command[0] == "modemd"
        ? ["--socket", scratch.path + "/socket", "--ports", ports] : ["--socket", ports + "/nothing"]
      let process = try ChildProcess.start(
        command[0],
        ["unshare", "--net", "\(Programs.folder)/\(command[0])"] + command.dropFirst() + options
          + ["--state-directory", scratch.path],
        environment: Programs.environment.merging(["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "100000"]) { $1 },
        streams: streams)
      // Two after the daemon is ready: one alone may have been sent before.
      var (isReady, signs) = (false, 0)
      while signs < 2 {
        let text = await Task.detached { Self.receive(receiver) }.value
        try #require(!text.isEmpty)
        if text.hasPrefix("READY=1") { isReady = true }
        if isReady, text == "WATCHDOG=1" { signs += 1 }
      }
      #expect(process.end == nil)
      process.send(SIGHUP)
      var told: [String] = []
      while told.last != "READY=1" {
        let text = await Task.detached { Self.receive(receiver) }.value
        try #require(!text.isEmpty)
        if text != "WATCHDOG=1" { told.append(text) }
      }
      #expect(told.count == 2 && told.first?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true, "\(told)")
      #expect(process.end == nil)
      await process.stop()
      #expect(process.end == .exited(0))
    }
  }

  private static func bind(_ descriptor: Int32, to path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// Waits for the next datagram.
  private static func receive(_ descriptor: Int32) -> String {
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
