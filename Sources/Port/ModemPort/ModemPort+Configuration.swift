import Logging
import ModemModel
import TaskPause

extension ModemPort {
  /// What to open, and where packets go.
  public struct Configuration: Sendable {
    /// Path of the control port, as in `/dev/cdc-wdm0`.
    public var device: String
    public var kind: ModemProtocol
    /// The bearer's network interface; nil when there is none to be found, and then no bearer can be brought up.
    public var interface: String?
    /// How the modem is to be used.
    public var settings: ModemSettings
    /// Waits before the control port is opened again after a failure; the last one repeats.
    public var reopenDelays: [Duration]
    /// Waits between the questions to a modem that calls its SIM absent or initialising; none believes it at once.
    public var simDoubts: [Duration]
    /// When a bearer that was lost is tried again.
    public var reconnecting = ReconnectBackoff.Policy()
    /// How often the modem is asked whether a bearer that is up still is: some lose it without a word. Nil for never.
    public var patrolInterval: Duration?
    public var releasing = ReleasePatience()
    /// How often the modem's news is looked into.
    public var eventPace: EventPace
    /// The program and its libraries with their versions; nil where nobody asks.
    public var software: String?

    public init(
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

  /// What the port reaches the world through.
  public struct Surroundings: Sendable {
    public var makeBackend: @Sendable () async throws -> any ModemBackend
    public var network: any BearerInstaller
    public var sleep: @Sendable (Duration) async throws -> Void
    public var now: @Sendable () -> Timestamp
    public var logger: Logger
    /// PINs that may be entered without anybody's doing.
    public var deposit = PINDeposit.empty
    /// Names the modem, with this machine's key.
    public let naming: ModemNaming
    /// PINs that must not.
    public var refusedPINs: any PINMemory = PINMemoryInProcess()
    /// The access points that are known for a network from elsewhere than the modem.
    public var accessPoints: @Sendable (Network) -> [AccessPoint] = { _ in [] }
    /// Waits for just so long: what is waited for is a time, and nothing else ends it.
    public var pause: @Sendable (Duration) async throws -> Void = { try await Task.pause(for: $0) }
    /// A number from 0 up to 1.
    public var chance: @Sendable () -> Double = { .random(in: 0..<1) }
    /// Says after each suspension of the machine how long it was; read once.
    public var resumptions = AsyncStream<Duration> { $0.finish() }
    /// Chooses how the modem is shared with ModemManager, where that is to be chosen: `makeBackend` then asks it.
    public var chooser: SharingChooser?
    /// Where kept bearers are noted, so that they outlive this process; nil for nowhere.
    public var keptBearers: KeptBearerFolder?

    public init(
      makeBackend: @escaping @Sendable () async throws -> any ModemBackend, network: any BearerInstaller,
      sleep: @escaping @Sendable (Duration) async throws -> Void, now: @escaping @Sendable () -> Timestamp,
      naming: ModemNaming, logger: Logger, chooser: SharingChooser? = nil
    ) {
      self.naming = naming
      self.chooser = chooser
      self.makeBackend = makeBackend
      self.network = network
      self.sleep = sleep
      self.now = now
      self.logger = logger
    }
  }
}
