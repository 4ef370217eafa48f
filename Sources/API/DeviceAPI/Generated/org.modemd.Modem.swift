// Written by varlink-generate from org.modemd.Modem.varlink: change that file, then `make generate`.

import Varlink

/// The modems of this machine, their SIMs, and where they are registered. Answers come from modemd's
/// last known state, which indications from the modem keep up to date. Later versions may add fields,
/// and new words to the enums of replies and errors. Replies and errors always have all their fields;
/// a field without a value is null.
public enum ModemInterface: VarlinkInterface {
  public static let name = "org.modemd.Modem"
  public static let text = #"""
    # The modems of this machine, their SIMs, and where they are registered. Answers come from modemd's
    # last known state, which indications from the modem keep up to date. Later versions may add fields,
    # and new words to the enums of replies and errors. Replies and errors always have all their fields;
    # a field without a value is null.
    interface org.modemd.Modem

    # A phone number that the SIM or the modem reports for this subscription.
    type PhoneNumber (
      # E.164 with its leading + if `normalised`, else unchanged.
      number: string,
      # Whether `number` is E.164.
      normalised: bool,
      # Where it was read; unknown if the port's version is later than modemd's and uses a word of its
      # own.
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
      # Serial number. Null if the caller may not see subscriber identity, or if the modem has none.
      iccid: ?string,
      # Subscriber identity. Null if the caller may not see it, or if the modem has none.
      imsi: ?string,
      # Empty if the SIM carries no number, as many do, or if the caller may not see it.
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
      # Serial number of its card. Null if the caller may not see subscriber identity; many modems only
      # report that of the active slot.
      iccid: ?string,
      # Whether it is an eSIM; null if the modem does not report it.
      esim: ?bool
    )

    # A reason in 3GPP's words.
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

    # Why a modem does not work.
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

    # A modem and its SIM.
    type Modem (
      # Stable across reboots and replugging: made from the IMEI, or else from the device path, with a
      # key of this machine.
      id: string,
      # Path of the control port.
      device: string,
      # Control protocol; unknown as with `source` of a number.
      protocol: (mbim, qmi, unknown),
      # Who made it.
      manufacturer: ?string,
      # What they call it.
      model: ?string,
      # Firmware revision.
      firmware: ?string,
      # 15 digits. Null if the caller may not see subscriber identity, or if the modem hides it.
      imei: ?string,
      # The network interface of its bearer.
      interface: ?string,
      # The SIM in it.
      sim: SIM,
      # Where it is registered.
      registration: Registration,
      # Set while the modem or its port does not work; the rest is then the last known state.
      fault: ?Fault,
      # How it is shared with ModemManager; null before the decision.
      sharing: ?Sharing,
      # The port's program and libraries with their versions.
      software: ?string
    )

    # All modems, ordered by name.
    method List() -> (
      # Empty where there is none.
      modems: []Modem
    )

    # One modem, by id, device or interface. If `modem` is null, the only one; MoreThanOneModem if there
    # are several.
    method Get(
      # Id, device or interface; null for the only modem.
      modem: ?string
    ) -> (
      # As it was known last.
      modem: Modem
    )

    # With `more`: first `ready` without a modem, then one reply for each change. Without: only `ready`.
    method Watch(
      # Id, device or interface; null for all modems.
      modem: ?string
    ) -> (
      # What happened.
      change: (ready, added, changed, removed),
      # The modem after the change.
      modem: ?Modem
    )

    # Enters PIN1 once. modemd never tries a refused PIN a second time. Only for root, unless the access
    # table names groups for this very method; only root may use the last attempt in any case.
    method UnlockPIN(
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # 4 to 8 digits.
      pin: string,
      # Whether this may be the last attempt, or an attempt for which the modem does not report how many
      # are left. Only root may set it. Null means no.
      lastAttempt: ?bool
    ) -> (
      # With the SIM's new state.
      modem: Modem
    )

    # The slots of a modem.
    method Slots(
      # Id, device or interface; null for the only modem.
      modem: ?string
    ) -> (
      # In the order of their numbers.
      slots: []Slot,
      # Whether SwitchSlot can change to another one.
      switchable: bool
    )

    # Makes a modem use the SIM in another slot. InUse while its bearer is up: disconnect it first. Only
    # for root, unless the access table names groups for this very method.
    method SwitchSlot(
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # From 1.
      slot: int
    ) -> (
      # With the SIM's new state: at first, most modems are still reading it.
      modem: Modem
    )

    # There is no modem.
    error NoModem (
      # One sentence that explains where to look.
      hint: string
    )

    # No modem was named and there are several.
    error MoreThanOneModem (
      # Their ids.
      modems: []string
    )

    # No modem has this id, device or interface.
    error NoSuchModem (
      # The name that was given.
      modem: string
    )

    # The port of this modem does not run at present.
    error PortUnavailable (
      # Id of the modem, if it is known.
      modem: ?string,
      # Why, in one sentence.
      cause: string
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

    """#

  /// A phone number that the SIM or the modem reports for this subscription.
  public struct PhoneNumber: Codable, Hashable, Sendable {
    /// E.164 with its leading + if `normalised`, else unchanged.
    public var number: String
    /// Whether `number` is E.164.
    public var normalised: Bool
    /// Where it was read; unknown if the port's version is later than modemd's and uses a word of its
    /// own.
    public var source: Source

    public init(number: String, normalised: Bool, source: Source) {
      self.number = number
      self.normalised = normalised
      self.source = source
    }

    /// One of the values of `source`.
    public enum Source: OpenWord {
      case subscriberReady, dms, efMsisdn, configured, unknown
      case other(String)

      public static let known: [Self] = [.subscriberReady, .dms, .efMsisdn, .configured, .unknown]
      public var rawValue: String {
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
  public struct Network: Codable, Hashable, Sendable {
    /// Mobile country code.
    public var mcc: String
    /// Mobile network code.
    public var mnc: String
    /// The network's name, if the modem knows it.
    public var name: String?

    public init(mcc: String, mnc: String, name: String? = nil) {
      self.mcc = mcc
      self.mnc = mnc
      self.name = name
    }
  }

  /// The SIM and its subscription data.
  public struct SIM: Codable, Hashable, Sendable {
    /// What prevents the use of the SIM.
    public var state: State
    /// PIN or PUK attempts left, if the modem reports them.
    public var retriesLeft: Int?
    /// Physical slot, from 1.
    public var slot: Int?
    /// Serial number. Null if the caller may not see subscriber identity, or if the modem has none.
    public var iccid: String?
    /// Subscriber identity. Null if the caller may not see it, or if the modem has none.
    public var imsi: String?
    /// Empty if the SIM carries no number, as many do, or if the caller may not see it.
    public var numbers: [PhoneNumber]
    /// The network that issued the SIM.
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
    public enum State: OpenWord {
      case unknown, absent, initialising, pinRequired, pukRequired, notActivated, failed, ready
      case other(String)

      public static let known: [Self] = [
        .unknown, .absent, .initialising, .pinRequired, .pukRequired, .notActivated, .failed, .ready,
      ]
      public var rawValue: String {
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
  public struct Slot: Codable, Hashable, Sendable {
    /// From 1.
    public var slot: Int
    /// Whether the modem uses this one.
    public var active: Bool
    /// Its content, as far as the modem reports it.
    public var card: Card
    /// Serial number of its card. Null if the caller may not see subscriber identity; many modems only
    /// report that of the active slot.
    public var iccid: String?
    /// Whether it is an eSIM; null if the modem does not report it.
    public var esim: Bool?

    public init(slot: Int, active: Bool, card: Card, iccid: String? = nil, esim: Bool? = nil) {
      self.slot = slot
      self.active = active
      self.card = card
      self.iccid = iccid
      self.esim = esim
    }

    /// One of the values of `card`.
    public enum Card: OpenWord {
      case unknown, absent, present, failed
      case other(String)

      public static let known: [Self] = [.unknown, .absent, .present, .failed]
      public var rawValue: String {
        switch self {
        case .unknown: "unknown"
        case .absent: "absent"
        case .present: "present"
        case .failed: "failed"
        case .other(let word): word
        }
      }
    }
  }

  /// A reason in 3GPP's words.
  public struct Cause: Codable, Hashable, Sendable {
    /// 3GPP's number for it, if there is one.
    public var code: Int?
    /// The reason in words.
    public var text: String

    public init(code: Int? = nil, text: String) {
      self.code = code
      self.text = text
    }
  }

  /// Where the modem is registered, and its signal strength.
  public struct Registration: Codable, Hashable, Sendable {
    /// As MBIM names the states; QMI's are mapped to them.
    public var state: State
    /// The network it is registered with.
    public var serving: Network?
    /// Radio access technology of the serving cell.
    public var technology: Technology?
    /// Received signal strength in dBm.
    public var rssi: Int?
    /// Power of the serving cell's reference signals in dBm, -156 to -31 (3GPP TS 36.133, 9.1.4; TS
    /// 38.133, 10.1.6). Null with GSM and UMTS, and if the modem does not report it. With
    /// nrNonStandalone, this field and the next two are those of the LTE cell.
    public var rsrp: Int?
    /// Quality of these signals in dB, -43 to 20. MBIM does not have it.
    public var rsrq: Int?
    /// Ratio of the signal to interference and noise in dB, -23 to 40.
    public var sinr: Int?
    /// Why the network denied registration (3GPP TS 24.008, 24.301, 24.501).
    public var cause: Cause?

    public init(
      state: State, serving: Network? = nil, technology: Technology? = nil, rssi: Int? = nil, rsrp: Int? = nil,
      rsrq: Int? = nil, sinr: Int? = nil, cause: Cause? = nil
    ) {
      self.state = state
      self.serving = serving
      self.technology = technology
      self.rssi = rssi
      self.rsrp = rsrp
      self.rsrq = rsrq
      self.sinr = sinr
      self.cause = cause
    }

    /// One of the values of `state`.
    public enum State: OpenWord {
      case unknown, deregistered, searching, home, roaming, partner, denied
      case other(String)

      public static let known: [Self] = [.unknown, .deregistered, .searching, .home, .roaming, .partner, .denied]
      public var rawValue: String {
        switch self {
        case .unknown: "unknown"
        case .deregistered: "deregistered"
        case .searching: "searching"
        case .home: "home"
        case .roaming: "roaming"
        case .partner: "partner"
        case .denied: "denied"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `technology`.
    public enum Technology: OpenWord {
      case gsm, umts, lte, nrNonStandalone, nr
      case other(String)

      public static let known: [Self] = [.gsm, .umts, .lte, .nrNonStandalone, .nr]
      public var rawValue: String {
        switch self {
        case .gsm: "gsm"
        case .umts: "umts"
        case .lte: "lte"
        case .nrNonStandalone: "nrNonStandalone"
        case .nr: "nr"
        case .other(let word): word
        }
      }
    }
  }

  /// Why a modem does not work.
  public struct Fault: Codable, Hashable, Sendable {
    /// One sentence.
    public var cause: String
    /// RFC 3339.
    public var since: String

    public init(cause: String, since: String) {
      self.cause = cause
      self.since = since
    }
  }

  /// How modemd and ModemManager share one modem.
  public struct Sharing: Codable, Hashable, Sendable {
    /// `own`: only modemd uses it. `share`: both use it through the proxies, and modemd has its own
    /// bearer. `follow`: ModemManager's bearer is used as it is.
    public var way: Way
    /// The reason for this way, in one sentence.
    public var reason: String
    /// MBIM session or QMI multiplexing id of modemd's own bearer; null if the bearer is the interface
    /// itself.
    public var session: Int?
    /// ModemManager's version while it runs.
    public var manager: String?
    /// What ModemManager does with the modem; null while it does not run. `without`: it does not have
    /// the modem. `idle`: it has the modem, without a connected bearer. `connected`: it has a connected
    /// bearer on the modem. `inhibited`: it was asked to release the modem, and has.
    public var managerState: ManagerState?
    /// The ways that come before this one, each with the obstacle; null if there are none.
    public var passedOver: String?

    public init(
      way: Way, reason: String, session: Int? = nil, manager: String? = nil, managerState: ManagerState? = nil,
      passedOver: String? = nil
    ) {
      self.way = way
      self.reason = reason
      self.session = session
      self.manager = manager
      self.managerState = managerState
      self.passedOver = passedOver
    }

    /// One of the values of `way`.
    public enum Way: OpenWord {
      case own, share, follow
      case other(String)

      public static let known: [Self] = [.own, .share, .follow]
      public var rawValue: String {
        switch self {
        case .own: "own"
        case .share: "share"
        case .follow: "follow"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `managerState`.
    public enum ManagerState: OpenWord {
      case without, idle, connected, inhibited
      case other(String)

      public static let known: [Self] = [.without, .idle, .connected, .inhibited]
      public var rawValue: String {
        switch self {
        case .without: "without"
        case .idle: "idle"
        case .connected: "connected"
        case .inhibited: "inhibited"
        case .other(let word): word
        }
      }
    }
  }

  /// A modem and its SIM.
  public struct Modem: Codable, Hashable, Sendable {
    /// Stable across reboots and replugging: made from the IMEI, or else from the device path, with a
    /// key of this machine.
    public var id: String
    /// Path of the control port.
    public var device: String
    /// Control protocol; unknown as with `source` of a number.
    public var `protocol`: ProtocolKind
    /// Who made it.
    public var manufacturer: String?
    /// What they call it.
    public var model: String?
    /// Firmware revision.
    public var firmware: String?
    /// 15 digits. Null if the caller may not see subscriber identity, or if the modem hides it.
    public var imei: String?
    /// The network interface of its bearer.
    public var interface: String?
    /// The SIM in it.
    public var sim: SIM
    /// Where it is registered.
    public var registration: Registration
    /// Set while the modem or its port does not work; the rest is then the last known state.
    public var fault: Fault?
    /// How it is shared with ModemManager; null before the decision.
    public var sharing: Sharing?
    /// The port's program and libraries with their versions.
    public var software: String?

    public init(
      id: String, device: String, protocol: ProtocolKind, manufacturer: String? = nil, model: String? = nil,
      firmware: String? = nil, imei: String? = nil, interface: String? = nil, sim: SIM, registration: Registration,
      fault: Fault? = nil, sharing: Sharing? = nil, software: String? = nil
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
      self.fault = fault
      self.sharing = sharing
      self.software = software
    }

    /// One of the values of `protocol`.
    public enum ProtocolKind: OpenWord {
      case mbim, qmi, unknown
      case other(String)

      public static let known: [Self] = [.mbim, .qmi, .unknown]
      public var rawValue: String {
        switch self {
        case .mbim: "mbim"
        case .qmi: "qmi"
        case .unknown: "unknown"
        case .other(let word): word
        }
      }
    }
  }

  /// All modems, ordered by name.
  public enum List: VarlinkMethod {
    public static let name = "org.modemd.Modem.List"

    /// What `List` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `List` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Empty where there is none.
      public var modems: [Modem]

      public init(modems: [Modem]) {
        self.modems = modems
      }
    }
  }

  /// One modem, by id, device or interface. If `modem` is null, the only one; MoreThanOneModem if there
  /// are several.
  public enum Get: VarlinkMethod {
    public static let name = "org.modemd.Modem.Get"

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
      public var modem: Modem

      public init(modem: Modem) {
        self.modem = modem
      }
    }
  }

  /// With `more`: first `ready` without a modem, then one reply for each change. Without: only `ready`.
  public enum Watch: VarlinkMethod {
    public static let name = "org.modemd.Modem.Watch"

    /// What `Watch` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem"]
      /// Id, device or interface; null for all modems.
      public var modem: String?

      public init(modem: String? = nil) {
        self.modem = modem
      }
    }

    /// What `Watch` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What happened.
      public var change: Change
      /// The modem after the change.
      public var modem: Modem?

      public init(change: Change, modem: Modem? = nil) {
        self.change = change
        self.modem = modem
      }

      /// One of the values of `change`.
      public enum Change: OpenWord {
        case ready, added, changed, removed
        case other(String)

        public static let known: [Self] = [.ready, .added, .changed, .removed]
        public var rawValue: String {
          switch self {
          case .ready: "ready"
          case .added: "added"
          case .changed: "changed"
          case .removed: "removed"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// Enters PIN1 once. modemd never tries a refused PIN a second time. Only for root, unless the access
  /// table names groups for this very method; only root may use the last attempt in any case.
  public enum UnlockPIN: VarlinkMethod {
    public static let name = "org.modemd.Modem.UnlockPIN"

    /// What `UnlockPIN` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem", "pin", "lastAttempt"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// 4 to 8 digits.
      public var pin: String
      /// Whether this may be the last attempt, or an attempt for which the modem does not report how many
      /// are left. Only root may set it. Null means no.
      public var lastAttempt: Bool?

      public init(modem: String? = nil, pin: String, lastAttempt: Bool? = nil) {
        self.modem = modem
        self.pin = pin
        self.lastAttempt = lastAttempt
      }
    }

    /// What `UnlockPIN` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// With the SIM's new state.
      public var modem: Modem

      public init(modem: Modem) {
        self.modem = modem
      }
    }
  }

  /// The slots of a modem.
  public enum Slots: VarlinkMethod {
    public static let name = "org.modemd.Modem.Slots"

    /// What `Slots` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?

      public init(modem: String? = nil) {
        self.modem = modem
      }
    }

    /// What `Slots` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// In the order of their numbers.
      public var slots: [Slot]
      /// Whether SwitchSlot can change to another one.
      public var switchable: Bool

      public init(slots: [Slot], switchable: Bool) {
        self.slots = slots
        self.switchable = switchable
      }
    }
  }

  /// Makes a modem use the SIM in another slot. InUse while its bearer is up: disconnect it first. Only
  /// for root, unless the access table names groups for this very method.
  public enum SwitchSlot: VarlinkMethod {
    public static let name = "org.modemd.Modem.SwitchSlot"

    /// What `SwitchSlot` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem", "slot"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// From 1.
      public var slot: Int

      public init(modem: String? = nil, slot: Int) {
        self.modem = modem
        self.slot = slot
      }
    }

    /// What `SwitchSlot` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// With the SIM's new state: at first, most modems are still reading it.
      public var modem: Modem

      public init(modem: Modem) {
        self.modem = modem
      }
    }
  }

  /// There is no modem.
  public struct NoModem: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.NoModem"
    /// One sentence that explains where to look.
    public var hint: String

    public init(hint: String) {
      self.hint = hint
    }
  }

  /// No modem was named and there are several.
  public struct MoreThanOneModem: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.MoreThanOneModem"
    /// Their ids.
    public var modems: [String]

    public init(modems: [String]) {
      self.modems = modems
    }
  }

  /// No modem has this id, device or interface.
  public struct NoSuchModem: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.NoSuchModem"
    /// The name that was given.
    public var modem: String

    public init(modem: String) {
      self.modem = modem
    }
  }

  /// The port of this modem does not run at present.
  public struct PortUnavailable: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.PortUnavailable"
    /// Id of the modem, if it is known.
    public var modem: String?
    /// Why, in one sentence.
    public var cause: String

    public init(modem: String? = nil, cause: String) {
      self.modem = modem
      self.cause = cause
    }
  }

  /// The SIM refused the PIN.
  public struct WrongPIN: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.WrongPIN"
    /// Attempts left; null if the modem does not count them.
    public var retriesLeft: Int?

    public init(retriesLeft: Int? = nil) {
      self.retriesLeft = retriesLeft
    }
  }

  /// One more wrong PIN would block the SIM, and the call does not allow that. Nothing was entered.
  public struct LastAttempt: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.LastAttempt"
    /// Attempts left: 1; null if the modem does not count them, and this one may be the last.
    public var retriesLeft: Int?
    /// What to do, in one sentence.
    public var text: String

    public init(retriesLeft: Int? = nil, text: String) {
      self.retriesLeft = retriesLeft
      self.text = text
    }
  }

  /// The SIM does not wait for a PIN.
  public struct PINNotRequired: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.PINNotRequired"
    /// What it is instead.
    public var state: String

    public init(state: String) {
      self.state = state
    }
  }

  /// The bearer uses the SIM.
  public struct InUse: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.InUse"
    /// What to do first, in one sentence.
    public var text: String

    public init(text: String) {
      self.text = text
    }
  }

  /// The modem has no slot of this number.
  public struct NoSuchSlot: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.NoSuchSlot"
    /// How many there are, in one sentence.
    public var text: String

    public init(text: String) {
      self.text = text
    }
  }

  /// The modem does not report its slots, or cannot change to another one.
  public struct SlotsNotSupported: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.SlotsNotSupported"
    /// Which of the two, in one sentence.
    public var text: String

    public init(text: String) {
      self.text = text
    }
  }

  /// The modem failed.
  public struct ModemFailed: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Modem.ModemFailed"
    /// The kind of failure.
    public var operation: String
    /// The request to the modem, and its answer.
    public var cause: String

    public init(operation: String, cause: String) {
      self.operation = operation
      self.cause = cause
    }
  }
}
