// Written by varlink-generate from org.modemd.Port.varlink: change that file, then `make generate`.

import Varlink

/// One modem, as modemd-port serves it to modemd on a private socket. Not for other programs: they ask org.modemd.Modem,
/// org.modemd.Bearer and org.modemd.Check. Subscriber identity is never left out here.
public enum PortInterface: VarlinkInterface {
  public static let name = "org.modemd.Port"
  public static let text = #"""
    # One modem, as modemd-port serves it to modemd on a private socket. Not for other programs: they ask org.modemd.Modem,
    # org.modemd.Bearer and org.modemd.Check. Subscriber identity is never left out here.
    interface org.modemd.Port

    # A phone number that the SIM or the modem reports for this subscription.
    type PhoneNumber (
      # E.164 with its leading + where the modem gave it so, else as it was given.
      number: string,
      # Where it was read.
      source: (subscriberReady, dms, efMsisdn, configured)
    )

    # A network by its codes. Digits are text: the MNC keeps its two or three digits.
    type Network (
      mcc: string,
      mnc: string,
      # The network's name, where the modem knows one.
      name: ?string
    )

    type SIM (
      state: (unknown, absent, initialising, pinRequired, pukRequired, notActivated, failed, ready),
      # PIN or PUK attempts left, where the modem says.
      retriesLeft: ?int,
      # Physical slot, from 1.
      slot: ?int,
      iccid: ?string,
      imsi: ?string,
      numbers: []PhoneNumber,
      home: ?Network
    )

    # A reason in 3GPP's words, with its number where there is one.
    type Cause (
      code: ?int,
      text: string
    )

    type Registration (
      state: (unknown, deregistered, searching, home, roaming, partner, denied),
      serving: ?Network,
      technology: ?(gsm, umts, lte, nrNonStandalone, nr),
      # Received signal strength in dBm.
      rssi: ?int,
      cause: ?Cause
    )

    type Address (
      address: string,
      prefixLength: int,
      # Null on a point-to-point link.
      gateway: ?string
    )

    # What an installed bearer has.
    type Settings (
      interface: string,
      # Index of that interface, never 0.
      interfaceIndex: int,
      # The routing table that holds the bearer's default route.
      table: int,
      ipv4: ?Address,
      ipv6: ?Address,
      dns: []string,
      # Bytes.
      mtu: ?int
    )

    type Bearer (
      state: (down, attaching, connecting, configuring, up, disconnecting, failed),
      # Set while `state` is up.
      settings: ?Settings,
      apn: ?string,
      # Why it failed or went down, where that was not asked for.
      cause: ?Cause,
      # RFC 3339: when this state began.
      since: string
    )

    # Why a modem does not work, and since when (RFC 3339).
    type Fault (
      cause: string,
      since: string
    )

    type State (
      # Stable across reboots and replugging: from the IMEI, or the device path where there is none.
      id: string,
      device: string,
      protocol: (mbim, qmi),
      manufacturer: ?string,
      model: ?string,
      firmware: ?string,
      imei: ?string,
      # The network interface of its bearer.
      interface: ?string,
      sim: SIM,
      registration: Registration,
      bearer: Bearer,
      fault: ?Fault
    )

    # The state as the port last learnt it.
    method GetState() -> (state: State)

    # With `more`: first the present state, then the state after each change.
    method Watch() -> (state: State)

    # Enters PIN1, once.
    method UnlockPIN(pin: string) -> (state: State)

    # Brings the bearer up, or returns it as it is when it is up already.
    method Connect(
      apn: ?string,
      user: ?string,
      password: ?string,
      authentication: ?(none, pap, chap, mschapv2),
      ipType: ?(ipv4, ipv6, ipv4v6)
    ) -> (bearer: Bearer)

    method Disconnect() -> (bearer: Bearer)

    # Compares the kernel's link, addresses, rules and routes with the bearer. BearerLost when they are not as they should be.
    method VerifyBearer() -> (bearer: Bearer)

    # The SIM or the network is not ready for what was asked.
    error NotReady (reason: (simAbsent, simLocked, simNotReady, notRegistered), text: string)
    # The network refused the bearer.
    error Refused (code: ?int, text: string)
    # The network gave no usable address.
    error NoAddress (text: string)
    # The bearer is not up, or not what it was.
    error BearerLost (text: string)
    error WrongPIN (retriesLeft: ?int)
    error PINNotRequired (state: string)
    # The modem failed: what was asked of it, and its answer.
    error ModemFailed (operation: string, cause: string)
    """#

  /// A phone number that the SIM or the modem reports for this subscription.
  public struct PhoneNumber: Codable, Hashable, Sendable {
    /// E.164 with its leading + where the modem gave it so, else as it was given.
    public var number: String
    /// Where it was read.
    public var source: Source

    public init(number: String, source: Source) {
      self.number = number
      self.source = source
    }

    /// One of the values of `source`.
    public enum Source: String, Codable, CaseIterable, Hashable, Sendable {
      case subscriberReady, dms, efMsisdn, configured
    }
  }

  /// A network by its codes. Digits are text: the MNC keeps its two or three digits.
  public struct Network: Codable, Hashable, Sendable {
    public var mcc: String
    public var mnc: String
    /// The network's name, where the modem knows one.
    public var name: String?

    public init(mcc: String, mnc: String, name: String? = nil) {
      self.mcc = mcc
      self.mnc = mnc
      self.name = name
    }
  }

  /// The type `SIM`.
  public struct SIM: Codable, Hashable, Sendable {
    public var state: State
    /// PIN or PUK attempts left, where the modem says.
    public var retriesLeft: Int?
    /// Physical slot, from 1.
    public var slot: Int?
    public var iccid: String?
    public var imsi: String?
    public var numbers: [PhoneNumber]
    public var home: Network?

    public init(
      state: State, retriesLeft: Int? = nil, slot: Int? = nil, iccid: String? = nil, imsi: String? = nil,
      numbers: [PhoneNumber], home: Network? = nil
    ) {
      self.state = state
      self.retriesLeft = retriesLeft
      self.slot = slot
      self.iccid = iccid
      self.imsi = imsi
      self.numbers = numbers
      self.home = home
    }

    /// One of the values of `state`.
    public enum State: String, Codable, CaseIterable, Hashable, Sendable {
      case unknown, absent, initialising, pinRequired, pukRequired, notActivated, failed, ready
    }
  }

  /// A reason in 3GPP's words, with its number where there is one.
  public struct Cause: Codable, Hashable, Sendable {
    public var code: Int?
    public var text: String

    public init(code: Int? = nil, text: String) {
      self.code = code
      self.text = text
    }
  }

  /// The type `Registration`.
  public struct Registration: Codable, Hashable, Sendable {
    public var state: State
    public var serving: Network?
    public var technology: Technology?
    /// Received signal strength in dBm.
    public var rssi: Int?
    public var cause: Cause?

    public init(
      state: State, serving: Network? = nil, technology: Technology? = nil, rssi: Int? = nil, cause: Cause? = nil
    ) {
      self.state = state
      self.serving = serving
      self.technology = technology
      self.rssi = rssi
      self.cause = cause
    }

    /// One of the values of `state`.
    public enum State: String, Codable, CaseIterable, Hashable, Sendable {
      case unknown, deregistered, searching, home, roaming, partner, denied
    }

    /// One of the values of `technology`.
    public enum Technology: String, Codable, CaseIterable, Hashable, Sendable {
      case gsm, umts, lte, nrNonStandalone, nr
    }
  }

  /// The type `Address`.
  public struct Address: Codable, Hashable, Sendable {
    public var address: String
    public var prefixLength: Int
    /// Null on a point-to-point link.
    public var gateway: String?

    public init(address: String, prefixLength: Int, gateway: String? = nil) {
      self.address = address
      self.prefixLength = prefixLength
      self.gateway = gateway
    }
  }

  /// What an installed bearer has.
  public struct Settings: Codable, Hashable, Sendable {
    public var interface: String
    /// Index of that interface, never 0.
    public var interfaceIndex: Int
    /// The routing table that holds the bearer's default route.
    public var table: Int
    public var ipv4: Address?
    public var ipv6: Address?
    public var dns: [String]
    /// Bytes.
    public var mtu: Int?

    public init(
      interface: String, interfaceIndex: Int, table: Int, ipv4: Address? = nil, ipv6: Address? = nil, dns: [String],
      mtu: Int? = nil
    ) {
      self.interface = interface
      self.interfaceIndex = interfaceIndex
      self.table = table
      self.ipv4 = ipv4
      self.ipv6 = ipv6
      self.dns = dns
      self.mtu = mtu
    }
  }

  /// The type `Bearer`.
  public struct Bearer: Codable, Hashable, Sendable {
    public var state: State
    /// Set while `state` is up.
    public var settings: Settings?
    public var apn: String?
    /// Why it failed or went down, where that was not asked for.
    public var cause: Cause?
    /// RFC 3339: when this state began.
    public var since: String

    public init(state: State, settings: Settings? = nil, apn: String? = nil, cause: Cause? = nil, since: String) {
      self.state = state
      self.settings = settings
      self.apn = apn
      self.cause = cause
      self.since = since
    }

    /// One of the values of `state`.
    public enum State: String, Codable, CaseIterable, Hashable, Sendable {
      case down, attaching, connecting, configuring, up, disconnecting, failed
    }
  }

  /// Why a modem does not work, and since when (RFC 3339).
  public struct Fault: Codable, Hashable, Sendable {
    public var cause: String
    public var since: String

    public init(cause: String, since: String) {
      self.cause = cause
      self.since = since
    }
  }

  /// The type `State`.
  public struct State: Codable, Hashable, Sendable {
    /// Stable across reboots and replugging: from the IMEI, or the device path where there is none.
    public var id: String
    public var device: String
    public var `protocol`: ProtocolKind
    public var manufacturer: String?
    public var model: String?
    public var firmware: String?
    public var imei: String?
    /// The network interface of its bearer.
    public var interface: String?
    public var sim: SIM
    public var registration: Registration
    public var bearer: Bearer
    public var fault: Fault?

    public init(
      id: String, device: String, protocol: ProtocolKind, manufacturer: String? = nil, model: String? = nil,
      firmware: String? = nil, imei: String? = nil, interface: String? = nil, sim: SIM, registration: Registration,
      bearer: Bearer, fault: Fault? = nil
    ) {
      self.id = id
      self.device = device
      self.protocol = `protocol`
      self.manufacturer = manufacturer
      self.model = model
      self.firmware = firmware
      self.imei = imei
      self.interface = interface
      self.sim = sim
      self.registration = registration
      self.bearer = bearer
      self.fault = fault
    }

    /// One of the values of `protocol`.
    public enum ProtocolKind: String, Codable, CaseIterable, Hashable, Sendable {
      case mbim, qmi
    }
  }

  /// The state as the port last learnt it.
  public enum GetState: VarlinkMethod {
    public static let name = "org.modemd.Port.GetState"

    /// What `GetState` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `GetState` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var state: State

      public init(state: State) {
        self.state = state
      }
    }
  }

  /// With `more`: first the present state, then the state after each change.
  public enum Watch: VarlinkMethod {
    public static let name = "org.modemd.Port.Watch"

    /// What `Watch` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `Watch` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var state: State

      public init(state: State) {
        self.state = state
      }
    }
  }

  /// Enters PIN1, once.
  public enum UnlockPIN: VarlinkMethod {
    public static let name = "org.modemd.Port.UnlockPIN"

    /// What `UnlockPIN` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["pin"]
      public var pin: String

      public init(pin: String) {
        self.pin = pin
      }
    }

    /// What `UnlockPIN` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var state: State

      public init(state: State) {
        self.state = state
      }
    }
  }

  /// Brings the bearer up, or returns it as it is when it is up already.
  public enum Connect: VarlinkMethod {
    public static let name = "org.modemd.Port.Connect"

    /// What `Connect` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["apn", "user", "password", "authentication", "ipType"]
      public var apn: String?
      public var user: String?
      public var password: String?
      public var authentication: Authentication?
      public var ipType: IpType?

      public init(
        apn: String? = nil, user: String? = nil, password: String? = nil, authentication: Authentication? = nil,
        ipType: IpType? = nil
      ) {
        self.apn = apn
        self.user = user
        self.password = password
        self.authentication = authentication
        self.ipType = ipType
      }

      /// One of the values of `authentication`.
      public enum Authentication: String, Codable, CaseIterable, Hashable, Sendable {
        case none, pap, chap, mschapv2
      }

      /// One of the values of `ipType`.
      public enum IpType: String, Codable, CaseIterable, Hashable, Sendable {
        case ipv4, ipv6, ipv4v6
      }
    }

    /// What `Connect` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var bearer: Bearer

      public init(bearer: Bearer) {
        self.bearer = bearer
      }
    }
  }

  /// The method `Disconnect`.
  public enum Disconnect: VarlinkMethod {
    public static let name = "org.modemd.Port.Disconnect"

    /// What `Disconnect` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `Disconnect` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var bearer: Bearer

      public init(bearer: Bearer) {
        self.bearer = bearer
      }
    }
  }

  /// Compares the kernel's link, addresses, rules and routes with the bearer. BearerLost when they are not as they should be.
  public enum VerifyBearer: VarlinkMethod {
    public static let name = "org.modemd.Port.VerifyBearer"

    /// What `VerifyBearer` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `VerifyBearer` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var bearer: Bearer

      public init(bearer: Bearer) {
        self.bearer = bearer
      }
    }
  }

  /// The SIM or the network is not ready for what was asked.
  public struct NotReady: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Port.NotReady"
    public var reason: Reason
    public var text: String

    public init(reason: Reason, text: String) {
      self.reason = reason
      self.text = text
    }

    /// One of the values of `reason`.
    public enum Reason: String, Codable, CaseIterable, Hashable, Sendable {
      case simAbsent, simLocked, simNotReady, notRegistered
    }
  }

  /// The network refused the bearer.
  public struct Refused: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Port.Refused"
    public var code: Int?
    public var text: String

    public init(code: Int? = nil, text: String) {
      self.code = code
      self.text = text
    }
  }

  /// The network gave no usable address.
  public struct NoAddress: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Port.NoAddress"
    public var text: String

    public init(text: String) {
      self.text = text
    }
  }

  /// The bearer is not up, or not what it was.
  public struct BearerLost: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Port.BearerLost"
    public var text: String

    public init(text: String) {
      self.text = text
    }
  }

  /// The error `WrongPIN`.
  public struct WrongPIN: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Port.WrongPIN"
    public var retriesLeft: Int?

    public init(retriesLeft: Int? = nil) {
      self.retriesLeft = retriesLeft
    }
  }

  /// The error `PINNotRequired`.
  public struct PINNotRequired: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Port.PINNotRequired"
    public var state: String

    public init(state: String) {
      self.state = state
    }
  }

  /// The modem failed: what was asked of it, and its answer.
  public struct ModemFailed: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Port.ModemFailed"
    public var operation: String
    public var cause: String

    public init(operation: String, cause: String) {
      self.operation = operation
      self.cause = cause
    }
  }
}
