import Glibc
import ModemModel
import Testing

@testable import ModemSimulator

/// The pseudo-terminal, seen from the host's side.
@Suite(.timeLimit(.minutes(1)))
struct PortTests {
  /// A host's descriptor on the port.
  private struct Host: ~Copyable {
    let descriptor: Int32

    init(_ path: String) throws {
      descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
      try #require(descriptor >= 0)
    }

    deinit { close(descriptor) }

    /// Writes all, as room comes: a terminal takes some of a write when it is nearly full.
    func write(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&polled, 1, 10_000) > 0 else { break }
        let written = Glibc.write(descriptor, Array(rest), rest.count)
        guard written > 0 || errno == EAGAIN else { break }
        rest = rest.dropFirst(max(written, 0))
      }
      #expect(rest.isEmpty)
    }

    /// What poll says within ten seconds; 0 when nothing happens.
    func events() -> Int32 {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&polled, 1, 10_000) > 0 ? Int32(polled.revents) : 0
    }

    /// Reads until `count` bytes have come, or the port says no more.
    func read(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count, events() & POLLIN != 0 {
        var buffer = [UInt8](repeating: 0, count: 512)
        let got = Glibc.read(descriptor, &buffer, min(buffer.count, count - bytes.count))
        guard got > 0 else { break }
        bytes += buffer[..<got]
      }
      return bytes
    }
  }

  private static let open = hex("01000000 10000000 01000000 00100000")
  private static let openDone = hex("01000080 10000000 01000000 00000000")

  @Test("the link leads to the port and goes away with it")
  func link() throws {
    let modem = SimulatedModem()
    let link = "/tmp/simulated-modem-\(getpid())-link"
    let path = try modem.plugIn(link: link)
    #expect(RawTerminal.target(of: link) == path)
    let host = try Host(link)
    host.write(Self.open)
    #expect(host.read(16) == Self.openDone)
    #expect(throws: SimulatorError.self) { try modem.plugIn() }
    modem.unplug()
    #expect(RawTerminal.target(of: link) == nil)
    #expect(host.events() & POLLHUP != 0)
  }

  @Test("an unplugged modem can be plugged in again, and has forgotten the host")
  func plugAgain() throws {
    let modem = SimulatedModem()
    let first = try Host(try modem.plugIn())
    first.write(Self.open)
    #expect(first.read(16) == Self.openDone)
    modem.unplug()
    let second = try Host(try modem.plugIn())
    second.write(MBIMHost.message(1))
    #expect(second.read(16) == hex("04000080 10000000 02000000 05000000"))
    modem.unplug()
  }

  @Test("bytes that look like control characters pass unchanged, however much is asked at once")
  func backPressure() throws {
    let modem = SimulatedModem()
    defer { modem.unplug() }
    let host = try Host(try modem.plugIn())
    host.write(Self.open)
    #expect(host.read(16) == Self.openDone)
    // Some 100 kB of answers to 400 questions, several times what a terminal holds; the host reads
    // only after the last.
    let query = MBIMHost.message(16)
    host.write((0..<400).flatMap { _ in query })
    var reference = MBIMHost()
    _ = reference.open()
    let expected = reference.send(query)[0]
    #expect((0..<400).count { _ in host.read(expected.count) == expected } == 400)
  }

  @Test("a delayed answer comes behind a later one")
  func delay() throws {
    var configuration = SimulatedModemConfiguration()
    configuration.faults = [SimulatedFault(on: .signal, .delay(.seconds(1)), times: 1)]
    let modem = SimulatedModem(configuration)
    defer { modem.unplug() }
    let host = try Host(try modem.plugIn())
    host.write(Self.open)
    _ = host.read(16)
    host.write(MBIMHost.message(11) + MBIMHost.message(3))
    let radio = host.read(56)
    #expect(UInt32(littleEndian: radio[36..<40]) == 3)
    let signal = host.read(68)
    #expect(UInt32(littleEndian: signal[36..<40]) == 11)
  }

  @Test("a fault hangs the port up")
  func hangUp() throws {
    var configuration = SimulatedModemConfiguration()
    configuration.faults = [SimulatedFault(on: .deviceCaps, .hangUp)]
    let modem = SimulatedModem(configuration)
    let host = try Host(try modem.plugIn())
    host.write(Self.open)
    _ = host.read(16)
    host.write(MBIMHost.message(1))
    #expect(host.events() & POLLHUP != 0)
    #expect(modem.snapshot.path == nil)
  }

  @Test("the data plane hears of bearers that come and go")
  func bearers() async throws {
    let modem = SimulatedModem()
    var changes = modem.bearerChanges().makeAsyncIterator()
    #expect(await changes.next() == [])
    let host = try Host(try modem.plugIn())
    host.write(Self.open + MBIMHost.message(12, isSet: true, MBIMHost.connect(type: 1)))
    let up = try #require(await changes.next())
    #expect(up.map(\.ipv4) == [SimulatedBearer().ipv4])
    #expect(up.map(\.ipv6) == [nil])
    modem.dropBearers(cause: 36)
    #expect(await changes.next() == [])
    modem.unplug()
  }

  @Test("what happens to the modem is indicated to the host")
  func indications() throws {
    let modem = SimulatedModem()
    defer { modem.unplug() }
    let host = try Host(try modem.plugIn())
    host.write(Self.open)
    _ = host.read(16)
    modem.setSignal(rssi: -113)
    #expect(
      host.read(64)
        == hex(
          """
          07000080 40000000 00000000 01000000 00000000 a289cc33bcbb8b4fb6b0133ec2aae6df 0b000000 14000000
          00000000 63000000 1e000000 01000000 ffffffff
          """))
    modem.removeSIM()
    #expect(modem.snapshot.registration.state == .deregistered)
    modem.insertSIM(SimulatedSIM())
    #expect(modem.snapshot.registration.state == .home)
  }
}
