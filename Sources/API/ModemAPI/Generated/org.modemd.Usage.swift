// Written by varlink-generate from org.modemd.Usage.varlink: change that file, then `make generate`.

import Varlink

/// What passes over the bearers, who caused it, and what is left of budgets. A user learns his own;
/// root learns everybody's. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem) are those of
/// org.modemd.Modem. Later versions may add fields, and new words to the enums of replies and errors.
/// Replies and errors always have all their fields; a field without a value is null.
public enum UsageInterface: VarlinkInterface {
  public static let name = "org.modemd.Usage"
  public static let text = #"""
    # What passes over the bearers, who caused it, and what is left of budgets. A user learns his own;
    # root learns everybody's. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem) are those of
    # org.modemd.Modem. Later versions may add fields, and new words to the enums of replies and errors.
    # Replies and errors always have all their fields; a field without a value is null.
    interface org.modemd.Usage

    # A socket or stream over a bearer that a program has.
    type Socket (
      # Identifies it while modemd runs.
      id: string,
      # Id of the modem.
      modem: string,
      # Name of the bearer's network interface.
      interface: string,
      # User id of the program that asked for it.
      user: int,
      # The process that asked for it. Another one may have it by now.
      process: ?int,
      # That process's program, as the kernel names it; null if the process had ended, or modemd may not
      # look: its unit hides other users' processes from it.
      program: ?string,
      # TCP or UDP.
      kind: (stream, datagram),
      # How the program got it: OpenSocket, OpenStream, or the proxy.
      way: (socket, stream, proxy),
      # The host that the program named; null if it named none.
      host: ?string,
      # The port that the program named.
      port: ?int,
      # The bearer's address.
      source: string,
      # The address that it is connected to; null if it is not, or is not known yet.
      address: ?string,
      # RFC 3339.
      opened: string,
      # Bytes of the program's data that went out. Null for datagrams handed over: the kernel does not
      # count them.
      sent: ?int,
      # Bytes of the program's data that came in. Null as `sent`.
      received: ?int
    )

    # Bytes of one user and one purpose over one modem.
    type Usage (
      # Id of the modem.
      modem: string,
      # User id; null for what modemd does for itself, such as probes.
      user: ?int,
      # What they were for: `chains` of Check.Open, `flows` of the providers' methods, `warming` for
      # both, `sockets` of OpenSocket, `streams` of OpenStream, and what went through the `proxy`.
      purpose: (chains, flows, warming, sockets, streams, proxy, probes),
      # Bytes that went out, without the headers of IP and TCP. Those of names that were resolved are
      # among them.
      sent: int,
      # Bytes that came in, without the headers of IP and TCP.
      received: int,
      # Of `sent` and `received` together: while roaming.
      roaming: int,
      # Connections.
      connections: int
    )

    # The usage of one day.
    type Day (
      # The date in the machine's time zone, as 2026-11-26.
      day: string,
      # One for each modem, user and purpose.
      usage: []Usage
    )

    # A budget and what is left of it.
    type Budget (
      # The key of the settings.
      name: string,
      # Id of the user that it applies to.
      user: int,
      # Bytes, or connections.
      unit: (bytes, connections),
      # How much there is.
      limit: int,
      # How much is used.
      used: int,
      # RFC 3339: when it starts anew; null for connections at one time.
      resets: ?string
    )

    # The sockets and streams that programs have over bearers.
    method Sockets(
      # Id, device or interface; null for all modems.
      modem: ?string
    ) -> (
      # The oldest first.
      sockets: []Socket
    )

    # Ends a socket or stream. NoSuchSocket if it is another user's, except for root.
    method EndSocket(
      # As Sockets has it.
      id: string
    ) -> ()

    # What was used.
    method Get(
      # Id, device or interface; null for all modems.
      modem: ?string,
      # User id; null for the caller, and for root: for everybody.
      user: ?int,
      # How many days to list, today among them, 0 to 400; null for none.
      days: ?int
    ) -> (
      # Since the present bearers came up; without those that are down.
      bearer: []Usage,
      # Since the first day of this month.
      month: []Usage,
      # The latest first, without days on which nothing was used.
      days: []Day,
      # Budgets that apply.
      budgets: []Budget
    )

    # With `more`: first `ready`, then one reply when a budget of the caller, for root anybody's, passes
    # 80 % (`warned`) or is spent (`spent`). Without: only `ready`.
    method Watch() -> (
      # What this reply is.
      event: (ready, warned, spent),
      # With `ready`: all budgets that apply. Otherwise: the one.
      budgets: []Budget
    )

    # There is no such socket, or it is another user's.
    error NoSuchSocket (
      # The id that was named.
      id: string
    )

    # The caller is not root and asked for another user's usage.
    error OtherUser (
      # The user id that was named.
      user: int
    )

    """#

  /// A socket or stream over a bearer that a program has.
  public struct Socket: Codable, Hashable, Sendable {
    /// Identifies it while modemd runs.
    public var id: String
    /// Id of the modem.
    public var modem: String
    /// Name of the bearer's network interface.
    public var interface: String
    /// User id of the program that asked for it.
    public var user: Int
    /// The process that asked for it. Another one may have it by now.
    public var process: Int?
    /// That process's program, as the kernel names it; null if the process had ended, or modemd may not
    /// look: its unit hides other users' processes from it.
    public var program: String?
    /// TCP or UDP.
    public var kind: Kind
    /// How the program got it: OpenSocket, OpenStream, or the proxy.
    public var way: Way
    /// The host that the program named; null if it named none.
    public var host: String?
    /// The port that the program named.
    public var port: Int?
    /// The bearer's address.
    public var source: String
    /// The address that it is connected to; null if it is not, or is not known yet.
    public var address: String?
    /// RFC 3339.
    public var opened: String
    /// Bytes of the program's data that went out. Null for datagrams handed over: the kernel does not
    /// count them.
    public var sent: Int?
    /// Bytes of the program's data that came in. Null as `sent`.
    public var received: Int?

    public init(
      id: String, modem: String, interface: String, user: Int, process: Int? = nil, program: String? = nil, kind: Kind,
      way: Way, host: String? = nil, port: Int? = nil, source: String, address: String? = nil, opened: String,
      sent: Int? = nil, received: Int? = nil
    ) {
      self.id = id
      self.modem = modem
      self.interface = interface
      self.user = user
      self.process = process
      self.program = program
      self.kind = kind
      self.way = way
      self.host = host
      self.port = port
      self.source = source
      self.address = address
      self.opened = opened
      self.sent = sent
      self.received = received
    }

    /// One of the values of `kind`.
    public enum Kind: OpenWord {
      case stream, datagram
      case other(String)

      public static let known: [Self] = [.stream, .datagram]
      public var rawValue: String {
        switch self {
        case .stream: "stream"
        case .datagram: "datagram"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `way`.
    public enum Way: OpenWord {
      case socket, stream, proxy
      case other(String)

      public static let known: [Self] = [.socket, .stream, .proxy]
      public var rawValue: String {
        switch self {
        case .socket: "socket"
        case .stream: "stream"
        case .proxy: "proxy"
        case .other(let word): word
        }
      }
    }
  }

  /// Bytes of one user and one purpose over one modem.
  public struct Usage: Codable, Hashable, Sendable {
    /// Id of the modem.
    public var modem: String
    /// User id; null for what modemd does for itself, such as probes.
    public var user: Int?
    /// What they were for: `chains` of Check.Open, `flows` of the providers' methods, `warming` for
    /// both, `sockets` of OpenSocket, `streams` of OpenStream, and what went through the `proxy`.
    public var purpose: Purpose
    /// Bytes that went out, without the headers of IP and TCP. Those of names that were resolved are
    /// among them.
    public var sent: Int
    /// Bytes that came in, without the headers of IP and TCP.
    public var received: Int
    /// Of `sent` and `received` together: while roaming.
    public var roaming: Int
    /// Connections.
    public var connections: Int

    public init(
      modem: String, user: Int? = nil, purpose: Purpose, sent: Int, received: Int, roaming: Int, connections: Int
    ) {
      self.modem = modem
      self.user = user
      self.purpose = purpose
      self.sent = sent
      self.received = received
      self.roaming = roaming
      self.connections = connections
    }

    /// One of the values of `purpose`.
    public enum Purpose: OpenWord {
      case chains, flows, warming, sockets, streams, proxy, probes
      case other(String)

      public static let known: [Self] = [.chains, .flows, .warming, .sockets, .streams, .proxy, .probes]
      public var rawValue: String {
        switch self {
        case .chains: "chains"
        case .flows: "flows"
        case .warming: "warming"
        case .sockets: "sockets"
        case .streams: "streams"
        case .proxy: "proxy"
        case .probes: "probes"
        case .other(let word): word
        }
      }
    }
  }

  /// The usage of one day.
  public struct Day: Codable, Hashable, Sendable {
    /// The date in the machine's time zone, as 2026-11-26.
    public var day: String
    /// One for each modem, user and purpose.
    public var usage: [Usage]

    public init(day: String, usage: [Usage]) {
      self.day = day
      self.usage = usage
    }
  }

  /// A budget and what is left of it.
  public struct Budget: Codable, Hashable, Sendable {
    /// The key of the settings.
    public var name: String
    /// Id of the user that it applies to.
    public var user: Int
    /// Bytes, or connections.
    public var unit: Unit
    /// How much there is.
    public var limit: Int
    /// How much is used.
    public var used: Int
    /// RFC 3339: when it starts anew; null for connections at one time.
    public var resets: String?

    public init(name: String, user: Int, unit: Unit, limit: Int, used: Int, resets: String? = nil) {
      self.name = name
      self.user = user
      self.unit = unit
      self.limit = limit
      self.used = used
      self.resets = resets
    }

    /// One of the values of `unit`.
    public enum Unit: OpenWord {
      case bytes, connections
      case other(String)

      public static let known: [Self] = [.bytes, .connections]
      public var rawValue: String {
        switch self {
        case .bytes: "bytes"
        case .connections: "connections"
        case .other(let word): word
        }
      }
    }
  }

  /// The sockets and streams that programs have over bearers.
  public enum Sockets: VarlinkMethod {
    public static let name = "org.modemd.Usage.Sockets"

    /// What `Sockets` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem"]
      /// Id, device or interface; null for all modems.
      public var modem: String?

      public init(modem: String? = nil) {
        self.modem = modem
      }
    }

    /// What `Sockets` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// The oldest first.
      public var sockets: [Socket]

      public init(sockets: [Socket]) {
        self.sockets = sockets
      }
    }
  }

  /// Ends a socket or stream. NoSuchSocket if it is another user's, except for root.
  public enum EndSocket: VarlinkMethod {
    public static let name = "org.modemd.Usage.EndSocket"

    /// What `EndSocket` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["id"]
      /// As Sockets has it.
      public var id: String

      public init(id: String) {
        self.id = id
      }
    }

    /// What `EndSocket` answers.
    public struct Reply: Codable, Hashable, Sendable {

      public init() {}
    }
  }

  /// What was used.
  public enum Get: VarlinkMethod {
    public static let name = "org.modemd.Usage.Get"

    /// What `Get` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem", "user", "days"]
      /// Id, device or interface; null for all modems.
      public var modem: String?
      /// User id; null for the caller, and for root: for everybody.
      public var user: Int?
      /// How many days to list, today among them, 0 to 400; null for none.
      public var days: Int?

      public init(modem: String? = nil, user: Int? = nil, days: Int? = nil) {
        self.modem = modem
        self.user = user
        self.days = days
      }
    }

    /// What `Get` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Since the present bearers came up; without those that are down.
      public var bearer: [Usage]
      /// Since the first day of this month.
      public var month: [Usage]
      /// The latest first, without days on which nothing was used.
      public var days: [Day]
      /// Budgets that apply.
      public var budgets: [Budget]

      public init(bearer: [Usage], month: [Usage], days: [Day], budgets: [Budget]) {
        self.bearer = bearer
        self.month = month
        self.days = days
        self.budgets = budgets
      }
    }
  }

  /// With `more`: first `ready`, then one reply when a budget of the caller, for root anybody's, passes
  /// 80 % (`warned`) or is spent (`spent`). Without: only `ready`.
  public enum Watch: VarlinkMethod {
    public static let name = "org.modemd.Usage.Watch"

    /// What `Watch` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `Watch` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What this reply is.
      public var event: Event
      /// With `ready`: all budgets that apply. Otherwise: the one.
      public var budgets: [Budget]

      public init(event: Event, budgets: [Budget]) {
        self.event = event
        self.budgets = budgets
      }

      /// One of the values of `event`.
      public enum Event: OpenWord {
        case ready, warned, spent
        case other(String)

        public static let known: [Self] = [.ready, .warned, .spent]
        public var rawValue: String {
          switch self {
          case .ready: "ready"
          case .warned: "warned"
          case .spent: "spent"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// There is no such socket, or it is another user's.
  public struct NoSuchSocket: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Usage.NoSuchSocket"
    /// The id that was named.
    public var id: String

    public init(id: String) {
      self.id = id
    }
  }

  /// The caller is not root and asked for another user's usage.
  public struct OtherUser: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Usage.OtherUser"
    /// The user id that was named.
    public var user: Int

    public init(user: Int) {
      self.user = user
    }
  }
}
