import ModemModel
import ModemSimulator
import NetworkAddress
import OperatorSimulator

/// A simulated world as declared: modem, SIM, network, and the chain behind it.
package struct Scenario: Sendable {
  package var modem = Modem()
  package var sim = SIM()
  /// The SIMs in the slots after the first.
  package var otherSIMs: [SIM] = []
  package var network = MobileNetwork()
  package var chain = Chain()
  /// modemd's configuration file; nil for none.
  package var settings: String?
  package var messages = Messages()
  /// The operator's data about its subscribers' numbers, besides the SIMs' own.
  var subscribers: [SubscriberFacts] = []
  /// The simulated providers.
  var providers: [Provider] = []
  /// modemd's files of providers: name and JSON.
  package var modemdProviders: [String: String] = [:]
  /// modemd's credentials, as systemd would give them: name and text.
  package var modemdCredentials: [String: String] = [:]
  /// What the demonstration runs after the checks.
  package var demonstration: [DemonstrationStep] = []
  /// Its source, so that the world's processes can read it again.
  package internal(set) var text = "{}"

  /// The modem.
  package struct Modem: Sendable {
    package var kind = ModemProtocol.mbim
    package var identity = DeviceIdentity(
      manufacturer: "Example Radio", model: "EX-500", firmware: "1.4.2", imei: "004999010640000")
    /// The highest version of Microsoft's extensions that it agrees on, over MBIM.
    package var mbimExtensions = ExtensionsVersion.none
    /// How many such modems the host has, each with its own SIM and bearer.
    package var count = 1
    /// How many sessions it carries at the same time, 1 to 16: MaxSessions over MBIM; over QMI, it
    /// multiplexes above 1.
    package var sessions = 8
    /// What goes wrong in it.
    package var faults: [SimulatedFault] = []
    /// How it and its SIM answer challenges.
    package var authentication = SimulatedAuthentication()
    /// The slot in use when it is switched on, from 1.
    package var slot = 1
    /// Whether it reports the SIM's numbers by itself; EF_MSISDN can be read anyway.
    package var reportsNumbers = true
    /// How often it denies having a SIM while it starts.
    package var falseAbsences = 0
    /// Whether its firmware only knows the SIM through DMS (QMI).
    package var hasOldSIMCommands = false
    /// The initial format of packets on a QMI modem's data port.
    package var linkLayer = LinkLayer.rawIP
    /// Access point names that were put into the modem.
    package var accessPoints: [String] = []

    /// How a QMI modem frames packets.
    package enum LinkLayer: String, CaseIterable, Sendable {
      case rawIP
      /// Until the host requests bare IP.
      case ethernet
      /// Whatever the host requests: the host's device, which carries bare IP, is then silent.
      case ethernetOnly
      /// Several packets with multiplexing ids in one transfer (QMAP), whatever the host requests.
      case multiplexed
    }
  }

  /// The SIM in it.
  package struct SIM: Sendable {
    /// The SIM's state when the modem is switched on.
    package enum State: String, CaseIterable, Sendable {
      case ready, pinRequired, pukRequired, initialising, absent, notActivated, failed
    }

    package var state = State.ready
    package var iccid = "8949020000012345678"
    package var imsi = "262011234567890"
    /// E.164. Empty for a SIM without numbers, as many are.
    package var numbers = ["+4915112345678"]
    /// The records of EF_MSISDN, in the form of `SimulatedSIM.numberRecords`; nil for those of
    /// `numbers`.
    package var numberRecords: [String]?
    /// The length of the MNC in EF_AD: 2, 3, or 0 for none; nil for that of `home`.
    package var mncLength: Int?
    /// PIN1, when `state` is `pinRequired` or `pukRequired`.
    package var pin = "1234"
    /// 8 digits.
    package var puk = "12345678"
    /// The PIN attempts left if `state` is `pinRequired`: 1 to 3.
    package var pinAttempts = 3
    package var home = Network(PLMN("26201")!, name: "Example Mobile")
    /// K, which the SIM shares with its operator: 16 bytes. The default is of a published test set
    /// (3GPP TS 35.208, set 1).
    package var key = SimulatedSIM.testKey
    /// OPc: 16 bytes.
    package var opc = SimulatedSIM.testOPc
    /// The SQN up to which the SIM accepts none when the modem is switched on: 6 bytes.
    package var sequence: [UInt8] = [0, 0, 0, 0, 0, 0]
    /// How many bytes of RES it gives, and its operator expects: 4 to 8.
    package var responseLength = 8
    /// EF_GID1; empty for a SIM without it.
    package var groupIdentifier: [UInt8] = []
  }

  /// The radio network and a bearer's settings from it.
  package struct MobileNetwork: Sendable {
    package var registration = Registration.State.home
    package var serving = Network(PLMN("26201")!, name: "Example Mobile")
    package var technology = Registration.Technology.lte
    /// dBm.
    package var rssi = -71
    /// Of the serving cell of LTE or 5G; nil for what goes with `rssi`.
    package var referenceSignal: ReferenceSignal?
    package var ipv4: Assignment? = Assignment(address: "10.64.0.2/24", gateway: "10.64.0.1")
    package var ipv6: Assignment? = Assignment(address: "2001:db8:64::2/64", gateway: "2001:db8:64::1")
    package var dns = ["198.51.100.53", "2001:db8:53::53"].compactMap { IPAddress($0) }
    /// Bytes.
    package var mtu = 1420
    /// One way, in milliseconds.
    package var delay = 0
    /// The same of the host's other uplink. Its link then carries bare IP.
    package var uplinkDelay = 0
    /// Access point names that the network knows; nil for any.
    package var accessPoints: [String]?
    /// Whether there is one for requests without a name.
    package var hasDefaultAccessPoint = true
    package var ipv4Source = SimulatedBearer.Source.modem
    package var ipv6Source = SimulatedBearer.Source.modem

    /// The address of one family.
    package struct Assignment: Hashable, Sendable {
      package var prefix: IPPrefix
      package var gateway: IPAddress

      init(prefix: IPPrefix, gateway: IPAddress) {
        self.prefix = prefix
        self.gateway = gateway
      }

      fileprivate init(address: String, gateway: String) {
        self.init(prefix: IPPrefix(text: address)!, gateway: IPAddress(gateway)!)
      }
    }

    /// The session's source addresses.
    package var addresses: Set<IPAddress> { Set([ipv4, ipv6].compactMap { $0?.prefix.address }) }
    /// The next address of each family, assigned by the verb `renumber`.
    var renumbered: MobileNetwork { counted(by: 1) }

    /// What a session beside others is given, by its number from 0: the first has the scenario's
    /// own addresses, and none those of `renumbered`.
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

  /// The servers behind the bearer, and the URLs that are opened there.
  package struct Chain: Sendable {
    /// A server by name.
    package struct Host: Hashable, Sendable {
      package var name: String
      package var addresses: [IPAddress]

      init(_ name: String, _ addresses: [String]) {
        self.name = name
        self.addresses = addresses.compactMap { IPAddress($0) }
      }
    }

    /// How the operator's DNS fails for a name.
    package enum NameFault: String, CaseIterable, Sendable {
      /// NXDOMAIN.
      case unknown
      /// SERVFAIL.
      case failure
      /// No answer.
      case silence
    }

    /// One `modemctl open` of the demonstration.
    package struct Check: Hashable, Sendable {
      package var url: String
      package var redirectURI: String?
    }

    package var aggregator = Host("check.aggregator.example", ["198.51.100.10", "2001:db8:a::10"])
    package var signOn = Host("signon.operator.example", ["198.51.100.20", "2001:db8:b::20"])
    package var enrichment = Host("he.operator.example", ["203.0.113.30", "2001:db8:c::30"])
    /// A host with another host's certificate.
    package var misnamed = Host("misnamed.aggregator.example", ["203.0.113.40", "2001:db8:d::40"])
    /// A name that does not exist.
    package var unknownName = "nowhere.aggregator.example"
    package var nameFaults: [String: NameFault] = [:]
    /// How the servers treat their connections.
    package var connectionBehaviour = ConnectionBehaviour()
    /// What the demonstration opens; empty for the check of the SIM's first number.
    package var checks: [Check] = []

    var hosts: [Host] { [aggregator, signOn, enrichment, misnamed] }
  }

  package init() {}

  /// Every address that a bearer of this scenario's modem may get.
  var bearerAddresses: Set<IPAddress> {
    (0..<modem.sessions).reduce(into: network.renumbered.addresses) { $0.formUnion(network.session($1).addresses) }
  }

  /// Addresses that both the operator and the uplink own.
  var services: [IPAddress] {
    network.dns + chain.hosts.flatMap(\.addresses)
      + providerHosts.filter { $0.ways != .local }.flatMap(\.addresses)
  }

  /// The SIM in use when the modem is switched on: the operator's subscriber.
  var simInUse: SIM { modem.slot == 1 ? sim : otherSIMs[modem.slot - 2] }

  /// What the demonstration opens.
  package var checks: [Chain.Check] {
    if !chain.checks.isEmpty { return chain.checks }
    let number = (simInUse.numbers.first ?? "+4915100000000").filter { $0 != "+" }
    return [Chain.Check(url: "https://\(chain.aggregator.name)/checks/\(number)")]
  }
}
