import Glibc
import MBIMBackend
import ModemModel
import ModemSimulator
import QMIBackend
import Testing

/// Trap 8: libqmi without a proxy on an MBIM port replaces the modem's list of indications with
/// QMI's alone.
@Suite(.timeLimit(.minutes(1))) struct `The indications of an MBIM modem` {
  private static let canRunQMICLI = access("/usr/bin/qmicli", X_OK) == 0

  @Test(.enabled(if: canRunQMICLI, "needs qmicli"))
  func `come again once this backend opens the port that qmicli has used`() async throws {
    let modem = SimulatedModem()
    let path = try modem.plugIn()
    let before = modem.snapshot.commands[.subscribe] ?? 0
    #expect(
      Self.run(["qmicli", "-d", path, "--device-open-mbim", "--dms-get-model", "--silent"]) == 0,
      "qmicli speaks QMI over MBIM")
    #expect(modem.snapshot.commands[.subscribe] ?? 0 > before, "nothing was replaced: the test would prove nothing")
    let backend = MBIMBackend(MBIMConfiguration(path: path))
    try await backend.open()
    modem.setSignal(rssi: -99)
    for await event in backend.events {
      #expect(event == .signalChanged)
      break
    }
    await backend.close()
    modem.unplug()
  }

  /// The port's protocol is asked of the kernel or given: nothing is tried out on it.
  @Test func `are left alone by a QMI backend that is given the wrong port`() async throws {
    libqmiIsQuiet
    let modem = SimulatedModem()
    let limits = QMIConfiguration.Limits(open: .seconds(1), query: .milliseconds(300), close: .milliseconds(100))
    let backend = QMIBackend(QMIConfiguration(path: try modem.plugIn(), limits: limits))
    let error = await modemError { try await backend.open() }
    #expect(error != nil)
    await backend.close()
    #expect(modem.snapshot.commands[.subscribe] ?? 0 == 0)
    modem.unplug()
  }

  private static func run(_ command: [String]) -> Int32 {
    var id: pid_t = 0
    let arguments = command.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [Int32(1), 2] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    guard posix_spawnp(&id, command[0], &actions, nil, arguments, environ) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
