// Written by varlink-generate from org.modemd.Bearer.varlink: change that file, then `make generate`.

import Varlink

/// The data bearer: bringing it up, taking it down, and its state. It never becomes the machine's
/// default route. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable,
/// ModemFailed) are those of org.modemd.Modem. Later versions may add fields, and new words to the
/// enums of replies and errors. Replies and errors always have all their fields; a field without a
/// value is null.
public enum BearerInterface: VarlinkInterface {
  public static let name = "org.modemd.Bearer"
  public static let text = #"""
    # The data bearer: bringing it up, taking it down, and its state. It never becomes the machine's
    # default route. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable,
    # ModemFailed) are those of org.modemd.Modem. Later versions may add fields, and new words to the
    # enums of replies and errors. Replies and errors always have all their fields; a field without a
    # value is null.
    interface org.modemd.Bearer

    # The address of one family.
    type Address (
      # Without the prefix length.
      address: string,
      # Bits.
      prefixLength: int,
      # Null on a point-to-point link.
      gateway: ?string
    )

    # The bearer's settings from the network, and where it is installed.
    type Settings (
      # Name of the network interface.
      interface: string,
      # IPv4, if the bearer has it.
      ipv4: ?Address,
      # IPv6, if the bearer has it.
      ipv6: ?Address,
      # DNS servers, in the network's order.
      dns: []string,
      # Bytes.
      mtu: ?int,
      # The routing table that holds the bearer's default route.
      table: int
    )

    # A reason in 3GPP's words.
    type Cause (
      # 3GPP's session management cause, if there is one.
      code: ?int,
      # The reason in words.
      text: string
    )

    # A bearer.
    type Bearer (
      # Id of its modem.
      modem: string,
      # Its present state.
      state: (down, attaching, connecting, configuring, up, disconnecting, failed),
      # The access point name that was last requested; null for the subscription's default.
      apn: ?string,
      # Set while `state` is up.
      settings: ?Settings,
      # RFC 3339: when this state began.
      since: string,
      # Why it failed or went down, unless that was requested.
      cause: ?Cause,
      # Where `apn` comes from: the caller, the configuration, the modem, the list of providers, or
      # (null name) the network.
      apnSource: ?(asked, configured, modem, network, database),
      # RFC 3339: when the bearer is brought up again automatically. Null while it is up, and if it will
      # not be brought up.
      nextAttempt: ?string,
      # Failed attempts, or bearers lost early, since the last stable bearer.
      failures: ?int,
      # While it is up: whether a DNS server of the bearer answered. Null if it is not probed.
      traffic: ?(untested, answered, silent),
      # While `traffic` is silent: the most likely reason, in one sentence.
      trafficText: ?string,
      # While it is up: what prevents other users' programs from sending over it, and the network behind
      # it from reaching this machine.
      guard: ?(vrf, nftables, none),
      # What the guard does not cover, or why there is none, in one sentence.
      guardText: ?string,
      # True while the modem must still confirm the end of its part; nothing of the bearer is left on
      # this machine. Null means no.
      releasing: ?bool,
      # What happens to a bearer that was kept when its port's process ended or the modem vanished:
      # `pending`, it will be brought up; `resumed`, it was brought up; `refused`, it stays down. Null
      # without such a bearer, and after Connect or Disconnect.
      resumption: ?(pending, resumed, refused),
      # If `resumption` is refused: why. If it is pending: what the bearer waits for, unless it is
      # coming up. In one sentence.
      resumptionText: ?string
    )

    # Brings the bearer up, or returns it unchanged if it is already up. Null options use the
    # configuration, else what the modem, the network or the list of providers offers. Until Disconnect,
    # a lost bearer is brought up again. With the same SIM, that also applies after the port's process
    # has ended or the modem returns, unless the port's settings forbid it.
    method Connect(
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # Access point name.
      apn: ?string,
      # Address families.
      ipType: ?(ipv4, ipv6, ipv4v6)
    ) -> (
      # Up, with its settings.
      bearer: Bearer
    )

    # Takes the bearer down. When it returns, the machine's part is gone. It waits a short time for the
    # modem's part, which otherwise continues in the background (`releasing`). InUse while flows run on
    # it.
    method Disconnect(
      # Id, device or interface; null for the only modem.
      modem: ?string
    ) -> (
      # Down.
      bearer: Bearer
    )

    # The bearer as it is.
    method Get(
      # Id, device or interface; null for the only modem.
      modem: ?string
    ) -> (
      # As it was known last.
      bearer: Bearer
    )

    # With `more`: first `ready` with the present state, then one reply for each change. Without: only
    # `ready`.
    method Watch(
      # Id, device or interface; null for the only modem.
      modem: ?string
    ) -> (
      # What this reply is.
      event: (ready, changed),
      # The bearer now.
      bearer: Bearer
    )

    # An address of a resolved name.
    type ResolvedAddress (
      # IPv4, or IPv6 without a zone.
      address: string,
      # Made from the IPv4 address of a name that has no IPv6 address, for a bearer without IPv4: the
      # network translates (NAT64, RFC 6052).
      translated: bool,
      # Why no connection is made to this address, in one sentence; null if one may be made.
      refused: ?string
    )

    # Resolves a name over the bearer, by the bearer's DNS servers alone. Brings the bearer up if it is
    # down. Only for root, unless the access table names this method.
    method Resolve(
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # A host name, or an address, which is returned as it is.
      name: string,
      # The family to ask for; null for both.
      family: ?(ipv4, ipv6),
      # For the whole call, 1 to 120,000; null for 10,000.
      timeoutMilliseconds: ?int
    ) -> (
      # Id of the modem.
      modem: string,
      # Name of the bearer's network interface.
      interface: string,
      # The name that was asked for, as it was sent (IDNA A-labels).
      name: string,
      # In the order in which connections would try them.
      addresses: []ResolvedAddress,
      # The DNS servers that answered; null for an address, and for a name that was still known.
      servers: ?[]string,
      # The network's prefix of NAT64, as `64:ff9b::/96`; null if it has none, or was not asked.
      translationPrefix: ?string,
      # How long it took.
      milliseconds: int
    )

    # Makes a socket that is bound to the bearer's interface, and hands it to the caller. The reply
    # carries one file descriptor with its first byte (SCM_RIGHTS), by sd-varlink's convention. One
    # reply only: a call with `more` is refused. The socket ends when the bearer is lost, when its
    # addresses or the SIM change, when a budget is spent, and by org.modemd.Usage.EndSocket. A datagram
    # socket also ends with the process that asked for it; its bytes are not counted. Only for root,
    # unless the access table names this method; datagrams also need the entry
    # `org.modemd.Bearer.OpenSocket.datagram`.
    method OpenSocket(
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # Where to connect to: a host name, which is resolved over the bearer, or an address. Null for a
      # socket that is bound and not connected.
      host: ?string,
      # 1 to 65535; with `host`, and only then.
      port: ?int,
      # TCP or UDP; null for `stream`.
      kind: ?(stream, datagram),
      # The address family of a socket without `host`; null for the bearer's first.
      family: ?(ipv4, ipv6),
      # For the whole call, 1 to 120,000; null for 30,000.
      timeoutMilliseconds: ?int
    ) -> (
      # Index into the file descriptors of this reply.
      socketFileDescriptor: int,
      # Identifies the socket in org.modemd.Usage.
      id: string,
      # Id of the modem.
      modem: string,
      # Name of the bearer's network interface.
      interface: string,
      # The bearer's address that it sends from.
      source: string,
      # The address that it is connected to; null if it is not.
      address: ?string
    )

    # Opens a TCP connection over the bearer. The call must be sent with `upgrade`: after the reply,
    # this connection to modemd carries the bytes of that connection, in both directions. It ends as a
    # socket of OpenSocket does. Only for root, unless the access table names this method.
    method OpenStream(
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # A host name, which is resolved over the bearer, or an address.
      host: string,
      # 1 to 65535.
      port: int,
      # For the whole call, 1 to 120,000; null for 30,000.
      timeoutMilliseconds: ?int
    ) -> (
      # Identifies the stream in org.modemd.Usage.
      id: string,
      # Id of the modem.
      modem: string,
      # Name of the bearer's network interface.
      interface: string,
      # The bearer's address that it sends from.
      source: string,
      # The address that it is connected to.
      address: string
    )

    # The SIM or the network is not ready.
    error NotReady (
      # What is missing.
      reason: (simAbsent, simLocked, simNotReady, notRegistered),
      # One sentence that explains what to do.
      text: string
    )

    # The network refused the bearer.
    error Refused (
      # 3GPP's session management cause, if there is one.
      code: ?int,
      # The reason in words.
      text: string
    )

    # The network gave no usable address.
    error NoAddress (
      # What the network gave, in one sentence.
      text: string
    )

    # Flows use the bearer.
    error InUse (
      # How many.
      flows: int
    )

    # The bearer's DNS servers have no address for the name, or did not answer.
    error NotResolved (
      # The name.
      name: string,
      # What they answered, in one sentence.
      text: string
    )

    # No connection was made.
    error NotConnected (
      # What prevented it. `refusedAddress`: all addresses are of a kind that is not reached over a
      # bearer, such as this machine's own. `bearerLost`: the bearer ended meanwhile.
      reason: (refused, timedOut, unreachable, refusedAddress, bearerLost, failed),
      # In one sentence.
      text: string
    )

    # The administrator does not allow this destination.
    error DestinationNotAllowed (
      # The host that was named.
      host: string,
      # The port that was named.
      port: int,
      # Which setting refuses it, in one sentence.
      text: string
    )

    # The caller's budget is spent, or he has as many connections as he may have.
    error BudgetSpent (
      # Which budget: the key of the settings.
      budget: string,
      # RFC 3339: when it starts anew; null if that needs the end of a connection or of roaming.
      resets: ?string,
      # In one sentence.
      text: string
    )

    """#

  /// The address of one family.
  public struct Address: Codable, Hashable, Sendable {
    /// Without the prefix length.
    public var address: String
    /// Bits.
    public var prefixLength: Int
    /// Null on a point-to-point link.
    public var gateway: String?

    public init(address: String, prefixLength: Int, gateway: String? = nil) {
      self.address = address
      self.prefixLength = prefixLength
      self.gateway = gateway
    }
  }

  /// The bearer's settings from the network, and where it is installed.
  public struct Settings: Codable, Hashable, Sendable {
    /// Name of the network interface.
    public var interface: String
    /// IPv4, if the bearer has it.
    public var ipv4: Address?
    /// IPv6, if the bearer has it.
    public var ipv6: Address?
    /// DNS servers, in the network's order.
    public var dns: [String]
    /// Bytes.
    public var mtu: Int?
    /// The routing table that holds the bearer's default route.
    public var table: Int

    public init(
      interface: String, ipv4: Address? = nil, ipv6: Address? = nil, dns: [String], mtu: Int? = nil, table: Int
    ) {
      self.interface = interface
      self.ipv4 = ipv4
      self.ipv6 = ipv6
      self.dns = dns
      self.mtu = mtu
      self.table = table
    }
  }

  /// A reason in 3GPP's words.
  public typealias Cause = ModemInterface.Cause

  /// A bearer.
  public struct Bearer: Codable, Hashable, Sendable {
    /// Id of its modem.
    public var modem: String
    /// Its present state.
    public var state: State
    /// The access point name that was last requested; null for the subscription's default.
    public var apn: String?
    /// Set while `state` is up.
    public var settings: Settings?
    /// RFC 3339: when this state began.
    public var since: String
    /// Why it failed or went down, unless that was requested.
    public var cause: Cause?
    /// Where `apn` comes from: the caller, the configuration, the modem, the list of providers, or
    /// (null name) the network.
    public var apnSource: ApnSource?
    /// RFC 3339: when the bearer is brought up again automatically. Null while it is up, and if it will
    /// not be brought up.
    public var nextAttempt: String?
    /// Failed attempts, or bearers lost early, since the last stable bearer.
    public var failures: Int?
    /// While it is up: whether a DNS server of the bearer answered. Null if it is not probed.
    public var traffic: Traffic?
    /// While `traffic` is silent: the most likely reason, in one sentence.
    public var trafficText: String?
    /// While it is up: what prevents other users' programs from sending over it, and the network behind
    /// it from reaching this machine.
    public var `guard`: Guard?
    /// What the guard does not cover, or why there is none, in one sentence.
    public var guardText: String?
    /// True while the modem must still confirm the end of its part; nothing of the bearer is left on
    /// this machine. Null means no.
    public var releasing: Bool?
    /// What happens to a bearer that was kept when its port's process ended or the modem vanished:
    /// `pending`, it will be brought up; `resumed`, it was brought up; `refused`, it stays down. Null
    /// without such a bearer, and after Connect or Disconnect.
    public var resumption: Resumption?
    /// If `resumption` is refused: why. If it is pending: what the bearer waits for, unless it is
    /// coming up. In one sentence.
    public var resumptionText: String?

    public init(
      modem: String, state: State, apn: String? = nil, settings: Settings? = nil, since: String, cause: Cause? = nil,
      apnSource: ApnSource? = nil, nextAttempt: String? = nil, failures: Int? = nil, traffic: Traffic? = nil,
      trafficText: String? = nil, guard: Guard? = nil, guardText: String? = nil, releasing: Bool? = nil,
      resumption: Resumption? = nil, resumptionText: String? = nil
    ) {
      self.modem = modem
      self.state = state
      self.apn = apn
      self.settings = settings
      self.since = since
      self.cause = cause
      self.apnSource = apnSource
      self.nextAttempt = nextAttempt
      self.failures = failures
      self.traffic = traffic
      self.trafficText = trafficText
      self.guard = `guard`
      self.guardText = guardText
      self.releasing = releasing
      self.resumption = resumption
      self.resumptionText = resumptionText
    }

    /// One of the values of `state`.
    public enum State: OpenWord {
      case down, attaching, connecting, configuring, up, disconnecting, failed
      case other(String)

      public static let known: [Self] = [.down, .attaching, .connecting, .configuring, .up, .disconnecting, .failed]
      public var rawValue: String {
        switch self {
        case .down: "down"
        case .attaching: "attaching"
        case .connecting: "connecting"
        case .configuring: "configuring"
        case .up: "up"
        case .disconnecting: "disconnecting"
        case .failed: "failed"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `apnSource`.
    public enum ApnSource: OpenWord {
      case asked, configured, modem, network, database
      case other(String)

      public static let known: [Self] = [.asked, .configured, .modem, .network, .database]
      public var rawValue: String {
        switch self {
        case .asked: "asked"
        case .configured: "configured"
        case .modem: "modem"
        case .network: "network"
        case .database: "database"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `traffic`.
    public enum Traffic: OpenWord {
      case untested, answered, silent
      case other(String)

      public static let known: [Self] = [.untested, .answered, .silent]
      public var rawValue: String {
        switch self {
        case .untested: "untested"
        case .answered: "answered"
        case .silent: "silent"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `guard`.
    public enum Guard: OpenWord {
      case vrf, nftables, none
      case other(String)

      public static let known: [Self] = [.vrf, .nftables, .none]
      public var rawValue: String {
        switch self {
        case .vrf: "vrf"
        case .nftables: "nftables"
        case .none: "none"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `resumption`.
    public enum Resumption: OpenWord {
      case pending, resumed, refused
      case other(String)

      public static let known: [Self] = [.pending, .resumed, .refused]
      public var rawValue: String {
        switch self {
        case .pending: "pending"
        case .resumed: "resumed"
        case .refused: "refused"
        case .other(let word): word
        }
      }
    }
  }

  /// Brings the bearer up, or returns it unchanged if it is already up. Null options use the
  /// configuration, else what the modem, the network or the list of providers offers. Until Disconnect,
  /// a lost bearer is brought up again. With the same SIM, that also applies after the port's process
  /// has ended or the modem returns, unless the port's settings forbid it.
  public enum Connect: VarlinkMethod {
    public static let name = "org.modemd.Bearer.Connect"

    /// What `Connect` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem", "apn", "ipType"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// Access point name.
      public var apn: String?
      /// Address families.
      public var ipType: IpType?

      public init(modem: String? = nil, apn: String? = nil, ipType: IpType? = nil) {
        self.modem = modem
        self.apn = apn
        self.ipType = ipType
      }

      /// One of the values of `ipType`.
      public enum IpType: String, Codable, CaseIterable, Hashable, Sendable {
        case ipv4, ipv6, ipv4v6
      }
    }

    /// What `Connect` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Up, with its settings.
      public var bearer: Bearer

      public init(bearer: Bearer) {
        self.bearer = bearer
      }
    }
  }

  /// Takes the bearer down. When it returns, the machine's part is gone. It waits a short time for the
  /// modem's part, which otherwise continues in the background (`releasing`). InUse while flows run on
  /// it.
  public enum Disconnect: VarlinkMethod {
    public static let name = "org.modemd.Bearer.Disconnect"

    /// What `Disconnect` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?

      public init(modem: String? = nil) {
        self.modem = modem
      }
    }

    /// What `Disconnect` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Down.
      public var bearer: Bearer

      public init(bearer: Bearer) {
        self.bearer = bearer
      }
    }
  }

  /// The bearer as it is.
  public enum Get: VarlinkMethod {
    public static let name = "org.modemd.Bearer.Get"

    /// What `Get` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?

      public init(modem: String? = nil) {
        self.modem = modem
      }
    }

    /// What `Get` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// As it was known last.
      public var bearer: Bearer

      public init(bearer: Bearer) {
        self.bearer = bearer
      }
    }
  }

  /// With `more`: first `ready` with the present state, then one reply for each change. Without: only
  /// `ready`.
  public enum Watch: VarlinkMethod {
    public static let name = "org.modemd.Bearer.Watch"

    /// What `Watch` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?

      public init(modem: String? = nil) {
        self.modem = modem
      }
    }

    /// What `Watch` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What this reply is.
      public var event: Event
      /// The bearer now.
      public var bearer: Bearer

      public init(event: Event, bearer: Bearer) {
        self.event = event
        self.bearer = bearer
      }

      /// One of the values of `event`.
      public enum Event: OpenWord {
        case ready, changed
        case other(String)

        public static let known: [Self] = [.ready, .changed]
        public var rawValue: String {
          switch self {
          case .ready: "ready"
          case .changed: "changed"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// An address of a resolved name.
  public struct ResolvedAddress: Codable, Hashable, Sendable {
    /// IPv4, or IPv6 without a zone.
    public var address: String
    /// Made from the IPv4 address of a name that has no IPv6 address, for a bearer without IPv4: the
    /// network translates (NAT64, RFC 6052).
    public var translated: Bool
    /// Why no connection is made to this address, in one sentence; null if one may be made.
    public var refused: String?

    public init(address: String, translated: Bool, refused: String? = nil) {
      self.address = address
      self.translated = translated
      self.refused = refused
    }
  }

  /// Resolves a name over the bearer, by the bearer's DNS servers alone. Brings the bearer up if it is
  /// down. Only for root, unless the access table names this method.
  public enum Resolve: VarlinkMethod {
    public static let name = "org.modemd.Bearer.Resolve"

    /// What `Resolve` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem", "name", "family", "timeoutMilliseconds"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// A host name, or an address, which is returned as it is.
      public var name: String
      /// The family to ask for; null for both.
      public var family: Family?
      /// For the whole call, 1 to 120,000; null for 10,000.
      public var timeoutMilliseconds: Int?

      public init(modem: String? = nil, name: String, family: Family? = nil, timeoutMilliseconds: Int? = nil) {
        self.modem = modem
        self.name = name
        self.family = family
        self.timeoutMilliseconds = timeoutMilliseconds
      }

      /// One of the values of `family`.
      public enum Family: String, Codable, CaseIterable, Hashable, Sendable {
        case ipv4, ipv6
      }
    }

    /// What `Resolve` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Id of the modem.
      public var modem: String
      /// Name of the bearer's network interface.
      public var interface: String
      /// The name that was asked for, as it was sent (IDNA A-labels).
      public var name: String
      /// In the order in which connections would try them.
      public var addresses: [ResolvedAddress]
      /// The DNS servers that answered; null for an address, and for a name that was still known.
      public var servers: [String]?
      /// The network's prefix of NAT64, as `64:ff9b::/96`; null if it has none, or was not asked.
      public var translationPrefix: String?
      /// How long it took.
      public var milliseconds: Int

      public init(
        modem: String, interface: String, name: String, addresses: [ResolvedAddress], servers: [String]? = nil,
        translationPrefix: String? = nil, milliseconds: Int
      ) {
        self.modem = modem
        self.interface = interface
        self.name = name
        self.addresses = addresses
        self.servers = servers
        self.translationPrefix = translationPrefix
        self.milliseconds = milliseconds
      }
    }
  }

  /// Makes a socket that is bound to the bearer's interface, and hands it to the caller. The reply
  /// carries one file descriptor with its first byte (SCM_RIGHTS), by sd-varlink's convention. One
  /// reply only: a call with `more` is refused. The socket ends when the bearer is lost, when its
  /// addresses or the SIM change, when a budget is spent, and by org.modemd.Usage.EndSocket. A datagram
  /// socket also ends with the process that asked for it; its bytes are not counted. Only for root,
  /// unless the access table names this method; datagrams also need the entry
  /// `org.modemd.Bearer.OpenSocket.datagram`.
  public enum OpenSocket: VarlinkMethod {
    public static let name = "org.modemd.Bearer.OpenSocket"

    /// What `OpenSocket` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem", "host", "port", "kind", "family", "timeoutMilliseconds"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// Where to connect to: a host name, which is resolved over the bearer, or an address. Null for a
      /// socket that is bound and not connected.
      public var host: String?
      /// 1 to 65535; with `host`, and only then.
      public var port: Int?
      /// TCP or UDP; null for `stream`.
      public var kind: Kind?
      /// The address family of a socket without `host`; null for the bearer's first.
      public var family: Family?
      /// For the whole call, 1 to 120,000; null for 30,000.
      public var timeoutMilliseconds: Int?

      public init(
        modem: String? = nil, host: String? = nil, port: Int? = nil, kind: Kind? = nil, family: Family? = nil,
        timeoutMilliseconds: Int? = nil
      ) {
        self.modem = modem
        self.host = host
        self.port = port
        self.kind = kind
        self.family = family
        self.timeoutMilliseconds = timeoutMilliseconds
      }

      /// One of the values of `kind`.
      public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        case stream, datagram
      }

      /// One of the values of `family`.
      public typealias Family = BearerInterface.Resolve.Parameters.Family
    }

    /// What `OpenSocket` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Index into the file descriptors of this reply.
      public var socketFileDescriptor: Int
      /// Identifies the socket in org.modemd.Usage.
      public var id: String
      /// Id of the modem.
      public var modem: String
      /// Name of the bearer's network interface.
      public var interface: String
      /// The bearer's address that it sends from.
      public var source: String
      /// The address that it is connected to; null if it is not.
      public var address: String?

      public init(
        socketFileDescriptor: Int, id: String, modem: String, interface: String, source: String, address: String? = nil
      ) {
        self.socketFileDescriptor = socketFileDescriptor
        self.id = id
        self.modem = modem
        self.interface = interface
        self.source = source
        self.address = address
      }
    }
  }

  /// Opens a TCP connection over the bearer. The call must be sent with `upgrade`: after the reply,
  /// this connection to modemd carries the bytes of that connection, in both directions. It ends as a
  /// socket of OpenSocket does. Only for root, unless the access table names this method.
  public enum OpenStream: VarlinkMethod {
    public static let name = "org.modemd.Bearer.OpenStream"

    /// What `OpenStream` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem", "host", "port", "timeoutMilliseconds"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// A host name, which is resolved over the bearer, or an address.
      public var host: String
      /// 1 to 65535.
      public var port: Int
      /// For the whole call, 1 to 120,000; null for 30,000.
      public var timeoutMilliseconds: Int?

      public init(modem: String? = nil, host: String, port: Int, timeoutMilliseconds: Int? = nil) {
        self.modem = modem
        self.host = host
        self.port = port
        self.timeoutMilliseconds = timeoutMilliseconds
      }
    }

    /// What `OpenStream` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Identifies the stream in org.modemd.Usage.
      public var id: String
      /// Id of the modem.
      public var modem: String
      /// Name of the bearer's network interface.
      public var interface: String
      /// The bearer's address that it sends from.
      public var source: String
      /// The address that it is connected to.
      public var address: String

      public init(id: String, modem: String, interface: String, source: String, address: String) {
        self.id = id
        self.modem = modem
        self.interface = interface
        self.source = source
        self.address = address
      }
    }
  }

  /// The SIM or the network is not ready.
  public struct NotReady: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Bearer.NotReady"
    /// What is missing.
    public var reason: Reason
    /// One sentence that explains what to do.
    public var text: String

    public init(reason: Reason, text: String) {
      self.reason = reason
      self.text = text
    }

    /// One of the values of `reason`.
    public enum Reason: OpenWord {
      case simAbsent, simLocked, simNotReady, notRegistered
      case other(String)

      public static let known: [Self] = [.simAbsent, .simLocked, .simNotReady, .notRegistered]
      public var rawValue: String {
        switch self {
        case .simAbsent: "simAbsent"
        case .simLocked: "simLocked"
        case .simNotReady: "simNotReady"
        case .notRegistered: "notRegistered"
        case .other(let word): word
        }
      }
    }
  }

  /// The network refused the bearer.
  public struct Refused: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Bearer.Refused"
    /// 3GPP's session management cause, if there is one.
    public var code: Int?
    /// The reason in words.
    public var text: String

    public init(code: Int? = nil, text: String) {
      self.code = code
      self.text = text
    }
  }

  /// The network gave no usable address.
  public struct NoAddress: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Bearer.NoAddress"
    /// What the network gave, in one sentence.
    public var text: String

    public init(text: String) {
      self.text = text
    }
  }

  /// Flows use the bearer.
  public struct InUse: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Bearer.InUse"
    /// How many.
    public var flows: Int

    public init(flows: Int) {
      self.flows = flows
    }
  }

  /// The bearer's DNS servers have no address for the name, or did not answer.
  public struct NotResolved: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Bearer.NotResolved"
    /// The name.
    public var name: String
    /// What they answered, in one sentence.
    public var text: String

    public init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// No connection was made.
  public struct NotConnected: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Bearer.NotConnected"
    /// What prevented it. `refusedAddress`: all addresses are of a kind that is not reached over a
    /// bearer, such as this machine's own. `bearerLost`: the bearer ended meanwhile.
    public var reason: Reason
    /// In one sentence.
    public var text: String

    public init(reason: Reason, text: String) {
      self.reason = reason
      self.text = text
    }

    /// One of the values of `reason`.
    public enum Reason: OpenWord {
      case refused, timedOut, unreachable, refusedAddress, bearerLost, failed
      case other(String)

      public static let known: [Self] = [.refused, .timedOut, .unreachable, .refusedAddress, .bearerLost, .failed]
      public var rawValue: String {
        switch self {
        case .refused: "refused"
        case .timedOut: "timedOut"
        case .unreachable: "unreachable"
        case .refusedAddress: "refusedAddress"
        case .bearerLost: "bearerLost"
        case .failed: "failed"
        case .other(let word): word
        }
      }
    }
  }

  /// The administrator does not allow this destination.
  public struct DestinationNotAllowed: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Bearer.DestinationNotAllowed"
    /// The host that was named.
    public var host: String
    /// The port that was named.
    public var port: Int
    /// Which setting refuses it, in one sentence.
    public var text: String

    public init(host: String, port: Int, text: String) {
      self.host = host
      self.port = port
      self.text = text
    }
  }

  /// The caller's budget is spent, or he has as many connections as he may have.
  public struct BudgetSpent: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Bearer.BudgetSpent"
    /// Which budget: the key of the settings.
    public var budget: String
    /// RFC 3339: when it starts anew; null if that needs the end of a connection or of roaming.
    public var resets: String?
    /// In one sentence.
    public var text: String

    public init(budget: String, resets: String? = nil, text: String) {
      self.budget = budget
      self.resets = resets
      self.text = text
    }
  }
}
