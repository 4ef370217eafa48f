import LimitClock
import Logging
import ModemModel

extension ModemPort {
  /// What to open, and where packets go.
  package struct Configuration: Sendable {
    /// Path of the control port, as in `/dev/cdc-wdm0`.
    package var device: String
    package var kind: ModemProtocol
    /// The bearer's network interface; nil if none can be found, in which case no bearer can be
    /// brought up.
    package var interface: String?
    /// How to use the modem.
    package var settings: ModemSettings
    /// Delays before the control port is opened again after a failure; the last one repeats.
    package var reopenDelays: [Duration]
    /// Delays between questions to a modem that reports its SIM as absent or initialising. Such a
    /// report is not believed at once.
    package var simDoubts: [Duration]
    /// When to try a lost bearer again.
    package var reconnecting = ReconnectBackoff.Policy()
    /// How often to ask the modem whether a bearer is still up, because some lose it without
    /// notice. Nil for never.
    package var patrolInterval: Duration?
    package var releasing = ReleasePatience()
    /// How often to handle the modem's events.
    package var eventPace: EventPace
    /// The program and its libraries with their versions; nil if not needed.
    package var software: String?

    package init(
      device: String, kind: ModemProtocol, interface: String?, settings: ModemSettings = ModemSettings(),
      software: String? = nil,
      reopenDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30)],
      simDoubts: [Duration] = [], eventPace: EventPace = EventPace()
    ) {
      self.device = device
      self.kind = kind
      self.interface = interface
      self.settings = settings
      self.software = software
      self.reopenDelays = reopenDelays
      self.simDoubts = simDoubts
      self.eventPace = eventPace
    }
  }

  /// The port's interfaces to the outside.
  package struct Dependencies: Sendable {
    package var makeBackend: @Sendable () async throws -> any ModemBackend
    package var network: any BearerInstaller
    /// For limits and waits, but for those before a next try.
    package var clock: LimitClock
    /// Waits before the next try. It may end early: when something changed with which the try may
    /// succeed.
    package var waitForRetry: @Sendable (Duration) async throws -> Void
    package var now: @Sendable () -> Timestamp
    package var logger: Logger
    /// PINs that may be entered automatically.
    package var deposit = PINDeposit.empty
    /// Names the modem, with this machine's key.
    package let naming: ModemNaming
    /// PINs that must not.
    package var refusedPINs: any PINMemory = PINMemoryInProcess()
    /// The access points for a network that are known from sources other than the modem.
    package var accessPoints: @Sendable (Network) -> [AccessPoint] = { _ in [] }
    /// A number from 0 up to 1.
    package var chance: @Sendable () -> Double = { .random(in: 0..<1) }
    /// The length of each suspension of the machine, after it; read by one reader.
    package var resumptions = AsyncStream<Duration> { $0.finish() }
    /// Chooses how to share the modem with ModemManager, if there is a choice: `makeBackend` then
    /// asks it.
    package var chooser: SharingChooser?
    /// The sockets over bearers; nil if they are not looked at.
    package var sockets: (any BearerSocketAccess)?
    /// Where kept bearers are recorded, so that they outlive this process; nil for nowhere.
    package var keptBearers: KeptBearerFolder?
    /// The SIM's authentications of the last day.
    package var cardCalls: any CardCallMemory = CardCallsInProcess()
    /// Now, for the age of authentications.
    package var moment: @Sendable () -> CardCalls.Moment
    /// Random bytes that nobody can guess.
    package var random: @Sendable (_ count: Int) -> [UInt8] = { count in
      var generator = SystemRandomNumberGenerator()
      return (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
    }

    package init(
      makeBackend: @escaping @Sendable () async throws -> any ModemBackend, network: any BearerInstaller,
      clock: LimitClock = .machine, now: @escaping @Sendable () -> Timestamp,
      naming: ModemNaming, logger: Logger, chooser: SharingChooser? = nil
    ) {
      self.naming = naming
      self.chooser = chooser
      self.makeBackend = makeBackend
      self.network = network
      self.clock = clock
      waitForRetry = { try await clock.pause(for: $0) }
      self.now = now
      moment = { .now(now()) }
      self.logger = logger
    }
  }
}
