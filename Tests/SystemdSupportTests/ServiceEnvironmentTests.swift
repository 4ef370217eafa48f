import Glibc
import SystemdSupport
import Testing

@Suite("What the service manager passes in the environment")
struct ServiceEnvironmentTests {
  static let me: Int32 = 4711

  struct Sockets: Sendable {
    let variables: [String: String]
    let expected: [InheritedSocket]
  }

  @Test(
    "sockets are taken when they are for this process",
    arguments: [
      Sockets(variables: [:], expected: []),
      Sockets(variables: ["LISTEN_FDS": "1"], expected: []),
      Sockets(variables: ["LISTEN_PID": "4711"], expected: []),
      Sockets(variables: ["LISTEN_PID": "4712", "LISTEN_FDS": "1"], expected: []),
      Sockets(variables: ["LISTEN_PID": "4711", "LISTEN_FDS": "0"], expected: []),
      Sockets(variables: ["LISTEN_PID": "", "LISTEN_FDS": ""], expected: []),
      Sockets(
        variables: ["LISTEN_PID": "4711", "LISTEN_FDS": "1"],
        expected: [InheritedSocket(descriptor: 3, name: "unknown")]),
      Sockets(
        variables: ["LISTEN_PID": "4711", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "varlink:"],
        expected: [InheritedSocket(descriptor: 3, name: "varlink"), InheritedSocket(descriptor: 4, name: "")]),
    ])
  func sockets(_ row: Sockets) throws {
    #expect(try ServiceEnvironment(row.variables, process: Self.me).inheritedSockets() == row.expected)
  }

  @Test(
    "variables of the wrong form are refused by name",
    arguments: [
      (["LISTEN_PID": "x", "LISTEN_FDS": "1"], "LISTEN_PID"),
      (["LISTEN_PID": "+4711", "LISTEN_FDS": "1"], "LISTEN_PID"),
      (["LISTEN_PID": "4711", "LISTEN_FDS": "-1"], "LISTEN_FDS"),
      (["LISTEN_PID": "4711", "LISTEN_FDS": "65"], "LISTEN_FDS"),
      (["LISTEN_PID": "4711", "LISTEN_FDS": "99999999999"], "LISTEN_FDS"),
      (["LISTEN_PID": "4711", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "one"], "LISTEN_FDNAMES"),
      (["LISTEN_PID": "4711", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "one:two"], "LISTEN_FDNAMES"),
    ] as [([String: String], String)])
  func refused(_ variables: [String: String], _ named: String) {
    let environment = ServiceEnvironment(variables, process: Self.me)
    let error = #expect(throws: SystemdError.self) { try environment.inheritedSockets() }
    #expect(error?.code == .badEnvironment)
    #expect(error?.message.contains(named) == true)
  }

  @Test(
    "the watchdog interval is read when it is for this process",
    arguments: [
      ([:], nil),
      (["WATCHDOG_USEC": "30000000"], .seconds(30)),
      (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "4711"], .seconds(30)),
      (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"], nil),
    ] as [([String: String], Duration?)])
  func watchdog(_ variables: [String: String], _ expected: Duration?) throws {
    #expect(try ServiceEnvironment(variables, process: Self.me).watchdogInterval() == expected)
  }

  @Test(
    "a watchdog interval that is no positive number is refused", arguments: ["0", "-5", "1s", "99999999999999999999"])
  func badWatchdog(_ text: String) {
    let environment = ServiceEnvironment(["WATCHDOG_USEC": text], process: Self.me)
    #expect(throws: SystemdError.self) { try environment.watchdogInterval() }
  }

  @Test("a descriptor that is no listening socket is refused, one that is gets closed on exec")
  func prepare() throws {
    var pipes: [Int32] = [0, 0]
    #expect(pipe(&pipes) == 0)
    defer { pipes.forEach { close($0) } }
    #expect(throws: SystemdError.self) { try InheritedSocket(descriptor: pipes[0], name: "pipe").prepare() }

    let unbound = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(unbound) }
    let inherited = InheritedSocket(descriptor: unbound, name: "varlink")
    #expect(throws: SystemdError.self) { try inherited.prepare() }

    // An address of the family alone is bound to a free abstract name by the kernel (unix(7),
    // autobind).
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(unbound, $0, socklen_t(MemoryLayout<sa_family_t>.size))
      }
    }
    #expect(bound == 0)
    #expect(listen(unbound, 1) == 0)
    try inherited.prepare()
    #expect(fcntl(unbound, F_GETFD) & FD_CLOEXEC != 0)
  }
}
