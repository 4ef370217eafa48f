// Written by varlink-generate from org.modemd.Fleet.varlink: change that file, then `make generate`.

import Varlink

/// How this machine's agent of a fleet, modemd-fleet, is doing. Later versions may add fields, and
/// new words to enums. A field without a value is null.
public enum FleetInterface: VarlinkInterface {
  public static let name = "org.modemd.Fleet"
  public static let text = #"""
    # How this machine's agent of a fleet, modemd-fleet, is doing. Later versions may add fields, and
    # new words to enums. A field without a value is null.
    interface org.modemd.Fleet

    # The connection to the broker.
    type Connection (
      # `connecting` while an attempt runs; `waiting` before the next attempt.
      state: (connected, connecting, waiting, paused),
      # When that state began, RFC 3339.
      since: string,
      # The broker's host and port.
      host: string,
      # 1 to 65535.
      port: int,
      # Connections since the start of modemd-fleet.
      connects: int,
      # Seconds until the next attempt.
      nextAttempt: ?float,
      # Why the last attempt failed, or the last connection ended.
      lastError: ?string,
      # The end of the validity of this machine's certificate, RFC 3339.
      certificateExpires: ?string
    )

    # What waits to be sent, and what was left out because too much waited.
    type Queue (
      # Messages that wait for the broker or for its acknowledgement.
      messages: int,
      # Their bytes.
      bytes: int,
      # Messages that were dropped since the start.
      dropped: int
    )

    # Bytes over the connection since the start, with TLS and without the headers of IP and TCP.
    type Traffic (
      # To the broker.
      sentBytes: int,
      # From the broker.
      receivedBytes: int,
      # Of these and of earlier runs, those of today, of either direction.
      dayBytes: int
    )

    # A command that was refused.
    type Refusal (
      # RFC 3339.
      time: string,
      # Who asked, as the broker says.
      requester: string,
      # The command's name as it came, at most 64 characters.
      command: string,
      # What a program can act on.
      reason: (notAllowed, unknownCommand, malformed, expired, tooMany, tooLarge, retained, notNow),
      # The same for people.
      message: string
    )

    # Commands since the start.
    type Commands (
      # Carried out, or under way.
      accepted: int,
      # Repetitions that got the first one's reply.
      repeated: int,
      # Not carried out.
      refused: int
    )

    # How modemd-fleet is doing. Root and members of the group modemd-fleet may ask.
    #
    # machine: this machine's name in the fleet
    # commands: how many commands came
    # refusals: the last refusals, the latest first, at most 32
    method Status() -> (
      machine: string,
      connection: Connection,
      queue: Queue,
      traffic: Traffic,
      commands: Commands,
      refusals: []Refusal
    )

    """#

  /// The connection to the broker.
  public struct Connection: Codable, Hashable, Sendable {
    /// `connecting` while an attempt runs; `waiting` before the next attempt.
    public var state: State
    /// When that state began, RFC 3339.
    public var since: String
    /// The broker's host and port.
    public var host: String
    /// 1 to 65535.
    public var port: Int
    /// Connections since the start of modemd-fleet.
    public var connects: Int
    /// Seconds until the next attempt.
    public var nextAttempt: Double?
    /// Why the last attempt failed, or the last connection ended.
    public var lastError: String?
    /// The end of the validity of this machine's certificate, RFC 3339.
    public var certificateExpires: String?

    public init(
      state: State, since: String, host: String, port: Int, connects: Int, nextAttempt: Double? = nil,
      lastError: String? = nil, certificateExpires: String? = nil
    ) {
      self.state = state
      self.since = since
      self.host = host
      self.port = port
      self.connects = connects
      self.nextAttempt = nextAttempt
      self.lastError = lastError
      self.certificateExpires = certificateExpires
    }

    /// One of the values of `state`.
    public enum State: OpenWord {
      case connected, connecting, waiting, paused
      case other(String)

      public static let known: [Self] = [.connected, .connecting, .waiting, .paused]
      public var rawValue: String {
        switch self {
        case .connected: "connected"
        case .connecting: "connecting"
        case .waiting: "waiting"
        case .paused: "paused"
        case .other(let word): word
        }
      }
    }
  }

  /// What waits to be sent, and what was left out because too much waited.
  public struct Queue: Codable, Hashable, Sendable {
    /// Messages that wait for the broker or for its acknowledgement.
    public var messages: Int
    /// Their bytes.
    public var bytes: Int
    /// Messages that were dropped since the start.
    public var dropped: Int

    public init(messages: Int, bytes: Int, dropped: Int) {
      self.messages = messages
      self.bytes = bytes
      self.dropped = dropped
    }
  }

  /// Bytes over the connection since the start, with TLS and without the headers of IP and TCP.
  public struct Traffic: Codable, Hashable, Sendable {
    /// To the broker.
    public var sentBytes: Int
    /// From the broker.
    public var receivedBytes: Int
    /// Of these and of earlier runs, those of today, of either direction.
    public var dayBytes: Int

    public init(sentBytes: Int, receivedBytes: Int, dayBytes: Int) {
      self.sentBytes = sentBytes
      self.receivedBytes = receivedBytes
      self.dayBytes = dayBytes
    }
  }

  /// A command that was refused.
  public struct Refusal: Codable, Hashable, Sendable {
    /// RFC 3339.
    public var time: String
    /// Who asked, as the broker says.
    public var requester: String
    /// The command's name as it came, at most 64 characters.
    public var command: String
    /// What a program can act on.
    public var reason: Reason
    /// The same for people.
    public var message: String

    public init(time: String, requester: String, command: String, reason: Reason, message: String) {
      self.time = time
      self.requester = requester
      self.command = command
      self.reason = reason
      self.message = message
    }

    /// One of the values of `reason`.
    public enum Reason: OpenWord {
      case notAllowed, unknownCommand, malformed, expired, tooMany, tooLarge, retained, notNow
      case other(String)

      public static let known: [Self] = [
        .notAllowed, .unknownCommand, .malformed, .expired, .tooMany, .tooLarge, .retained, .notNow,
      ]
      public var rawValue: String {
        switch self {
        case .notAllowed: "notAllowed"
        case .unknownCommand: "unknownCommand"
        case .malformed: "malformed"
        case .expired: "expired"
        case .tooMany: "tooMany"
        case .tooLarge: "tooLarge"
        case .retained: "retained"
        case .notNow: "notNow"
        case .other(let word): word
        }
      }
    }
  }

  /// Commands since the start.
  public struct Commands: Codable, Hashable, Sendable {
    /// Carried out, or under way.
    public var accepted: Int
    /// Repetitions that got the first one's reply.
    public var repeated: Int
    /// Not carried out.
    public var refused: Int

    public init(accepted: Int, repeated: Int, refused: Int) {
      self.accepted = accepted
      self.repeated = repeated
      self.refused = refused
    }
  }

  /// How modemd-fleet is doing. Root and members of the group modemd-fleet may ask.
  ///
  /// machine: this machine's name in the fleet
  /// commands: how many commands came
  /// refusals: the last refusals, the latest first, at most 32
  public enum Status: VarlinkMethod {
    public static let name = "org.modemd.Fleet.Status"

    /// What `Status` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `Status` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var machine: String
      public var connection: Connection
      public var queue: Queue
      public var traffic: Traffic
      public var commands: Commands
      public var refusals: [Refusal]

      public init(
        machine: String, connection: Connection, queue: Queue, traffic: Traffic, commands: Commands, refusals: [Refusal]
      ) {
        self.machine = machine
        self.connection = connection
        self.queue = queue
        self.traffic = traffic
        self.commands = commands
        self.refusals = refusals
      }
    }
  }
}
