import ModemModel
import ModemSimulator
import NetworkAddress
import OperatorSimulator

/// A simulated world as it is declared: modem, SIM, network, and the chain behind it.
public struct Scenario: Sendable {
  public var modem = Modem()
  public var sim = SIM()
  /// The SIMs in the slots behind the first.
  public var otherSIMs: [SIM] = []
  public var network = MobileNetwork()
  public var chain = Chain()
  /// modemd's configuration file; nil for none.
  public var settings: String?
  public var messages = Messages()
  /// What the operator knows of its subscribers' numbers, beside what the SIMs say.
  var subscribers: [SubscriberFacts] = []
  /// The simulated providers.
  var providers: [Provider] = []
  /// modemd's files of providers: name and JSON.
  public var modemdProviders: [String: String] = [:]
  /// modemd's credentials, as systemd would give them: name and text.
  public var modemdCredentials: [String: String] = [:]
  /// What the demonstration runs behind the checks.
  public var demonstration: [DemonstrationStep] = []
  /// What it was read from, for the processes of the world to read again.
  public internal(set) var text = "{}"

  /// The modem.
  public struct Modem: Sendable {
    public var kind = ModemProtocol.mbim
    public var identity = DeviceIdentity(
      manufacturer: "Example Radio", model: "EX-500", firmware: "1.4.2", imei: "004999010640000")
    /// The highest version of Microsoft's extensions that it agrees on, over MBIM.
    public var mbimExtensions = ExtensionsVersion.none
    /// How many such modems the host has, each with a SIM and a bearer of its own.
    public var count = 1
    /// How many sessions it carries side by side, 1 to 16: MaxSessions over MBIM; over QMI it multiplexes above 1.
    public var sessions = 8
    /// What goes wrong in it.
    public var faults: [SimulatedFault] = []
    /// The slot in use when it is switched on, from 1.
    public var slot = 1
    /// Whether it tells the SIM's numbers by itself; EF_MSISDN can be read all the same.
    public var reportsNumbers = true
    /// How often it denies its SIM while it starts.
    public var falseAbsences = 0
    /// Whether its firmware knows the SIM by DMS alone (QMI).
    public var hasOldSIMCommands = false
    /// What packets on a QMI modem's data port are at first.
    public var linkLayer = LinkLayer.rawIP
    /// Access point names that were put into the modem.
    public var accessPoints: [String] = []

    /// How a QMI modem frames packets.
    public enum LinkLayer: String, CaseIterable, Sendable {
      case rawIP
      /// Until the host asks for bare IP.
      case ethernet
      /// Whatever the host asks for: the host's device, which carries bare IP, is then silent.
      case ethernetOnly
      /// Several packets with multiplexing ids in one transfer (QMAP), whatever the host asks for.
      case multiplexed
    }
  }

  /// The SIM in it.
  public struct SIM: Sendable {
    /// How a SIM is when the modem is switched on.
    public enum State: String, CaseIterable, Sendable {
      case ready, pinRequired, pukRequired, initialising, absent, notActivated, failed
    }

    public var state = State.ready
    public var iccid = "8949020000012345678"
    public var imsi = "262011234567890"
    /// E.164. Empty for a SIM without numbers, as many are.
    public var numbers = ["+4915112345678"]
    /// The records of EF_MSISDN, as `SimulatedSIM.numberRecords` has them; nil for those of `numbers`.
    public var numberRecords: [String]?
    /// What EF_AD says of the length of the MNC: 2, 3, or 0 for nothing; nil for that of `home`.
    public var mncLength: Int?
    /// PIN1, when `state` is `pinRequired` or `pukRequired`.
    public var pin = "1234"
    /// 8 digits.
    public var puk = "12345678"
    /// Attempts for the PIN that are left when `state` is `pinRequired`: 1 to 3.
    public var pinAttempts = 3
    public var home = Network(PLMN("26201")!, name: "Example Mobile")
  }

  /// The radio network and what it gives a bearer.
  public struct MobileNetwork: Sendable {
    public var registration = Registration.State.home
    public var serving = Network(PLMN("26201")!, name: "Example Mobile")
    public var technology = Registration.Technology.lte
    /// dBm.
    public var rssi = -71
    public var ipv4: Assignment? = Assignment(address: "10.64.0.2/24", gateway: "10.64.0.1")
    public var ipv6: Assignment? = Assignment(address: "2001:db8:64::2/64", gateway: "2001:db8:64::1")
    public var dns = ["198.51.100.53", "2001:db8:53::53"].compactMap { IPAddress($0) }
    /// Bytes.
    public var mtu = 1420
    /// One way, in milliseconds.
    public var delay = 0
    /// Access point names that the network knows; nil for any.
    public var accessPoints: [String]?
    /// Whether there is one for those who name none.
    public var hasDefaultAccessPoint = true
    public var ipv4Source = SimulatedBearer.Source.modem
    public var ipv6Source = SimulatedBearer.Source.modem

    /// The address of one family.
    public struct Assignment: Hashable, Sendable {
      public var prefix: IPPrefix
      public var gateway: IPAddress

      init(prefix: IPPrefix, gateway: IPAddress) {
        self.prefix = prefix
        self.gateway = gateway
      }

      fileprivate init(address: String, gateway: String) {
        self.init(prefix: IPPrefix(text: address)!, gateway: IPAddress(gateway)!)
      }
    }

    /// What source addresses the session is given.
    public var addresses: Set<IPAddress> { Set([ipv4, ipv6].compactMap { $0?.prefix.address }) }
    /// The next address of each family, which the verb `renumber` gives.
    var renumbered: MobileNetwork { counted(by: 1) }

    /// What a session beside others is given, by its number from 0: the first has the scenario's own addresses, and none those
    /// of `renumbered`.
    func session(_ number: Int) -> MobileNetwork { number == 0 ? self : counted(by: 16 + number) }

    private func counted(by count: Int) -> MobileNetwork {
      var other = self
      if case .v4(let address)? = ipv4?.prefix.address, let length = ipv4?.prefix.length {
        other.ipv4?.prefix = IPPrefix(.v4(IPv4Address(number: address.number &+ UInt32(count))), length: length)!
      }
      if case .v6(let address)? = ipv6?.prefix.address, let length = ipv6?.prefix.length {
        let moved = IPv6Address(high: address.high, low: address.low &+ UInt64(count))
        other.ipv6?.prefix = IPPrefix(.v6(moved), length: length)!
      }
      return other
    }
    /// The operator's end of the bearer.
    var gateways: [IPPrefix] {
      [ipv4, ipv6].compactMap { $0.flatMap { IPPrefix($0.gateway, length: $0.prefix.length) } }
    }
  }

  /// The servers behind the bearer, and what is opened on them.
  public struct Chain: Sendable {
    /// A server by name.
    public struct Host: Hashable, Sendable {
      public var name: String
      public var addresses: [IPAddress]

      init(_ name: String, _ addresses: [String]) {
        self.name = name
        self.addresses = addresses.compactMap { IPAddress($0) }
      }
    }

    /// How the operator's DNS fails for a name.
    public enum NameFault: String, CaseIterable, Sendable {
      /// NXDOMAIN.
      case unknown
      /// SERVFAIL.
      case failure
      /// No answer.
      case silence
    }

    /// One `modemctl open` of the demonstration.
    public struct Check: Hashable, Sendable {
      public var url: String
      public var redirectURI: String?
    }

    public var aggregator = Host("check.aggregator.example", ["198.51.100.10", "2001:db8:a::10"])
    public var signOn = Host("signon.operator.example", ["198.51.100.20", "2001:db8:b::20"])
    public var enrichment = Host("he.operator.example", ["203.0.113.30", "2001:db8:c::30"])
    /// A host whose certificate is another's.
    public var misnamed = Host("misnamed.aggregator.example", ["203.0.113.40", "2001:db8:d::40"])
    /// A name that does not exist.
    public var unknownName = "nowhere.aggregator.example"
    public var nameFaults: [String: NameFault] = [:]
    /// How the servers treat their connections.
    public var habits = ServerHabits()
    /// What the demonstration opens; empty for the check of the SIM's first number.
    public var checks: [Check] = []

    var hosts: [Host] { [aggregator, signOn, enrichment, misnamed] }
  }

  public init() {}

  /// Every address that a bearer of this scenario's modem may get.
  var bearerAddresses: Set<IPAddress> {
    (0..<modem.sessions).reduce(into: network.renumbered.addresses) { $0.formUnion(network.session($1).addresses) }
  }

  /// Addresses that operator and uplink both own.
  var services: [IPAddress] {
    network.dns + chain.hosts.flatMap(\.addresses)
      + providerHosts.filter { $0.ways != .local }.flatMap(\.addresses)
  }

  /// The SIM in use when the modem is switched on: the operator's subscriber.
  var simInUse: SIM { modem.slot == 1 ? sim : otherSIMs[modem.slot - 2] }

  /// What the demonstration opens.
  public var checks: [Chain.Check] {
    if !chain.checks.isEmpty { return chain.checks }
    let number = (simInUse.numbers.first ?? "+4915100000000").filter { $0 != "+" }
    return [Chain.Check(url: "https://\(chain.aggregator.name)/checks/\(number)")]
  }
}
