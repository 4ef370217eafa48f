import ModemModel
import NetworkAddress
import PortAPI
import Synchronization
import Varlink

/// One modem of a rack: what its port tells, and who follows it.
package final class RackModem: Sendable {
  private struct Contents {
    var state: ModemState
    var followers: [UInt64: AsyncStream<ModemState>.Continuation] = [:]
    var lastFollower: UInt64 = 0
  }

  /// The port's name, which is that of its socket.
  package let name: String
  private let number: Int
  private let contents: Mutex<Contents>

  /// - Parameter number: 0 to 9,999; it makes the modem's names and numbers.
  init(_ number: Int) {
    self.number = number
    let digits = String(String(10_000 + number).dropFirst())
    name = "cdc-wdm\(number)"
    contents = Mutex(Contents(state: Self.state(number, digits)))
  }

  private static func state(_ number: Int, _ digits: String) -> ModemState {
    var identity = DeviceIdentity()
    identity.manufacturer = "Example Radio"
    identity.model = "EX-500"
    identity.firmware = "1.4.2"
    identity.imei = "0049990106\(digits)0"
    var sim = SIMStatus()
    sim.state = .ready
    sim.iccid = ICCID("894902000001234\(digits)")
    sim.imsi = IMSI("26201123456\(digits)")
    sim.numbers = [PhoneNumber("+4915112340\(digits)", source: .subscriberReady)]
    var registration = Registration()
    registration.state = .home
    registration.rssi = -71
    return ModemState(
      id: "mbim-00499901064\(digits)", device: "/dev/cdc-wdm\(number)", kind: .mbim, identity: identity,
      interface: "wwan\(number)", sim: sim, registration: registration,
      bearer: BearerStatus(state: .down(nil), since: Timestamp(milliseconds: 1_000)),
      software: "modemd-port 1.0.0, libmbim 1.28.2")
  }

  /// As it is now.
  package var state: ModemState { contents.withLock { $0.state } }

  /// The modem's signal changes to another one than before, which its followers are told.
  package func changeSignal() { change { $0.registration.rssi = $0.registration.rssi == -71 ? -81 : -71 } }

  /// The bearer comes up without any kernel; it has an address and no name server.
  package func connect() -> BearerStatus {
    let address = IPAddress("10.\(64 + number / 16_384).\(number / 64 % 256).\(number % 64 * 4 + 2)")
    var settings = BearerSettings(dns: [])
    settings.ipv4 = address.flatMap { IPPrefix($0, length: 30) }.map { .init(prefix: $0) }
    let bearer = InstalledBearer(
      settings: settings, interface: "wwan\(number)", interfaceIndex: 100 + number, table: 7_000 + number)
    return change { state in
      guard state.bearer.state.installed == nil else { return }
      state.bearer = BearerStatus(
        state: .up(bearer), apn: "internet", since: Timestamp(milliseconds: state.bearer.since.milliseconds + 1))
    }
  }

  /// The bearer goes down.
  package func disconnect() -> BearerStatus {
    change { state in
      state.bearer = BearerStatus(
        state: .down(nil), since: Timestamp(milliseconds: state.bearer.since.milliseconds + 1))
    }
  }

  @discardableResult
  private func change(_ body: (inout ModemState) -> Void) -> BearerStatus {
    contents.withLock { contents in
      let old = contents.state
      body(&contents.state)
      if contents.state != old { for follower in contents.followers.values { follower.yield(contents.state) } }
      return contents.state.bearer
    }
  }

  private func changes() -> AsyncStream<ModemState> {
    let (stream, continuation) = AsyncStream.makeStream(of: ModemState.self, bufferingPolicy: .bufferingNewest(64))
    let id = contents.withLock { contents in
      contents.lastFollower += 1
      contents.followers[contents.lastFollower] = continuation
      continuation.yield(contents.state)
      return contents.lastFollower
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.contents.withLock { $0.followers.removeValue(forKey: id) }
    }
    return stream
  }

  /// What of org.modemd.Port a modem without any fault needs.
  package var router: VarlinkRouter {
    var router = VarlinkRouter(
      ServiceInformation(vendor: "modemd", product: "rack", version: "1", url: "https://github.com/modemd/modemd")
    ) { _, _ in true }
    router.add(PortInterface.self)
    router.handle(PortInterface.GetState.self) { _, _ in .init(state: PortInterface.State(self.state)) }
    router.stream(PortInterface.Watch.self) { _, _, replies in
      for await state in self.changes() { replies.send(.init(state: PortInterface.State(state))) }
      throw CancellationError()
    }
    router.stream(PortInterface.WatchMessages.self) { _, _, replies in
      replies.send(.init(.snapshot([], MessageStoreState(unavailable: nil, isFull: false))))
      // Until the caller leaves.
      for await _ in self.changes() {}
      throw CancellationError()
    }
    router.handle(PortInterface.Connect.self) { _, _ in .init(bearer: PortInterface.Bearer(self.connect())) }
    router.handle(PortInterface.Disconnect.self) { _, _ in .init(bearer: PortInterface.Bearer(self.disconnect())) }
    return router
  }
}
