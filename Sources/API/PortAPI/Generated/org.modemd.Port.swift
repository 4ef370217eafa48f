// Written by varlink-generate from org.modemd.Port.varlink: change that file, then `make generate`.

import DeviceAPI
import Varlink

/// One modem, as modemd-port serves it to modemd on a private socket. It is not for other programs,
/// which call org.modemd.Modem, org.modemd.Bearer and org.modemd.Check. Subscriber identity is never
/// left out here. Later versions may add fields, and new words to the enums of replies and errors.
/// Replies and errors always have all their fields; a field without a value is null.
package enum PortInterface: VarlinkInterface {
  package static let name = "org.modemd.Port"
  package static let text = #"""
    # One modem, as modemd-port serves it to modemd on a private socket. It is not for other programs,
    # which call org.modemd.Modem, org.modemd.Bearer and org.modemd.Check. Subscriber identity is never
    # left out here. Later versions may add fields, and new words to the enums of replies and errors.
    # Replies and errors always have all their fields; a field without a value is null.
    interface org.modemd.Port

    # A phone number that the SIM or the modem reports for this subscription.
    type PhoneNumber (
      # E.164 with its leading + if the modem gave it so, else unchanged.
      number: string,
      # Where it was read.
      source: (subscriberReady, dms, efMsisdn, configured, unknown)
    )

    # A network by its codes. Digits are text: the MNC keeps its two or three digits.
    type Network (
      # Mobile country code.
      mcc: string,
      # Mobile network code.
      mnc: string,
      # The network's name, if the modem knows it.
      name: ?string
    )

    # The SIM and its subscription data.
    type SIM (
      # What prevents the use of the SIM.
      state: (unknown, absent, initialising, pinRequired, pukRequired, notActivated, failed, ready),
      # PIN or PUK attempts left, if the modem reports them.
      retriesLeft: ?int,
      # Physical slot, from 1.
      slot: ?int,
      # Serial number.
      iccid: ?string,
      # Subscriber identity.
      imsi: ?string,
      # Empty if the SIM carries none, as many do.
      numbers: []PhoneNumber,
      # The network that issued the SIM.
      home: ?Network
    )

    # A place for a SIM in the modem, including soldered eSIMs.
    type Slot (
      # From 1.
      slot: int,
      # Whether the modem uses this one.
      active: bool,
      # Its content, as far as the modem reports it.
      card: (unknown, absent, present, failed),
      # Serial number of its card; many modems only report that of the active slot.
      iccid: ?string,
      # Whether it is an eSIM; null if the modem does not report it.
      esim: ?bool
    )

    # A reason in 3GPP's words, with its number if there is one.
    type Cause (
      # 3GPP's number for it, if there is one.
      code: ?int,
      # The reason in words.
      text: string
    )

    # Where the modem is registered, and its signal strength.
    type Registration (
      # As MBIM names the states; QMI's are mapped to them.
      state: (unknown, deregistered, searching, home, roaming, partner, denied),
      # The network it is registered with.
      serving: ?Network,
      # Radio access technology of the serving cell.
      technology: ?(gsm, umts, lte, nrNonStandalone, nr),
      # Received signal strength in dBm.
      rssi: ?int,
      # Power of the serving cell's reference signals in dBm, -156 to -31 (3GPP TS 36.133, 9.1.4; TS
      # 38.133, 10.1.6). Null with GSM and UMTS, and if the modem does not report it. With
      # nrNonStandalone, this field and the next two are those of the LTE cell.
      rsrp: ?int,
      # Quality of these signals in dB, -43 to 20. MBIM does not have it.
      rsrq: ?int,
      # Ratio of the signal to interference and noise in dB, -23 to 40.
      sinr: ?int,
      # Why the network denied registration (3GPP TS 24.008, 24.301, 24.501).
      cause: ?Cause
    )

    # The address of one family.
    type Address (
      # Without the prefix length.
      address: string,
      # Bits.
      prefixLength: int,
      # Null on a point-to-point link.
      gateway: ?string
    )

    # What an installed bearer has.
    type Settings (
      # Name of the network interface.
      interface: string,
      # Index of that interface, never 0.
      interfaceIndex: int,
      # The routing table that holds the bearer's default route.
      table: int,
      # IPv4, if the bearer has it.
      ipv4: ?Address,
      # IPv6, if the bearer has it.
      ipv6: ?Address,
      # DNS servers, in the network's order.
      dns: []string,
      # Bytes.
      mtu: ?int
    )

    # The data bearer.
    type Bearer (
      # Its present state.
      state: (down, attaching, connecting, configuring, up, disconnecting, failed),
      # Set while `state` is up.
      settings: ?Settings,
      # The access point name that was last requested; null for the subscription's default.
      apn: ?string,
      # Why it failed or went down, unless that was requested.
      cause: ?Cause,
      # RFC 3339: when this state began.
      since: string,
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
      # What happens to a bearer that was kept when the port's process ended or the modem vanished. Null
      # without such a bearer, and after Connect or Disconnect.
      resumption: ?(pending, resumed, refused),
      # If `resumption` is refused: why. If it is pending: what the bearer waits for, unless it is
      # coming up. In one sentence.
      resumptionText: ?string
    )

    # Why a modem does not work, and since when (RFC 3339).
    type Fault (
      # One sentence.
      cause: string,
      # RFC 3339.
      since: string
    )

    # How modemd and ModemManager share one modem.
    type Sharing (
      # `own`: only modemd uses it. `share`: both use it through the proxies, and modemd has its own
      # bearer. `follow`: ModemManager's bearer is used as it is.
      way: (own, share, follow),
      # The reason for this way, in one sentence.
      reason: string,
      # MBIM session or QMI multiplexing id of modemd's own bearer; null if the bearer is the interface
      # itself.
      session: ?int,
      # ModemManager's version while it runs.
      manager: ?string,
      # What ModemManager does with the modem; null while it does not run. `without`: it does not have
      # the modem. `idle`: it has the modem, without a connected bearer. `connected`: it has a connected
      # bearer on the modem. `inhibited`: it was asked to release the modem, and has.
      managerState: ?(without, idle, connected, inhibited),
      # The ways that come before this one, each with the obstacle; null if there are none.
      passedOver: ?string
    )

    # Everything known about the modem.
    type State (
      # Stable across reboots and replugging: made from the IMEI, or else from the device path, with a
      # key of this machine.
      id: string,
      # Path of the control port.
      device: string,
      # Control protocol.
      protocol: (mbim, qmi, unknown),
      # Who made it.
      manufacturer: ?string,
      # What they call it.
      model: ?string,
      # Firmware revision.
      firmware: ?string,
      # 15 digits, if the modem reports them.
      imei: ?string,
      # The network interface of its bearer.
      interface: ?string,
      # The SIM in it.
      sim: SIM,
      # Where it is registered.
      registration: Registration,
      # Its data bearer.
      bearer: Bearer,
      # Set while the modem does not work; the rest is then the last known state.
      fault: ?Fault,
      # How it is shared with ModemManager; null before the decision.
      sharing: ?Sharing,
      # The port's program and libraries with their versions.
      software: ?string
    )

    # A short message in the modem's store, or one that the modem passed on and the port keeps.
    type StoredMessage (
      # Identifies its place; unique within this modem.
      reference: string,
      # SMS-DELIVER and related types (3GPP TS 23.040, 9.2.2) in hexadecimal digits.
      pdu: string,
      # Whether the PDU begins with the service centre's address.
      hasServiceCentre: bool,
      # Whether the modem keeps it.
      stored: bool,
      # RFC 3339: when it arrived; null if it was there before the port looked.
      received: ?string
    )

    # Whether messages can be read, and whether there is room for more.
    type MessageStore (
      # Why they cannot be read at present, in one sentence; null if they can.
      unavailable: ?string,
      # The network's next message would not fit.
      full: bool
    )

    # A message on the control channel, without subscriber data.
    type ControlMessage (
      # Milliseconds since the capture began.
      milliseconds: int,
      # Its direction: `indicated` is unsolicited, `failed` is a command without a reply.
      direction: (sent, received, indicated, failed),
      # Service and command.
      name: string,
      # The number that a command and its reply share.
      transaction: ?int,
      # Bytes of the whole message.
      length: int,
      # The modem's own status of a reply, 0 for success: MBIM_STATUS_CODES, or QMI's error code.
      status: ?int,
      # Numbers that reveal nothing about the subscriber, and the lengths of the rest.
      detail: ?string
    )

    # A socket over the bearer, as the kernel reports it.
    type Socket (
      # Identifies it on this machine (SO_COOKIE), as 16 hexadecimal digits.
      cookie: string,
      # TCP or UDP.
      kind: (stream, datagram),
      # The address that it sends from.
      source: string,
      # Its port.
      sourcePort: int,
      # The address that it is connected to; null if it is not.
      address: ?string,
      # That port.
      port: ?int,
      # Bytes that the other end has acknowledged; null for datagrams.
      sent: ?int,
      # Bytes that came in; null for datagrams.
      received: ?int
    )

    # The port's last known state.
    method GetState() -> (
      # As it is now.
      state: State
    )

    # With `more`: first the present state, then the state after each change.
    method Watch() -> (
      # As it is now.
      state: State
    )

    # Asks the modem again for its identity, its SIM and its registration.
    method Refresh() -> (
      # As it is now.
      state: State
    )

    # Enters PIN1, once.
    method UnlockPIN(
      # 4 to 8 digits.
      pin: string,
      # Whether this may be the last attempt, or an attempt for which the modem does not report how many
      # are left. Null means no.
      lastAttempt: ?bool
    ) -> (
      # With the SIM's new state.
      state: State
    )

    # Begins an EAP login of the SIM. The port keeps the login's keys: they are in no reply.
    method BeginEAP(
      # EAP-AKA (RFC 4187) or EAP-AKA' (RFC 9048).
      method: (aka, akaPrime),
      # Realm of the identity; null for that of the home network (3GPP TS 23.003, 19.3).
      realm: ?string,
      # With akaPrime: the name that the server must send; null for any.
      networkName: ?string,
      # Whether pseudonyms and fast re-authentication are used. Null means no.
      reauthenticate: ?bool,
      # Id of the trace that the call belongs to, for the log: 32 hexadecimal digits; null for none.
      trace: ?string
    ) -> (
      # Names the login in AnswerEAP, for two minutes.
      login: string,
      # What the server is told first: the SIM's identity with its realm.
      identity: string,
      # Group Identifier Level 1 of the SIM (EF_GID1), in hexadecimal digits; null if it has none.
      gid1: ?string
    )

    # Takes the server's next packet of a login. The SIM is asked where the packet is a challenge.
    method AnswerEAP(
      # As BeginEAP named it.
      login: string,
      # The EAP packet (RFC 3748, 4), in base64.
      packet: string,
      # Id of the trace that the call belongs to, for the log: 32 hexadecimal digits; null for none.
      trace: ?string
    ) -> (
      # What the packet led to.
      event: (
        identity,
        response,
        synchronisation,
        reauthentication,
        notification,
        rejected,
        refused,
        success,
        failure
      ),
      # The answer for the server, in base64; null after success and failure.
      packet: ?string,
      # With notification: the server's number (RFC 4187, 10.19).
      notification: ?int,
      # With akaPrime: the name that the server sent.
      networkName: ?string,
      # One sentence for people; null if there is nothing to say.
      text: ?string
    )

    # The modem's slots.
    method Slots() -> (
      # In the order of their numbers.
      slots: []Slot,
      # Whether SwitchSlot can change to another one.
      switchable: bool
    )

    # Makes the modem use the SIM in another slot. InUse while the bearer is up or coming up.
    method SwitchSlot(
      # From 1.
      slot: int
    ) -> (
      # With the SIM's new state: at first, most modems are still reading it.
      state: State
    )

    # Brings the bearer up, or returns it unchanged if it is already up.
    method Connect(
      # Access point name; null for the subscription's default.
      apn: ?string,
      # Null for none.
      user: ?string,
      # Null for none.
      password: ?string,
      # How the user name and password are sent to the gateway; null for none.
      authentication: ?(none, pap, chap, mschapv2),
      # Address families; null for both.
      ipType: ?(ipv4, ipv6, ipv4v6),
      # Where the access point name comes from; null for asked.
      apnSource: ?(asked, configured, modem, network, database),
      # Whether a lost bearer is brought up again until Disconnect; null means no.
      keep: ?bool,
      # Id of the trace that the call belongs to, for the log: 32 hexadecimal digits; null for none.
      trace: ?string
    ) -> (
      # Up, with its settings.
      bearer: Bearer
    )

    # Takes the bearer down. It waits a short time for the modem's part, which otherwise continues in
    # the background (`releasing`).
    method Disconnect() -> (
      # Down.
      bearer: Bearer
    )

    # Reports whether packets came back over the bearer, as a probe found. The port adds what it knows
    # of the reason.
    method NoteTraffic(
      # Index of the probed interface.
      interfaceIndex: int,
      # Whether a DNS server of the bearer answered.
      answered: bool
    ) -> (
      # With the present knowledge of its traffic.
      bearer: Bearer
    )

    # Compares the kernel's link, addresses, rules and routes with the bearer. BearerLost if they
    # differ.
    method VerifyBearer() -> (
      # As it is.
      bearer: Bearer
    )

    # With `more`: the sockets bound to the bearer's interface, then again after each interval; a socket
    # that ended meanwhile is reported once with its last numbers. Without: once.
    method WatchSockets(
      # Milliseconds between two replies, 100 to 60,000; null for 1000.
      intervalMilliseconds: ?int
    ) -> (
      # Those that modemd's user made. Empty if the bearer is down. At most 4096.
      sockets: []Socket,
      # Those that ended since the last reply, with their last numbers. At most 4096.
      ended: []Socket,
      # How many more there are that the two lists have no place for.
      unlisted: int
    )

    # Destroys a TCP socket over the bearer: its owner reads ECONNABORTED. NoSuchSocket if there is
    # none. SocketNotEnded if it is a datagram socket, because the kernel would only free it from the
    # bearer.
    method EndSocket(
      # As WatchSockets has it.
      cookie: string
    ) -> ()

    # With `more`: first a `snapshot`, then one reply for each change. Without: only a `snapshot`.
    method WatchMessages() -> (
      # What this reply is.
      event: (snapshot, arrived, removed),
      # With `snapshot`: all messages, replacing earlier reports. With `arrived`: the new one.
      messages: []StoredMessage,
      # Set when `event` is snapshot.
      store: ?MessageStore,
      # Set if `event` is removed: the place that is now free.
      reference: ?string
    )

    # Deletes one message.
    method DeleteMessage(
      # As WatchMessages has it.
      reference: string
    ) -> ()

    # With `more`: one reply for each message on the control channel, then one without a message at the
    # end. Without: the first message, or none. Only for root.
    method Capture(
      # For how long, 1 to 300.
      seconds: int,
      # Whether to ask the modem for its identity, its SIM and its registration meanwhile, so that there
      # is something to capture. Null means no.
      refresh: ?bool
    ) -> (
      # Null at the end.
      message: ?ControlMessage
    )

    # The SIM or the network is not ready for the request.
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

    # The bearer is not up, or has changed.
    error BearerLost (
      # What is missing, in one sentence.
      text: string
    )

    # The SIM refused the PIN.
    error WrongPIN (
      # Attempts left; null if the modem does not count them.
      retriesLeft: ?int
    )

    # One more wrong PIN would block the SIM, and the call does not allow that. Nothing was entered.
    error LastAttempt (
      # Attempts left: 1; null if the modem does not count them, and this one may be the last.
      retriesLeft: ?int,
      # What to do, in one sentence.
      text: string
    )

    # The SIM does not wait for a PIN.
    error PINNotRequired (
      # What it is instead.
      state: string
    )

    # The bearer uses the SIM.
    error InUse (
      # What to do first, in one sentence.
      text: string
    )

    # The modem has no slot of this number.
    error NoSuchSlot (
      # How many there are, in one sentence.
      text: string
    )

    # The modem does not report its slots, or cannot change to another one.
    error SlotsNotSupported (
      # Which of the two, in one sentence.
      text: string
    )

    # The modem failed.
    error ModemFailed (
      # The kind of failure.
      operation: string,
      # The request to the modem, and its answer.
      cause: string
    )

    # There is no such socket over the bearer.
    error NoSuchSocket (
      # The cookie that was named.
      cookie: string
    )

    # The socket cannot be ended.
    error SocketNotEnded (
      # Why, in one sentence.
      text: string
    )

    # The modem has no way to ask its SIM.
    error EAPNotSupported (
      # One sentence that explains why.
      text: string
    )

    # The SIM was asked as often as it may be.
    error TooManyLogins (
      # How many times within a minute or a day.
      limit: int,
      # Until it may be asked again.
      retryAfterMilliseconds: int
    )

    # The login is over, or there never was one of this id.
    error NoSuchLogin (
      # As the caller named it.
      login: string
    )

    """#

  /// A phone number that the SIM or the modem reports for this subscription.
  package struct PhoneNumber: Codable, Hashable, Sendable {
    /// E.164 with its leading + if the modem gave it so, else unchanged.
    package var number: String
    /// Where it was read.
    package var source: Source

    package init(number: String, source: Source) {
      self.number = number
      self.source = source
    }

    /// One of the values of `source`.
    package enum Source: OpenWord {
      case subscriberReady, dms, efMsisdn, configured, unknown
      case other(String)

      package static let known: [Self] = [.subscriberReady, .dms, .efMsisdn, .configured, .unknown]
      package var rawValue: String {
        switch self {
        case .subscriberReady: "subscriberReady"
        case .dms: "dms"
        case .efMsisdn: "efMsisdn"
        case .configured: "configured"
        case .unknown: "unknown"
        case .other(let word): word
        }
      }
    }
  }

  /// A network by its codes. Digits are text: the MNC keeps its two or three digits.
  package typealias Network = ModemInterface.Network

  /// The SIM and its subscription data.
  package struct SIM: Codable, Hashable, Sendable {
    /// What prevents the use of the SIM.
    package var state: State
    /// PIN or PUK attempts left, if the modem reports them.
    package var retriesLeft: Int?
    /// Physical slot, from 1.
    package var slot: Int?
    /// Serial number.
    package var iccid: String?
    /// Subscriber identity.
    package var imsi: String?
    /// Empty if the SIM carries none, as many do.
    package var numbers: [PhoneNumber]
    /// The network that issued the SIM.
    package var home: Network?

    package init(
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
    package enum State: OpenWord {
      case unknown, absent, initialising, pinRequired, pukRequired, notActivated, failed, ready
      case other(String)

      package static let known: [Self] = [
        .unknown, .absent, .initialising, .pinRequired, .pukRequired, .notActivated, .failed, .ready,
      ]
      package var rawValue: String {
        switch self {
        case .unknown: "unknown"
        case .absent: "absent"
        case .initialising: "initialising"
        case .pinRequired: "pinRequired"
        case .pukRequired: "pukRequired"
        case .notActivated: "notActivated"
        case .failed: "failed"
        case .ready: "ready"
        case .other(let word): word
        }
      }
    }
  }

  /// A place for a SIM in the modem, including soldered eSIMs.
  package typealias Slot = ModemInterface.Slot

  /// A reason in 3GPP's words, with its number if there is one.
  package typealias Cause = ModemInterface.Cause

  /// Where the modem is registered, and its signal strength.
  package typealias Registration = ModemInterface.Registration

  /// The address of one family.
  package typealias Address = BearerInterface.Address

  /// What an installed bearer has.
  package struct Settings: Codable, Hashable, Sendable {
    /// Name of the network interface.
    package var interface: String
    /// Index of that interface, never 0.
    package var interfaceIndex: Int
    /// The routing table that holds the bearer's default route.
    package var table: Int
    /// IPv4, if the bearer has it.
    package var ipv4: Address?
    /// IPv6, if the bearer has it.
    package var ipv6: Address?
    /// DNS servers, in the network's order.
    package var dns: [String]
    /// Bytes.
    package var mtu: Int?

    package init(
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

  /// The data bearer.
  package struct Bearer: Codable, Hashable, Sendable {
    /// Its present state.
    package var state: State
    /// Set while `state` is up.
    package var settings: Settings?
    /// The access point name that was last requested; null for the subscription's default.
    package var apn: String?
    /// Why it failed or went down, unless that was requested.
    package var cause: Cause?
    /// RFC 3339: when this state began.
    package var since: String
    /// Where `apn` comes from: the caller, the configuration, the modem, the list of providers, or
    /// (null name) the network.
    package var apnSource: ApnSource?
    /// RFC 3339: when the bearer is brought up again automatically. Null while it is up, and if it will
    /// not be brought up.
    package var nextAttempt: String?
    /// Failed attempts, or bearers lost early, since the last stable bearer.
    package var failures: Int?
    /// While it is up: whether a DNS server of the bearer answered. Null if it is not probed.
    package var traffic: Traffic?
    /// While `traffic` is silent: the most likely reason, in one sentence.
    package var trafficText: String?
    /// While it is up: what prevents other users' programs from sending over it, and the network behind
    /// it from reaching this machine.
    package var `guard`: Guard?
    /// What the guard does not cover, or why there is none, in one sentence.
    package var guardText: String?
    /// True while the modem must still confirm the end of its part; nothing of the bearer is left on
    /// this machine. Null means no.
    package var releasing: Bool?
    /// What happens to a bearer that was kept when the port's process ended or the modem vanished. Null
    /// without such a bearer, and after Connect or Disconnect.
    package var resumption: Resumption?
    /// If `resumption` is refused: why. If it is pending: what the bearer waits for, unless it is
    /// coming up. In one sentence.
    package var resumptionText: String?

    package init(
      state: State, settings: Settings? = nil, apn: String? = nil, cause: Cause? = nil, since: String,
      apnSource: ApnSource? = nil, nextAttempt: String? = nil, failures: Int? = nil, traffic: Traffic? = nil,
      trafficText: String? = nil, guard: Guard? = nil, guardText: String? = nil, releasing: Bool? = nil,
      resumption: Resumption? = nil, resumptionText: String? = nil
    ) {
      self.state = state
      self.settings = settings
      self.apn = apn
      self.cause = cause
      self.since = since
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
    package enum State: OpenWord {
      case down, attaching, connecting, configuring, up, disconnecting, failed
      case other(String)

      package static let known: [Self] = [.down, .attaching, .connecting, .configuring, .up, .disconnecting, .failed]
      package var rawValue: String {
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
    package enum ApnSource: OpenWord {
      case asked, configured, modem, network, database
      case other(String)

      package static let known: [Self] = [.asked, .configured, .modem, .network, .database]
      package var rawValue: String {
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
    package enum Traffic: OpenWord {
      case untested, answered, silent
      case other(String)

      package static let known: [Self] = [.untested, .answered, .silent]
      package var rawValue: String {
        switch self {
        case .untested: "untested"
        case .answered: "answered"
        case .silent: "silent"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `guard`.
    package enum Guard: OpenWord {
      case vrf, nftables, none
      case other(String)

      package static let known: [Self] = [.vrf, .nftables, .none]
      package var rawValue: String {
        switch self {
        case .vrf: "vrf"
        case .nftables: "nftables"
        case .none: "none"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `resumption`.
    package enum Resumption: OpenWord {
      case pending, resumed, refused
      case other(String)

      package static let known: [Self] = [.pending, .resumed, .refused]
      package var rawValue: String {
        switch self {
        case .pending: "pending"
        case .resumed: "resumed"
        case .refused: "refused"
        case .other(let word): word
        }
      }
    }
  }

  /// Why a modem does not work, and since when (RFC 3339).
  package typealias Fault = ModemInterface.Fault

  /// How modemd and ModemManager share one modem.
  package typealias Sharing = ModemInterface.Sharing

  /// Everything known about the modem.
  package struct State: Codable, Hashable, Sendable {
    /// Stable across reboots and replugging: made from the IMEI, or else from the device path, with a
    /// key of this machine.
    package var id: String
    /// Path of the control port.
    package var device: String
    /// Control protocol.
    package var `protocol`: ProtocolKind
    /// Who made it.
    package var manufacturer: String?
    /// What they call it.
    package var model: String?
    /// Firmware revision.
    package var firmware: String?
    /// 15 digits, if the modem reports them.
    package var imei: String?
    /// The network interface of its bearer.
    package var interface: String?
    /// The SIM in it.
    package var sim: SIM
    /// Where it is registered.
    package var registration: Registration
    /// Its data bearer.
    package var bearer: Bearer
    /// Set while the modem does not work; the rest is then the last known state.
    package var fault: Fault?
    /// How it is shared with ModemManager; null before the decision.
    package var sharing: Sharing?
    /// The port's program and libraries with their versions.
    package var software: String?

    package init(
      id: String, device: String, protocol: ProtocolKind, manufacturer: String? = nil, model: String? = nil,
      firmware: String? = nil, imei: String? = nil, interface: String? = nil, sim: SIM, registration: Registration,
      bearer: Bearer, fault: Fault? = nil, sharing: Sharing? = nil, software: String? = nil
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
      self.sharing = sharing
      self.software = software
    }

    /// One of the values of `protocol`.
    package enum ProtocolKind: OpenWord {
      case mbim, qmi, unknown
      case other(String)

      package static let known: [Self] = [.mbim, .qmi, .unknown]
      package var rawValue: String {
        switch self {
        case .mbim: "mbim"
        case .qmi: "qmi"
        case .unknown: "unknown"
        case .other(let word): word
        }
      }
    }
  }

  /// A short message in the modem's store, or one that the modem passed on and the port keeps.
  package struct StoredMessage: Codable, Hashable, Sendable {
    /// Identifies its place; unique within this modem.
    package var reference: String
    /// SMS-DELIVER and related types (3GPP TS 23.040, 9.2.2) in hexadecimal digits.
    package var pdu: String
    /// Whether the PDU begins with the service centre's address.
    package var hasServiceCentre: Bool
    /// Whether the modem keeps it.
    package var stored: Bool
    /// RFC 3339: when it arrived; null if it was there before the port looked.
    package var received: String?

    package init(reference: String, pdu: String, hasServiceCentre: Bool, stored: Bool, received: String? = nil) {
      self.reference = reference
      self.pdu = pdu
      self.hasServiceCentre = hasServiceCentre
      self.stored = stored
      self.received = received
    }
  }

  /// Whether messages can be read, and whether there is room for more.
  package struct MessageStore: Codable, Hashable, Sendable {
    /// Why they cannot be read at present, in one sentence; null if they can.
    package var unavailable: String?
    /// The network's next message would not fit.
    package var full: Bool

    package init(unavailable: String? = nil, full: Bool) {
      self.unavailable = unavailable
      self.full = full
    }
  }

  /// A message on the control channel, without subscriber data.
  package struct ControlMessage: Codable, Hashable, Sendable {
    /// Milliseconds since the capture began.
    package var milliseconds: Int
    /// Its direction: `indicated` is unsolicited, `failed` is a command without a reply.
    package var direction: Direction
    /// Service and command.
    package var name: String
    /// The number that a command and its reply share.
    package var transaction: Int?
    /// Bytes of the whole message.
    package var length: Int
    /// The modem's own status of a reply, 0 for success: MBIM_STATUS_CODES, or QMI's error code.
    package var status: Int?
    /// Numbers that reveal nothing about the subscriber, and the lengths of the rest.
    package var detail: String?

    package init(
      milliseconds: Int, direction: Direction, name: String, transaction: Int? = nil, length: Int, status: Int? = nil,
      detail: String? = nil
    ) {
      self.milliseconds = milliseconds
      self.direction = direction
      self.name = name
      self.transaction = transaction
      self.length = length
      self.status = status
      self.detail = detail
    }

    /// One of the values of `direction`.
    package enum Direction: OpenWord {
      case sent, received, indicated, failed
      case other(String)

      package static let known: [Self] = [.sent, .received, .indicated, .failed]
      package var rawValue: String {
        switch self {
        case .sent: "sent"
        case .received: "received"
        case .indicated: "indicated"
        case .failed: "failed"
        case .other(let word): word
        }
      }
    }
  }

  /// A socket over the bearer, as the kernel reports it.
  package struct Socket: Codable, Hashable, Sendable {
    /// Identifies it on this machine (SO_COOKIE), as 16 hexadecimal digits.
    package var cookie: String
    /// TCP or UDP.
    package var kind: Kind
    /// The address that it sends from.
    package var source: String
    /// Its port.
    package var sourcePort: Int
    /// The address that it is connected to; null if it is not.
    package var address: String?
    /// That port.
    package var port: Int?
    /// Bytes that the other end has acknowledged; null for datagrams.
    package var sent: Int?
    /// Bytes that came in; null for datagrams.
    package var received: Int?

    package init(
      cookie: String, kind: Kind, source: String, sourcePort: Int, address: String? = nil, port: Int? = nil,
      sent: Int? = nil, received: Int? = nil
    ) {
      self.cookie = cookie
      self.kind = kind
      self.source = source
      self.sourcePort = sourcePort
      self.address = address
      self.port = port
      self.sent = sent
      self.received = received
    }

    /// One of the values of `kind`.
    package enum Kind: OpenWord {
      case stream, datagram
      case other(String)

      package static let known: [Self] = [.stream, .datagram]
      package var rawValue: String {
        switch self {
        case .stream: "stream"
        case .datagram: "datagram"
        case .other(let word): word
        }
      }
    }
  }

  /// The port's last known state.
  package enum GetState: VarlinkMethod {
    package static let name = "org.modemd.Port.GetState"

    /// What `GetState` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = []

      package init() {}
    }

    /// What `GetState` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// As it is now.
      package var state: State

      package init(state: State) {
        self.state = state
      }
    }
  }

  /// With `more`: first the present state, then the state after each change.
  package enum Watch: VarlinkMethod {
    package static let name = "org.modemd.Port.Watch"

    /// What `Watch` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = []

      package init() {}
    }

    /// What `Watch` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// As it is now.
      package var state: State

      package init(state: State) {
        self.state = state
      }
    }
  }

  /// Asks the modem again for its identity, its SIM and its registration.
  package enum Refresh: VarlinkMethod {
    package static let name = "org.modemd.Port.Refresh"

    /// What `Refresh` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = []

      package init() {}
    }

    /// What `Refresh` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// As it is now.
      package var state: State

      package init(state: State) {
        self.state = state
      }
    }
  }

  /// Enters PIN1, once.
  package enum UnlockPIN: VarlinkMethod {
    package static let name = "org.modemd.Port.UnlockPIN"

    /// What `UnlockPIN` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = ["pin", "lastAttempt"]
      /// 4 to 8 digits.
      package var pin: String
      /// Whether this may be the last attempt, or an attempt for which the modem does not report how many
      /// are left. Null means no.
      package var lastAttempt: Bool?

      package init(pin: String, lastAttempt: Bool? = nil) {
        self.pin = pin
        self.lastAttempt = lastAttempt
      }
    }

    /// What `UnlockPIN` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// With the SIM's new state.
      package var state: State

      package init(state: State) {
        self.state = state
      }
    }
  }

  /// Begins an EAP login of the SIM. The port keeps the login's keys: they are in no reply.
  package enum BeginEAP: VarlinkMethod {
    package static let name = "org.modemd.Port.BeginEAP"

    /// What `BeginEAP` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = ["method", "realm", "networkName", "reauthenticate", "trace"]
      /// EAP-AKA (RFC 4187) or EAP-AKA' (RFC 9048).
      package var method: Method
      /// Realm of the identity; null for that of the home network (3GPP TS 23.003, 19.3).
      package var realm: String?
      /// With akaPrime: the name that the server must send; null for any.
      package var networkName: String?
      /// Whether pseudonyms and fast re-authentication are used. Null means no.
      package var reauthenticate: Bool?
      /// Id of the trace that the call belongs to, for the log: 32 hexadecimal digits; null for none.
      package var trace: String?

      package init(
        method: Method, realm: String? = nil, networkName: String? = nil, reauthenticate: Bool? = nil,
        trace: String? = nil
      ) {
        self.method = method
        self.realm = realm
        self.networkName = networkName
        self.reauthenticate = reauthenticate
        self.trace = trace
      }

      /// One of the values of `method`.
      package enum Method: String, Codable, CaseIterable, Hashable, Sendable {
        case aka, akaPrime
      }
    }

    /// What `BeginEAP` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// Names the login in AnswerEAP, for two minutes.
      package var login: String
      /// What the server is told first: the SIM's identity with its realm.
      package var identity: String
      /// Group Identifier Level 1 of the SIM (EF_GID1), in hexadecimal digits; null if it has none.
      package var gid1: String?

      package init(login: String, identity: String, gid1: String? = nil) {
        self.login = login
        self.identity = identity
        self.gid1 = gid1
      }
    }
  }

  /// Takes the server's next packet of a login. The SIM is asked where the packet is a challenge.
  package enum AnswerEAP: VarlinkMethod {
    package static let name = "org.modemd.Port.AnswerEAP"

    /// What `AnswerEAP` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = ["login", "packet", "trace"]
      /// As BeginEAP named it.
      package var login: String
      /// The EAP packet (RFC 3748, 4), in base64.
      package var packet: String
      /// Id of the trace that the call belongs to, for the log: 32 hexadecimal digits; null for none.
      package var trace: String?

      package init(login: String, packet: String, trace: String? = nil) {
        self.login = login
        self.packet = packet
        self.trace = trace
      }
    }

    /// What `AnswerEAP` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// What the packet led to.
      package var event: Event
      /// The answer for the server, in base64; null after success and failure.
      package var packet: String?
      /// With notification: the server's number (RFC 4187, 10.19).
      package var notification: Int?
      /// With akaPrime: the name that the server sent.
      package var networkName: String?
      /// One sentence for people; null if there is nothing to say.
      package var text: String?

      package init(
        event: Event, packet: String? = nil, notification: Int? = nil, networkName: String? = nil, text: String? = nil
      ) {
        self.event = event
        self.packet = packet
        self.notification = notification
        self.networkName = networkName
        self.text = text
      }

      /// One of the values of `event`.
      package enum Event: OpenWord {
        case identity, response, synchronisation, reauthentication, notification, rejected, refused, success, failure
        case other(String)

        package static let known: [Self] = [
          .identity, .response, .synchronisation, .reauthentication, .notification, .rejected, .refused, .success,
          .failure,
        ]
        package var rawValue: String {
          switch self {
          case .identity: "identity"
          case .response: "response"
          case .synchronisation: "synchronisation"
          case .reauthentication: "reauthentication"
          case .notification: "notification"
          case .rejected: "rejected"
          case .refused: "refused"
          case .success: "success"
          case .failure: "failure"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// The modem's slots.
  package enum Slots: VarlinkMethod {
    package static let name = "org.modemd.Port.Slots"

    /// What `Slots` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = []

      package init() {}
    }

    /// What `Slots` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// In the order of their numbers.
      package var slots: [Slot]
      /// Whether SwitchSlot can change to another one.
      package var switchable: Bool

      package init(slots: [Slot], switchable: Bool) {
        self.slots = slots
        self.switchable = switchable
      }
    }
  }

  /// Makes the modem use the SIM in another slot. InUse while the bearer is up or coming up.
  package enum SwitchSlot: VarlinkMethod {
    package static let name = "org.modemd.Port.SwitchSlot"

    /// What `SwitchSlot` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = ["slot"]
      /// From 1.
      package var slot: Int

      package init(slot: Int) {
        self.slot = slot
      }
    }

    /// What `SwitchSlot` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// With the SIM's new state: at first, most modems are still reading it.
      package var state: State

      package init(state: State) {
        self.state = state
      }
    }
  }

  /// Brings the bearer up, or returns it unchanged if it is already up.
  package enum Connect: VarlinkMethod {
    package static let name = "org.modemd.Port.Connect"

    /// What `Connect` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = [
        "apn", "user", "password", "authentication", "ipType", "apnSource", "keep", "trace",
      ]
      /// Access point name; null for the subscription's default.
      package var apn: String?
      /// Null for none.
      package var user: String?
      /// Null for none.
      package var password: String?
      /// How the user name and password are sent to the gateway; null for none.
      package var authentication: Authentication?
      /// Address families; null for both.
      package var ipType: IpType?
      /// Where the access point name comes from; null for asked.
      package var apnSource: ApnSource?
      /// Whether a lost bearer is brought up again until Disconnect; null means no.
      package var keep: Bool?
      /// Id of the trace that the call belongs to, for the log: 32 hexadecimal digits; null for none.
      package var trace: String?

      package init(
        apn: String? = nil, user: String? = nil, password: String? = nil, authentication: Authentication? = nil,
        ipType: IpType? = nil, apnSource: ApnSource? = nil, keep: Bool? = nil, trace: String? = nil
      ) {
        self.apn = apn
        self.user = user
        self.password = password
        self.authentication = authentication
        self.ipType = ipType
        self.apnSource = apnSource
        self.keep = keep
        self.trace = trace
      }

      /// One of the values of `authentication`.
      package enum Authentication: String, Codable, CaseIterable, Hashable, Sendable {
        case none, pap, chap, mschapv2
      }

      /// One of the values of `ipType`.
      package enum IpType: String, Codable, CaseIterable, Hashable, Sendable {
        case ipv4, ipv6, ipv4v6
      }

      /// One of the values of `apnSource`.
      package enum ApnSource: String, Codable, CaseIterable, Hashable, Sendable {
        case asked, configured, modem, network, database
      }
    }

    /// What `Connect` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// Up, with its settings.
      package var bearer: Bearer

      package init(bearer: Bearer) {
        self.bearer = bearer
      }
    }
  }

  /// Takes the bearer down. It waits a short time for the modem's part, which otherwise continues in
  /// the background (`releasing`).
  package enum Disconnect: VarlinkMethod {
    package static let name = "org.modemd.Port.Disconnect"

    /// What `Disconnect` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = []

      package init() {}
    }

    /// What `Disconnect` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// Down.
      package var bearer: Bearer

      package init(bearer: Bearer) {
        self.bearer = bearer
      }
    }
  }

  /// Reports whether packets came back over the bearer, as a probe found. The port adds what it knows
  /// of the reason.
  package enum NoteTraffic: VarlinkMethod {
    package static let name = "org.modemd.Port.NoteTraffic"

    /// What `NoteTraffic` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = ["interfaceIndex", "answered"]
      /// Index of the probed interface.
      package var interfaceIndex: Int
      /// Whether a DNS server of the bearer answered.
      package var answered: Bool

      package init(interfaceIndex: Int, answered: Bool) {
        self.interfaceIndex = interfaceIndex
        self.answered = answered
      }
    }

    /// What `NoteTraffic` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// With the present knowledge of its traffic.
      package var bearer: Bearer

      package init(bearer: Bearer) {
        self.bearer = bearer
      }
    }
  }

  /// Compares the kernel's link, addresses, rules and routes with the bearer. BearerLost if they
  /// differ.
  package enum VerifyBearer: VarlinkMethod {
    package static let name = "org.modemd.Port.VerifyBearer"

    /// What `VerifyBearer` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = []

      package init() {}
    }

    /// What `VerifyBearer` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// As it is.
      package var bearer: Bearer

      package init(bearer: Bearer) {
        self.bearer = bearer
      }
    }
  }

  /// With `more`: the sockets bound to the bearer's interface, then again after each interval; a socket
  /// that ended meanwhile is reported once with its last numbers. Without: once.
  package enum WatchSockets: VarlinkMethod {
    package static let name = "org.modemd.Port.WatchSockets"

    /// What `WatchSockets` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = ["intervalMilliseconds"]
      /// Milliseconds between two replies, 100 to 60,000; null for 1000.
      package var intervalMilliseconds: Int?

      package init(intervalMilliseconds: Int? = nil) {
        self.intervalMilliseconds = intervalMilliseconds
      }
    }

    /// What `WatchSockets` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// Those that modemd's user made. Empty if the bearer is down. At most 4096.
      package var sockets: [Socket]
      /// Those that ended since the last reply, with their last numbers. At most 4096.
      package var ended: [Socket]
      /// How many more there are that the two lists have no place for.
      package var unlisted: Int

      package init(sockets: [Socket], ended: [Socket], unlisted: Int) {
        self.sockets = sockets
        self.ended = ended
        self.unlisted = unlisted
      }
    }
  }

  /// Destroys a TCP socket over the bearer: its owner reads ECONNABORTED. NoSuchSocket if there is
  /// none. SocketNotEnded if it is a datagram socket, because the kernel would only free it from the
  /// bearer.
  package enum EndSocket: VarlinkMethod {
    package static let name = "org.modemd.Port.EndSocket"

    /// What `EndSocket` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = ["cookie"]
      /// As WatchSockets has it.
      package var cookie: String

      package init(cookie: String) {
        self.cookie = cookie
      }
    }

    /// What `EndSocket` answers.
    package struct Reply: Codable, Hashable, Sendable {

      package init() {}
    }
  }

  /// With `more`: first a `snapshot`, then one reply for each change. Without: only a `snapshot`.
  package enum WatchMessages: VarlinkMethod {
    package static let name = "org.modemd.Port.WatchMessages"

    /// What `WatchMessages` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = []

      package init() {}
    }

    /// What `WatchMessages` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// What this reply is.
      package var event: Event
      /// With `snapshot`: all messages, replacing earlier reports. With `arrived`: the new one.
      package var messages: [StoredMessage]
      /// Set when `event` is snapshot.
      package var store: MessageStore?
      /// Set if `event` is removed: the place that is now free.
      package var reference: String?

      package init(event: Event, messages: [StoredMessage], store: MessageStore? = nil, reference: String? = nil) {
        self.event = event
        self.messages = messages
        self.store = store
        self.reference = reference
      }

      /// One of the values of `event`.
      package enum Event: OpenWord {
        case snapshot, arrived, removed
        case other(String)

        package static let known: [Self] = [.snapshot, .arrived, .removed]
        package var rawValue: String {
          switch self {
          case .snapshot: "snapshot"
          case .arrived: "arrived"
          case .removed: "removed"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// Deletes one message.
  package enum DeleteMessage: VarlinkMethod {
    package static let name = "org.modemd.Port.DeleteMessage"

    /// What `DeleteMessage` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = ["reference"]
      /// As WatchMessages has it.
      package var reference: String

      package init(reference: String) {
        self.reference = reference
      }
    }

    /// What `DeleteMessage` answers.
    package struct Reply: Codable, Hashable, Sendable {

      package init() {}
    }
  }

  /// With `more`: one reply for each message on the control channel, then one without a message at the
  /// end. Without: the first message, or none. Only for root.
  package enum Capture: VarlinkMethod {
    package static let name = "org.modemd.Port.Capture"

    /// What `Capture` takes.
    package struct Parameters: VarlinkParameters, Hashable {
      package static let fieldNames: Set<String> = ["seconds", "refresh"]
      /// For how long, 1 to 300.
      package var seconds: Int
      /// Whether to ask the modem for its identity, its SIM and its registration meanwhile, so that there
      /// is something to capture. Null means no.
      package var refresh: Bool?

      package init(seconds: Int, refresh: Bool? = nil) {
        self.seconds = seconds
        self.refresh = refresh
      }
    }

    /// What `Capture` answers.
    package struct Reply: Codable, Hashable, Sendable {
      /// Null at the end.
      package var message: ControlMessage?

      package init(message: ControlMessage? = nil) {
        self.message = message
      }
    }
  }

  /// The SIM or the network is not ready for the request.
  package struct NotReady: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.NotReady"
    /// What is missing.
    package var reason: Reason
    /// One sentence that explains what to do.
    package var text: String

    package init(reason: Reason, text: String) {
      self.reason = reason
      self.text = text
    }

    /// One of the values of `reason`.
    package enum Reason: OpenWord {
      case simAbsent, simLocked, simNotReady, notRegistered
      case other(String)

      package static let known: [Self] = [.simAbsent, .simLocked, .simNotReady, .notRegistered]
      package var rawValue: String {
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
  package struct Refused: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.Refused"
    /// 3GPP's session management cause, if there is one.
    package var code: Int?
    /// The reason in words.
    package var text: String

    package init(code: Int? = nil, text: String) {
      self.code = code
      self.text = text
    }
  }

  /// The network gave no usable address.
  package struct NoAddress: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.NoAddress"
    /// What the network gave, in one sentence.
    package var text: String

    package init(text: String) {
      self.text = text
    }
  }

  /// The bearer is not up, or has changed.
  package struct BearerLost: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.BearerLost"
    /// What is missing, in one sentence.
    package var text: String

    package init(text: String) {
      self.text = text
    }
  }

  /// The SIM refused the PIN.
  package struct WrongPIN: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.WrongPIN"
    /// Attempts left; null if the modem does not count them.
    package var retriesLeft: Int?

    package init(retriesLeft: Int? = nil) {
      self.retriesLeft = retriesLeft
    }
  }

  /// One more wrong PIN would block the SIM, and the call does not allow that. Nothing was entered.
  package struct LastAttempt: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.LastAttempt"
    /// Attempts left: 1; null if the modem does not count them, and this one may be the last.
    package var retriesLeft: Int?
    /// What to do, in one sentence.
    package var text: String

    package init(retriesLeft: Int? = nil, text: String) {
      self.retriesLeft = retriesLeft
      self.text = text
    }
  }

  /// The SIM does not wait for a PIN.
  package struct PINNotRequired: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.PINNotRequired"
    /// What it is instead.
    package var state: String

    package init(state: String) {
      self.state = state
    }
  }

  /// The bearer uses the SIM.
  package struct InUse: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.InUse"
    /// What to do first, in one sentence.
    package var text: String

    package init(text: String) {
      self.text = text
    }
  }

  /// The modem has no slot of this number.
  package struct NoSuchSlot: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.NoSuchSlot"
    /// How many there are, in one sentence.
    package var text: String

    package init(text: String) {
      self.text = text
    }
  }

  /// The modem does not report its slots, or cannot change to another one.
  package struct SlotsNotSupported: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.SlotsNotSupported"
    /// Which of the two, in one sentence.
    package var text: String

    package init(text: String) {
      self.text = text
    }
  }

  /// The modem failed.
  package struct ModemFailed: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.ModemFailed"
    /// The kind of failure.
    package var operation: String
    /// The request to the modem, and its answer.
    package var cause: String

    package init(operation: String, cause: String) {
      self.operation = operation
      self.cause = cause
    }
  }

  /// There is no such socket over the bearer.
  package struct NoSuchSocket: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.NoSuchSocket"
    /// The cookie that was named.
    package var cookie: String

    package init(cookie: String) {
      self.cookie = cookie
    }
  }

  /// The socket cannot be ended.
  package struct SocketNotEnded: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.SocketNotEnded"
    /// Why, in one sentence.
    package var text: String

    package init(text: String) {
      self.text = text
    }
  }

  /// The modem has no way to ask its SIM.
  package struct EAPNotSupported: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.EAPNotSupported"
    /// One sentence that explains why.
    package var text: String

    package init(text: String) {
      self.text = text
    }
  }

  /// The SIM was asked as often as it may be.
  package struct TooManyLogins: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.TooManyLogins"
    /// How many times within a minute or a day.
    package var limit: Int
    /// Until it may be asked again.
    package var retryAfterMilliseconds: Int

    package init(limit: Int, retryAfterMilliseconds: Int) {
      self.limit = limit
      self.retryAfterMilliseconds = retryAfterMilliseconds
    }
  }

  /// The login is over, or there never was one of this id.
  package struct NoSuchLogin: VarlinkErrorParameters, Hashable {
    package static let name = "org.modemd.Port.NoSuchLogin"
    /// As the caller named it.
    package var login: String

    package init(login: String) {
      self.login = login
    }
  }
}
