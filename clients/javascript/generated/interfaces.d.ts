// Written by varlink-generate from the .varlink files: change those, then `make generate`.

import type {
  AskingForCode,
  AskingForPIN,
  ByteStream,
  CallOptions,
  Flow,
  JSONValue,
  Stream,
  UnknownWord,
} from '../index.js';
import { ModemdError } from '../index.js';

/**
 * The modems of this machine, their SIMs, and where they are registered. Answers come from modemd's
 * last known state, which indications from the modem keep up to date. Later versions may add fields,
 * and new words to the enums of replies and errors. Replies and errors always have all their fields;
 * a field without a value is null.
 */
export namespace Modem {
  /** A phone number that the SIM or the modem reports for this subscription. */
  interface PhoneNumber {
    /** E.164 with its leading + if `normalised`, else unchanged. */
    number: string;
    /** Whether `number` is E.164. */
    normalised: boolean;
    /**
     * Where it was read; unknown if the port's version is later than modemd's and uses a word of its
     * own.
     */
    source: 'subscriberReady' | 'dms' | 'efMsisdn' | 'configured' | 'unknown' | (string & {});
  }

  /** A network by its codes. Digits are text: the MNC keeps its two or three digits. */
  interface Network {
    /** Mobile country code. */
    mcc: string;
    /** Mobile network code. */
    mnc: string;
    /** The network's name, if the modem knows it. */
    name: string | null;
  }

  /** The SIM and its subscription data. */
  interface SIM {
    /** What prevents the use of the SIM. */
    state:
      | 'unknown' | 'absent' | 'initialising' | 'pinRequired' | 'pukRequired' | 'notActivated'
      | 'failed' | 'ready' | (string & {});
    /** PIN or PUK attempts left, if the modem reports them. */
    retriesLeft: number | null;
    /** Physical slot, from 1. */
    slot: number | null;
    /**
     * Serial number. Null if the caller may not see subscriber identity, or if the modem has none.
     */
    iccid: string | null;
    /** Subscriber identity. Null if the caller may not see it, or if the modem has none. */
    imsi: string | null;
    /** Empty if the SIM carries no number, as many do, or if the caller may not see it. */
    numbers: Array<PhoneNumber>;
    /** The network that issued the SIM. */
    home: Network | null;
  }

  /** A place for a SIM in the modem, including soldered eSIMs. */
  interface Slot {
    /** From 1. */
    slot: number;
    /** Whether the modem uses this one. */
    active: boolean;
    /** Its content, as far as the modem reports it. */
    card: 'unknown' | 'absent' | 'present' | 'failed' | (string & {});
    /**
     * Serial number of its card. Null if the caller may not see subscriber identity; many modems only
     * report that of the active slot.
     */
    iccid: string | null;
    /** Whether it is an eSIM; null if the modem does not report it. */
    esim: boolean | null;
  }

  /** A reason in 3GPP's words. */
  interface Cause {
    /** 3GPP's number for it, if there is one. */
    code: number | null;
    /** The reason in words. */
    text: string;
  }

  /** Where the modem is registered, and its signal strength. */
  interface Registration {
    /** As MBIM names the states; QMI's are mapped to them. */
    state:
      | 'unknown' | 'deregistered' | 'searching' | 'home' | 'roaming' | 'partner' | 'denied'
      | (string & {});
    /** The network it is registered with. */
    serving: Network | null;
    /** Radio access technology of the serving cell. */
    technology: 'gsm' | 'umts' | 'lte' | 'nrNonStandalone' | 'nr' | (string & {}) | null;
    /** Received signal strength in dBm. */
    rssi: number | null;
    /**
     * Power of the serving cell's reference signals in dBm, -156 to -31 (3GPP TS 36.133, 9.1.4; TS
     * 38.133, 10.1.6). Null with GSM and UMTS, and if the modem does not report it. With
     * nrNonStandalone, this field and the next two are those of the LTE cell.
     */
    rsrp: number | null;
    /** Quality of these signals in dB, -43 to 20. MBIM does not have it. */
    rsrq: number | null;
    /** Ratio of the signal to interference and noise in dB, -23 to 40. */
    sinr: number | null;
    /** Why the network denied registration (3GPP TS 24.008, 24.301, 24.501). */
    cause: Cause | null;
  }

  /** Why a modem does not work. */
  interface Fault {
    /** One sentence. */
    cause: string;
    /** RFC 3339. */
    since: string;
  }

  /** How modemd and ModemManager share one modem. */
  interface Sharing {
    /**
     * `own`: only modemd uses it. `share`: both use it through the proxies, and modemd has its own
     * bearer. `follow`: ModemManager's bearer is used as it is.
     */
    way: 'own' | 'share' | 'follow' | (string & {});
    /** The reason for this way, in one sentence. */
    reason: string;
    /**
     * MBIM session or QMI multiplexing id of modemd's own bearer; null if the bearer is the interface
     * itself.
     */
    session: number | null;
    /** ModemManager's version while it runs. */
    manager: string | null;
    /**
     * What ModemManager does with the modem; null while it does not run. `without`: it does not have
     * the modem. `idle`: it has the modem, without a connected bearer. `connected`: it has a connected
     * bearer on the modem. `inhibited`: it was asked to release the modem, and has.
     */
    managerState: 'without' | 'idle' | 'connected' | 'inhibited' | (string & {}) | null;
    /** The ways that come before this one, each with the obstacle; null if there are none. */
    passedOver: string | null;
  }

  /** A modem and its SIM. */
  interface Modem {
    /**
     * Stable across reboots and replugging: made from the IMEI, or else from the device path, with a
     * key of this machine.
     */
    id: string;
    /** Path of the control port. */
    device: string;
    /** Control protocol; unknown as with `source` of a number. */
    protocol: 'mbim' | 'qmi' | 'unknown' | (string & {});
    /** Who made it. */
    manufacturer: string | null;
    /** What they call it. */
    model: string | null;
    /** Firmware revision. */
    firmware: string | null;
    /** 15 digits. Null if the caller may not see subscriber identity, or if the modem hides it. */
    imei: string | null;
    /** The network interface of its bearer. */
    interface: string | null;
    /** The SIM in it. */
    sim: SIM;
    /** Where it is registered. */
    registration: Registration;
    /** Set while the modem or its port does not work; the rest is then the last known state. */
    fault: Fault | null;
    /** How it is shared with ModemManager; null before the decision. */
    sharing: Sharing | null;
    /** The port's program and libraries with their versions. */
    software: string | null;
  }

  /** What `List` takes. */
  interface ListParameters {
  }

  /** What `List` answers. */
  interface ListReply {
    /** Empty where there is none. */
    modems: Array<Modem>;
  }

  /** What `Get` takes. */
  interface GetParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
  }

  /** What `Get` answers. */
  interface GetReply {
    /** As it was known last. */
    modem: Modem;
  }

  /** What `Watch` takes. */
  interface WatchParameters {
    /** Id, device or interface; null for all modems. */
    modem?: string | null;
  }

  /** What `Watch` answers. */
  interface WatchReply {
    /** What happened. */
    change: 'ready' | 'added' | 'changed' | 'removed' | (string & {});
    /** The modem after the change. */
    modem: Modem | null;
  }

  /** What `UnlockPIN` takes. */
  interface UnlockPINParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /** 4 to 8 digits. */
    pin: string;
    /**
     * Whether this may be the last attempt, or an attempt for which the modem does not report how many
     * are left. Only root may set it. Null means no.
     */
    lastAttempt?: boolean | null;
  }

  /** What `UnlockPIN` answers. */
  interface UnlockPINReply {
    /** With the SIM's new state. */
    modem: Modem;
  }

  /** What `Slots` takes. */
  interface SlotsParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
  }

  /** What `Slots` answers. */
  interface SlotsReply {
    /** In the order of their numbers. */
    slots: Array<Slot>;
    /** Whether SwitchSlot can change to another one. */
    switchable: boolean;
  }

  /** What `SwitchSlot` takes. */
  interface SwitchSlotParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /** From 1. */
    slot: number;
  }

  /** What `SwitchSlot` answers. */
  interface SwitchSlotReply {
    /** With the SIM's new state: at first, most modems are still reading it. */
    modem: Modem;
  }

  /** There is no modem. */
  class NoModem extends ModemdError {
    readonly code: 'org.modemd.Modem.NoModem';
    readonly parameters: {
      /** One sentence that explains where to look. */
      hint: string;
    };
  }

  /** No modem was named and there are several. */
  class MoreThanOneModem extends ModemdError {
    readonly code: 'org.modemd.Modem.MoreThanOneModem';
    readonly parameters: {
      /** Their ids. */
      modems: Array<string>;
    };
  }

  /** No modem has this id, device or interface. */
  class NoSuchModem extends ModemdError {
    readonly code: 'org.modemd.Modem.NoSuchModem';
    readonly parameters: {
      /** The name that was given. */
      modem: string;
    };
  }

  /** The port of this modem does not run at present. */
  class PortUnavailable extends ModemdError {
    readonly code: 'org.modemd.Modem.PortUnavailable';
    readonly parameters: {
      /** Id of the modem, if it is known. */
      modem: string | null;
      /** Why, in one sentence. */
      cause: string;
    };
  }

  /** The SIM refused the PIN. */
  class WrongPIN extends ModemdError {
    readonly code: 'org.modemd.Modem.WrongPIN';
    readonly parameters: {
      /** Attempts left; null if the modem does not count them. */
      retriesLeft: number | null;
    };
  }

  /**
   * One more wrong PIN would block the SIM, and the call does not allow that. Nothing was entered.
   */
  class LastAttempt extends ModemdError {
    readonly code: 'org.modemd.Modem.LastAttempt';
    readonly parameters: {
      /** Attempts left: 1; null if the modem does not count them, and this one may be the last. */
      retriesLeft: number | null;
      /** What to do, in one sentence. */
      text: string;
    };
  }

  /** The SIM does not wait for a PIN. */
  class PINNotRequired extends ModemdError {
    readonly code: 'org.modemd.Modem.PINNotRequired';
    readonly parameters: {
      /** What it is instead. */
      state: string;
    };
  }

  /** The bearer uses the SIM. */
  class InUse extends ModemdError {
    readonly code: 'org.modemd.Modem.InUse';
    readonly parameters: {
      /** What to do first, in one sentence. */
      text: string;
    };
  }

  /** The modem has no slot of this number. */
  class NoSuchSlot extends ModemdError {
    readonly code: 'org.modemd.Modem.NoSuchSlot';
    readonly parameters: {
      /** How many there are, in one sentence. */
      text: string;
    };
  }

  /** The modem does not report its slots, or cannot change to another one. */
  class SlotsNotSupported extends ModemdError {
    readonly code: 'org.modemd.Modem.SlotsNotSupported';
    readonly parameters: {
      /** Which of the two, in one sentence. */
      text: string;
    };
  }

  /** The modem failed. */
  class ModemFailed extends ModemdError {
    readonly code: 'org.modemd.Modem.ModemFailed';
    readonly parameters: {
      /** The kind of failure. */
      operation: string;
      /** The request to the modem, and its answer. */
      cause: string;
    };
  }

  /** The methods of org.modemd.Modem. */
  interface Methods {
    /** All modems, ordered by name. */
    list(
      parameters?: ListParameters,
      options?: CallOptions,
    ): Promise<ListReply>;
    /**
     * One modem, by id, device or interface. If `modem` is null, the only one; MoreThanOneModem if there
     * are several.
     */
    get(
      parameters?: GetParameters,
      options?: CallOptions,
    ): Promise<GetReply>;
    /**
     * With `more`: first `ready` without a modem, then one reply for each change. Without: only `ready`.
     */
    watch(
      parameters?: WatchParameters,
      options?: CallOptions,
    ): Stream<WatchReply>;
    /**
     * Enters PIN1 once. modemd never tries a refused PIN a second time. Only for root, unless the access
     * table names groups for this very method; only root may use the last attempt in any case.
     */
    unlockPIN(
      parameters: UnlockPINParameters,
      options?: CallOptions,
    ): Promise<UnlockPINReply>;
    /** The slots of a modem. */
    slots(
      parameters?: SlotsParameters,
      options?: CallOptions,
    ): Promise<SlotsReply>;
    /**
     * Makes a modem use the SIM in another slot. InUse while its bearer is up: disconnect it first. Only
     * for root, unless the access table names groups for this very method.
     */
    switchSlot(
      parameters: SwitchSlotParameters,
      options?: CallOptions,
    ): Promise<SwitchSlotReply>;
  }
}

/**
 * The data bearer: bringing it up, taking it down, and its state. It never becomes the machine's
 * default route. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable,
 * ModemFailed) are those of org.modemd.Modem. Later versions may add fields, and new words to the
 * enums of replies and errors. Replies and errors always have all their fields; a field without a
 * value is null.
 */
export namespace Bearer {
  /** The address of one family. */
  interface Address {
    /** Without the prefix length. */
    address: string;
    /** Bits. */
    prefixLength: number;
    /** Null on a point-to-point link. */
    gateway: string | null;
  }

  /** The bearer's settings from the network, and where it is installed. */
  interface Settings {
    /** Name of the network interface. */
    interface: string;
    /** IPv4, if the bearer has it. */
    ipv4: Address | null;
    /** IPv6, if the bearer has it. */
    ipv6: Address | null;
    /** DNS servers, in the network's order. */
    dns: Array<string>;
    /** Bytes. */
    mtu: number | null;
    /** The routing table that holds the bearer's default route. */
    table: number;
  }

  /** A reason in 3GPP's words. */
  type Cause = Modem.Cause;

  /** A bearer. */
  interface Bearer {
    /** Id of its modem. */
    modem: string;
    /** Its present state. */
    state:
      | 'down' | 'attaching' | 'connecting' | 'configuring' | 'up' | 'disconnecting' | 'failed'
      | (string & {});
    /** The access point name that was last requested; null for the subscription's default. */
    apn: string | null;
    /** Set while `state` is up. */
    settings: Settings | null;
    /** RFC 3339: when this state began. */
    since: string;
    /** Why it failed or went down, unless that was requested. */
    cause: Cause | null;
    /**
     * Where `apn` comes from: the caller, the configuration, the modem, the list of providers, or
     * (null name) the network.
     */
    apnSource: 'asked' | 'configured' | 'modem' | 'network' | 'database' | (string & {}) | null;
    /**
     * RFC 3339: when the bearer is brought up again automatically. Null while it is up, and if it will
     * not be brought up.
     */
    nextAttempt: string | null;
    /** Failed attempts, or bearers lost early, since the last stable bearer. */
    failures: number | null;
    /** While it is up: whether a DNS server of the bearer answered. Null if it is not probed. */
    traffic: 'untested' | 'answered' | 'silent' | (string & {}) | null;
    /** While `traffic` is silent: the most likely reason, in one sentence. */
    trafficText: string | null;
    /**
     * While it is up: what prevents other users' programs from sending over it, and the network behind
     * it from reaching this machine.
     */
    guard: 'vrf' | 'nftables' | 'none' | (string & {}) | null;
    /** What the guard does not cover, or why there is none, in one sentence. */
    guardText: string | null;
    /**
     * True while the modem must still confirm the end of its part; nothing of the bearer is left on
     * this machine. Null means no.
     */
    releasing: boolean | null;
    /**
     * What happens to a bearer that was kept when its port's process ended or the modem vanished:
     * `pending`, it will be brought up; `resumed`, it was brought up; `refused`, it stays down. Null
     * without such a bearer, and after Connect or Disconnect.
     */
    resumption: 'pending' | 'resumed' | 'refused' | (string & {}) | null;
    /**
     * If `resumption` is refused: why. If it is pending: what the bearer waits for, unless it is
     * coming up. In one sentence.
     */
    resumptionText: string | null;
  }

  /** What `Connect` takes. */
  interface ConnectParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /** Access point name. */
    apn?: string | null;
    /** Address families. */
    ipType?: 'ipv4' | 'ipv6' | 'ipv4v6' | null;
  }

  /** What `Connect` answers. */
  interface ConnectReply {
    /** Up, with its settings. */
    bearer: Bearer;
  }

  /** What `Disconnect` takes. */
  interface DisconnectParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
  }

  /** What `Disconnect` answers. */
  interface DisconnectReply {
    /** Down. */
    bearer: Bearer;
  }

  /** What `Get` takes. */
  interface GetParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
  }

  /** What `Get` answers. */
  interface GetReply {
    /** As it was known last. */
    bearer: Bearer;
  }

  /** What `Watch` takes. */
  interface WatchParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
  }

  /** What `Watch` answers. */
  interface WatchReply {
    /** What this reply is. */
    event: 'ready' | 'changed' | (string & {});
    /** The bearer now. */
    bearer: Bearer;
  }

  /** An address of a resolved name. */
  interface ResolvedAddress {
    /** IPv4, or IPv6 without a zone. */
    address: string;
    /**
     * Made from the IPv4 address of a name that has no IPv6 address, for a bearer without IPv4: the
     * network translates (NAT64, RFC 6052).
     */
    translated: boolean;
    /** Why no connection is made to this address, in one sentence; null if one may be made. */
    refused: string | null;
  }

  /** What `Resolve` takes. */
  interface ResolveParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /** A host name, or an address, which is returned as it is. */
    name: string;
    /** The family to ask for; null for both. */
    family?: 'ipv4' | 'ipv6' | null;
    /** For the whole call, 1 to 120,000; null for 10,000. */
    timeoutMilliseconds?: number | null;
  }

  /** What `Resolve` answers. */
  interface ResolveReply {
    /** Id of the modem. */
    modem: string;
    /** Name of the bearer's network interface. */
    interface: string;
    /** The name that was asked for, as it was sent (IDNA A-labels). */
    name: string;
    /** In the order in which connections would try them. */
    addresses: Array<ResolvedAddress>;
    /** The DNS servers that answered; null for an address, and for a name that was still known. */
    servers: Array<string> | null;
    /** The network's prefix of NAT64, as `64:ff9b::/96`; null if it has none, or was not asked. */
    translationPrefix: string | null;
    /** How long it took. */
    milliseconds: number;
  }

  /** What `OpenSocket` takes. */
  interface OpenSocketParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /**
     * Where to connect to: a host name, which is resolved over the bearer, or an address. Null for a
     * socket that is bound and not connected.
     */
    host?: string | null;
    /** 1 to 65535; with `host`, and only then. */
    port?: number | null;
    /** TCP or UDP; null for `stream`. */
    kind?: 'stream' | 'datagram' | null;
    /** The address family of a socket without `host`; null for the bearer's first. */
    family?: 'ipv4' | 'ipv6' | null;
    /** For the whole call, 1 to 120,000; null for 30,000. */
    timeoutMilliseconds?: number | null;
  }

  /** What `OpenSocket` answers. */
  interface OpenSocketReply {
    /** Index into the file descriptors of this reply. */
    socketFileDescriptor: number;
    /** Identifies the socket in org.modemd.Usage. */
    id: string;
    /** Id of the modem. */
    modem: string;
    /** Name of the bearer's network interface. */
    interface: string;
    /** The bearer's address that it sends from. */
    source: string;
    /** The address that it is connected to; null if it is not. */
    address: string | null;
  }

  /** What `OpenStream` takes. */
  interface OpenStreamParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /** A host name, which is resolved over the bearer, or an address. */
    host: string;
    /** 1 to 65535. */
    port: number;
    /** For the whole call, 1 to 120,000; null for 30,000. */
    timeoutMilliseconds?: number | null;
  }

  /** What `OpenStream` answers. */
  interface OpenStreamReply {
    /** Identifies the stream in org.modemd.Usage. */
    id: string;
    /** Id of the modem. */
    modem: string;
    /** Name of the bearer's network interface. */
    interface: string;
    /** The bearer's address that it sends from. */
    source: string;
    /** The address that it is connected to. */
    address: string;
  }

  /** The SIM or the network is not ready. */
  class NotReady extends ModemdError {
    readonly code: 'org.modemd.Bearer.NotReady';
    readonly parameters: {
      /** What is missing. */
      reason: 'simAbsent' | 'simLocked' | 'simNotReady' | 'notRegistered' | (string & {});
      /** One sentence that explains what to do. */
      text: string;
    };
  }

  /** The network refused the bearer. */
  class Refused extends ModemdError {
    readonly code: 'org.modemd.Bearer.Refused';
    readonly parameters: {
      /** 3GPP's session management cause, if there is one. */
      code: number | null;
      /** The reason in words. */
      text: string;
    };
  }

  /** The network gave no usable address. */
  class NoAddress extends ModemdError {
    readonly code: 'org.modemd.Bearer.NoAddress';
    readonly parameters: {
      /** What the network gave, in one sentence. */
      text: string;
    };
  }

  /** Flows use the bearer. */
  class InUse extends ModemdError {
    readonly code: 'org.modemd.Bearer.InUse';
    readonly parameters: {
      /** How many. */
      flows: number;
    };
  }

  /** The bearer's DNS servers have no address for the name, or did not answer. */
  class NotResolved extends ModemdError {
    readonly code: 'org.modemd.Bearer.NotResolved';
    readonly parameters: {
      /** The name. */
      name: string;
      /** What they answered, in one sentence. */
      text: string;
    };
  }

  /** No connection was made. */
  class NotConnected extends ModemdError {
    readonly code: 'org.modemd.Bearer.NotConnected';
    readonly parameters: {
      /**
       * What prevented it. `refusedAddress`: all addresses are of a kind that is not reached over a
       * bearer, such as this machine's own. `bearerLost`: the bearer ended meanwhile.
       */
      reason:
        | 'refused' | 'timedOut' | 'unreachable' | 'refusedAddress' | 'bearerLost' | 'failed'
        | (string & {});
      /** In one sentence. */
      text: string;
    };
  }

  /** The administrator does not allow this destination. */
  class DestinationNotAllowed extends ModemdError {
    readonly code: 'org.modemd.Bearer.DestinationNotAllowed';
    readonly parameters: {
      /** The host that was named. */
      host: string;
      /** The port that was named. */
      port: number;
      /** Which setting refuses it, in one sentence. */
      text: string;
    };
  }

  /** The caller's budget is spent, or he has as many connections as he may have. */
  class BudgetSpent extends ModemdError {
    readonly code: 'org.modemd.Bearer.BudgetSpent';
    readonly parameters: {
      /** Which budget: the key of the settings. */
      budget: string;
      /**
       * RFC 3339: when it starts anew; null if that needs the end of a connection or of roaming.
       */
      resets: string | null;
      /** In one sentence. */
      text: string;
    };
  }

  /** The methods of org.modemd.Bearer. */
  interface Methods {
    /**
     * Brings the bearer up, or returns it unchanged if it is already up. Null options use the
     * configuration, else what the modem, the network or the list of providers offers. Until Disconnect,
     * a lost bearer is brought up again. With the same SIM, that also applies after the port's process
     * has ended or the modem returns, unless the port's settings forbid it.
     */
    connect(
      parameters?: ConnectParameters,
      options?: CallOptions,
    ): Promise<ConnectReply>;
    /**
     * Takes the bearer down. When it returns, the machine's part is gone. It waits a short time for the
     * modem's part, which otherwise continues in the background (`releasing`). InUse while flows run on
     * it.
     */
    disconnect(
      parameters?: DisconnectParameters,
      options?: CallOptions,
    ): Promise<DisconnectReply>;
    /** The bearer as it is. */
    get(
      parameters?: GetParameters,
      options?: CallOptions,
    ): Promise<GetReply>;
    /**
     * With `more`: first `ready` with the present state, then one reply for each change. Without: only
     * `ready`.
     */
    watch(
      parameters?: WatchParameters,
      options?: CallOptions,
    ): Stream<WatchReply>;
    /**
     * Resolves a name over the bearer, by the bearer's DNS servers alone. Brings the bearer up if it is
     * down. Only for root, unless the access table names this method.
     */
    resolve(
      parameters: ResolveParameters,
      options?: CallOptions,
    ): Promise<ResolveReply>;
    /**
     * Makes a socket that is bound to the bearer's interface, and hands it to the caller. The reply
     * carries one file descriptor with its first byte (SCM_RIGHTS), by sd-varlink's convention. One
     * reply only: a call with `more` is refused. The socket ends when the bearer is lost, when its
     * addresses or the SIM change, when a budget is spent, and by org.modemd.Usage.EndSocket. A datagram
     * socket also ends with the process that asked for it; its bytes are not counted. Only for root,
     * unless the access table names this method; datagrams also need the entry
     * `org.modemd.Bearer.OpenSocket.datagram`.
     */
    openSocket(
      parameters?: OpenSocketParameters,
      options?: CallOptions,
    ): Promise<never>;
    /**
     * Opens a TCP connection over the bearer. The call must be sent with `upgrade`: after the reply,
     * this connection to modemd carries the bytes of that connection, in both directions. It ends as a
     * socket of OpenSocket does. Only for root, unless the access table names this method.
     */
    openStream(
      parameters: OpenStreamParameters,
      options?: CallOptions,
    ): Promise<ByteStream<OpenStreamReply>>;
  }
}

/**
 * Asks whether a number is that of the SIM, from any provider that is configured and serves the SIM.
 * Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of
 * org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. The types Step, Hop and Outcome
 * are the same in every interface of a provider. Later versions may add fields, and new words to the
 * enums of replies and errors. Replies and errors always have all their fields; a field without a
 * value is null.
 */
export namespace Verify {
  /** One action of the flow. */
  interface Step {
    /** From 1. */
    index: number;
    /** The action, as in createCheck. */
    name: string;
    /**
     * The path it took: the SIM's bearer, the machine's own network, the modem itself, or the caller.
     */
    lane: 'bearer' | 'host' | 'modem' | 'caller' | (string & {});
    /** The first host that was asked. */
    host: string | null;
    /** HTTP status of the answer; null if none came. */
    status: number | null;
    /** Milliseconds from the flow's start. */
    start: number;
    /** Milliseconds that it took. */
    milliseconds: number;
    /** What went wrong, in one sentence for people; null if nothing did. */
    failure: string | null;
  }

  /** One request over the bearer and its answer. */
  interface Hop {
    /** Index of its step. */
    step: number;
    /** From 1 in its step. */
    index: number;
    /** Scheme of the URL. */
    scheme: 'http' | 'https' | (string & {});
    /** Host of the URL. Path and query are never shown: they may hold secrets. */
    host: string;
    /** The server's address that was used. */
    address: string | null;
    /** HTTP status; null if no answer came. */
    status: number | null;
    /** The host that the answer redirects to. */
    next: string | null;
    /** Milliseconds from the step's start. */
    start: number;
    /** Milliseconds to the end of the answer; null if it did not end. */
    milliseconds: number | null;
  }

  /** How the flow ended. */
  interface Outcome {
    /** The result, or why there is none. New words may be added. */
    result:
      | 'verified' | 'notVerified' | 'simSwapped' | 'simUnchanged' | 'simUnknown' | 'covered'
      | 'authorized' | 'numberRead' | 'signedIn' | 'signed' | 'registered' | 'answered'
      | 'notMobileIP' | 'operatorUnsupported' | 'operatorMismatch' | 'operatorTimeout'
      | 'operatorError' | 'subscriberUnknown' | 'headerMissing' | 'interactionRequired'
      | 'messageAppRequired' | 'codeRequired' | 'codeWrong' | 'expired' | 'rateLimited'
      | 'userRefused' | 'tokenRefused' | 'pinWrong' | 'identityRevoked' | 'badRequest'
      | 'clientRefused' | 'notConfigured' | 'noSIMAnswer' | 'noDataPath' | 'redirectError'
      | 'tlsError' | 'dnsError' | 'timeout' | 'stateMismatch' | 'providerUnavailable' | 'badAnswer'
      | 'captivePortal' | 'cancelled' | (string & {});
    /**
     * Whether the number is the SIM's; null if the flow does not determine it. Never read null as
     * differs.
     */
    number: 'matches' | 'differs' | (string & {}) | null;
    /**
     * How the number was proved: by the bearer that a request came over, or by the SIM's answer to a
     * challenge of its operator; null if it was not, or in another way.
     */
    proof: 'bearer' | 'sim' | (string & {}) | null;
    /** Whether the number recently moved to another SIM; null if that was not asked. */
    sim: 'changed' | 'unchanged' | 'unknown' | (string & {}) | null;
    /** The provider's own code, as in ip_msisdn_mismatch. */
    code: string | null;
    /** HTTP status of the decisive answer. */
    status: number | null;
    /**
     * With noDataPath and other failures of a chain: the cause, in the words of org.modemd.Check.
     */
    cause: string | null;
    /** With rateLimited: when the provider accepts requests again; null if it gave no time. */
    retryAfterMilliseconds: number | null;
    /** One sentence for people: what happened, and what to do if anything can be done. */
    text: string;
    /** Name of the provider in the configuration. */
    provider: string | null;
    /** Kind of the provider, as in truID. */
    kind: string | null;
    /** Id of the modem. */
    modem: string | null;
    /** The bearer's address from which the last chain was sent. */
    source: string | null;
    /** From the call to the end. */
    milliseconds: number;
    /** Id of the trace: 32 hexadecimal digits. Entries of the journal and the history have it. */
    trace: string | null;
    /**
     * This outcome if it is what the call hoped for; throws `OutcomeError` otherwise.
     * A word that this version does not know counts as otherwise.
     */
    unwrap(): Outcome;
  }

  /** A configured provider. */
  interface Provider {
    /** Its name: its file's name without .json. */
    name: string;
    /** Its kind, as in truID. */
    kind: string;
    /** MCCs, or MCCs with MNC, of the SIMs that it is for; null for all. */
    networks: Array<string> | null;
    /**
     * What it can do, in words such as verifyNumber, simChange, readNumber, coverage, signIn, sign,
     * numberRecycling.
     */
    abilities: Array<string> | null;
  }

  /** A provider's file that cannot be used. Its provider is disabled. */
  interface ProviderFault {
    /** The file's name without .json. */
    name: string;
    /** The file's path. */
    file: string;
    /** The line that is wrong, from 1; null if it is about no line. */
    line: number | null;
    /** One sentence for people: what is wrong, and what to do. It holds no secret. */
    text: string;
  }

  /** A key of a provider's file, or one of its credentials. */
  interface ProviderKey {
    /**
     * The key's path, as in backend.url; for a credential, its name after the provider's name and a
     * dot, as in client-secret.
     */
    key: string;
    /** What it is. */
    meaning: string;
    /** What holds without it; null if nothing does, or the meaning says it. */
    standard: string | null;
    /** Whether every file of this kind needs it, people are asked for it, or few files have it. */
    need: 'required' | 'asked' | 'optional' | (string & {});
    /** What kind of value it has. */
    form: 'text' | 'number' | 'boolean' | 'list' | 'object' | (string & {});
    /** Whether it is a credential, which never stands in the file. */
    secret: boolean;
    /** The key that needs this credential; null if it stands by itself. */
    companion: string | null;
  }

  /** A kind of provider. */
  interface ProviderKind {
    /** As in truID. */
    kind: string;
    keys: Array<ProviderKey>;
  }

  /** A credential with its value. */
  interface Credential {
    /** As in client-secret. */
    key: string;
    value: string;
  }

  /** What `Number` takes. */
  interface NumberParameters {
    /** In international form, as in +447700900123. */
    number: string;
    /**
     * Name of the provider; null for all configured ones that serve the SIM's network, in order, until
     * one gives an answer.
     */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * Which providers are asked: those that recognise the SIM by its bearer, those that the SIM
     * answers over any network, or both; null for the configured value, which is `any` by default.
     */
    route?: 'any' | 'bearer' | 'network' | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Number` answers. */
  interface NumberReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /**
     * With a verdict of an app's server that the provider's file names: its answer, such as its
     * session, if that is a JSON object.
     */
    serverAnswer: JSONValue | null;
  }

  /** What `Number` answers, by `event`. */
  type NumberReply =
    | (NumberReplyFields & { event: 'ready' | UnknownWord })
    | (NumberReplyFields & { event: 'step'; step: Step })
    | (NumberReplyFields & { event: 'hop'; hop: Hop })
    | (NumberReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Providers` takes. */
  interface ProvidersParameters {
  }

  /** What `Providers` answers. */
  interface ProvidersReply {
    providers: Array<Provider>;
    faults: Array<ProviderFault> | null;
    /**
     * How often the service has read its files anew since it started, whether that changed anything or
     * not.
     */
    reloads: number | null;
    /** Why the last time changed nothing; null if the files could be used. */
    reloadFailure: string | null;
  }

  /** What `ProviderKinds` takes. */
  interface ProviderKindsParameters {
  }

  /** What `ProviderKinds` answers. */
  interface ProviderKindsReply {
    kinds: Array<ProviderKind>;
  }

  /** What `TestProviderFile` takes. */
  interface TestProviderFileParameters {
    /** The provider's name: the file's name without .json. */
    name: string;
    text: string;
    /** Credentials that the service does not have yet. */
    credentials: Array<Credential>;
  }

  /** What `TestProviderFile` answers. */
  interface TestProviderFileReply {
    /** Null if the file can be used. */
    fault: ProviderFault | null;
  }

  /** What `CheckProvider` takes. */
  interface CheckProviderParameters {
    /** Name of the provider. */
    provider: string;
    /**
     * Id, device or interface of the modem; null for the only one, or for none if there are several.
     */
    modem?: string | null;
  }

  /** What `CheckProvider` answers. */
  interface CheckProviderReply {
    /** Its kind, as in truID. */
    kind: string;
    /**
     * Whether the service accepts the credentials. `unknown` if it gave no answer that shows it,
     * `notNeeded` without credentials, `notFree` if every request with them costs something.
     */
    credentials: 'accepted' | 'refused' | 'unknown' | 'notNeeded' | 'notFree' | (string & {});
    /** One sentence for people. */
    credentialsText: string;
    /**
     * Whether the SIM's operator is served. `notAsked` without a modem, or if the kind has no free
     * request for it.
     */
    coverage: 'served' | 'notServed' | 'unknown' | 'notAsked' | (string & {});
    /** One sentence for people. */
    coverageText: string;
    /** The modem whose SIM it is about; null without one. */
    modem: string | null;
  }

  /** An argument is not valid. */
  class InvalidArgument extends ModemdError {
    readonly code: 'org.modemd.Verify.InvalidArgument';
    readonly parameters: {
      argument: string;
      /** What was expected. */
      expected: string;
    };
  }

  /** No configured provider can do this. */
  class NoProvider extends ModemdError {
    readonly code: 'org.modemd.Verify.NoProvider';
    readonly parameters: {
      /** One sentence that explains what is configured, and what to do. */
      text: string;
    };
  }

  /** Several providers can do this: name one. */
  class MoreThanOneProvider extends ModemdError {
    readonly code: 'org.modemd.Verify.MoreThanOneProvider';
    readonly parameters: {
      providers: Array<string>;
    };
  }

  /** The methods of org.modemd.Verify. */
  interface Methods {
    /**
     * Asks whether a number is that of the SIM. A stream: `ready`, then a `step` for each action with a
     * `hop` for each request over the bearer, then the `outcome`. Without `more`, only the outcome.
     */
    number(
      parameters: NumberParameters,
      options?: CallOptions,
    ): Flow<NumberReply>;
    /** Lists the configured providers, and the files that cannot be used. */
    providers(
      parameters?: ProvidersParameters,
      options?: CallOptions,
    ): Promise<ProvidersReply>;
    /** Lists the kinds of providers, with the keys of their files. */
    providerKinds(
      parameters?: ProviderKindsParameters,
      options?: CallOptions,
    ): Promise<ProviderKindsReply>;
    /** Reads the text of a provider's file as the service would, without using it. */
    testProviderFile(
      parameters: TestProviderFileParameters,
      options?: CallOptions,
    ): Promise<TestProviderFileReply>;
    /**
     * Checks a configured provider with requests that cost nothing: whether its service accepts the
     * credentials, and whether it serves the SIM's operator. The second may bring the bearer up.
     */
    checkProvider(
      parameters: CheckProviderParameters,
      options?: CallOptions,
    ): Promise<CheckProviderReply>;
  }
}

/**
 * Opens an operator-bound URL over the bearer and follows its redirects, hop by hop. Later versions
 * may add fields, and new words to the enums of replies and errors. Replies and errors always have
 * all their fields; a field without a value is null.
 */
export namespace Check {
  /** Milliseconds from the start of the hop; null for steps that did not happen. */
  interface Times {
    /** The name was resolved. */
    dns: number | null;
    /** TCP was connected. */
    connect: number | null;
    /** TLS was ready. */
    tls: number | null;
    /** The first byte of the answer arrived. */
    firstByte: number | null;
    /** The answer was complete. */
    end: number | null;
  }

  /** A field of a request or an answer. */
  interface Field {
    /** Its name as it came. */
    name: string;
    /** Its value; null if it may be secret and `reveal` was not set. */
    value: string | null;
  }

  /** One request and its answer. */
  interface Hop {
    /** From 1. */
    index: number;
    /** Scheme of the URL. */
    scheme: 'http' | 'https' | (string & {});
    /** Host of the URL. Path and query are never shown: they may hold secrets. */
    host: string;
    /** Port, 1 to 65535. */
    port: number;
    /** The server's address that was used. */
    address: string | null;
    /** Whether a connection of an earlier hop was reused. */
    reused: boolean;
    /** HTTP status; null if no answer came. */
    status: number | null;
    /** How long each part took. */
    times: Times;
    /** Names of the cookies that were sent. */
    cookies: Array<string>;
    /** The host that the answer redirects to. */
    next: string | null;
    /** Milliseconds from the call to the start of the hop. */
    start: number | null;
    /** The request's method. */
    method: 'get' | 'post' | (string & {}) | null;
    /** The URL; in full with `reveal`, else scheme and host, with an ellipsis for the rest. */
    url: string | null;
    /** Family of `address`. */
    family: 'ipv4' | 'ipv6' | (string & {}) | null;
    /**
     * The usable addresses of the host, in order of preference. Addresses that no hop may reach, and
     * those of a family that the bearer does not have, are left out. Empty if a connection was reused.
     */
    addresses: Array<string> | null;
    /** Version of TLS, as in 1.3; null for cleartext. */
    tlsVersion: string | null;
    /** Bytes of the answer's decompressed body; for a redirect, the announced length. */
    bodyBytes: number | null;
    /** Names of the cookies that the answer sets. */
    setCookies: Array<string> | null;
    /** Fields of the request. */
    requestFields: Array<Field> | null;
    /** Fields of the answer. */
    answerFields: Array<Field> | null;
    /**
     * Fields of the answer with which an operator finds the request in its logs, such as X-Request-ID,
     * with their values.
     */
    traceFields: Array<Field> | null;
    /**
     * Whether the connection was opened ahead, to a host of earlier chains, before this chain reached
     * it.
     */
    openedAhead: boolean | null;
  }

  /** An answer of a server. */
  interface Answer {
    /** HTTP status. */
    status: number;
    /** Media type as it came. */
    contentType: string | null;
    /** The body if it is JSON. At most one of `json`, `text` and `base64` is set. */
    json: JSONValue | null;
    /** The body if it is other text in UTF-8. */
    text: string | null;
    /** Any other body. */
    base64: string | null;
  }

  /** The registered redirect URI that was reached and not fetched. */
  interface Redirect {
    /** As it came. */
    uri: string;
    /** From its query and fragment. */
    parameters: { [key: string]: string };
  }

  /** Why a chain ended without an answer. */
  interface Failure {
    /** What a program can act on. */
    cause:
      | 'noModem' | 'portUnavailable' | 'simAbsent' | 'simLocked' | 'simNotReady' | 'notRegistered'
      | 'bearerRefused' | 'noAddress' | 'modemFailed' | 'bearerLost' | 'dnsFailed' | 'connectFailed'
      | 'tlsFailed' | 'tooManyRedirects' | 'redirectLoop' | 'badRedirect' | 'refusedByPolicy'
      | 'timeout' | 'tooLarge' | 'badAnswer' | 'stateMismatch' | 'interactionRequired'
      | 'possibleCaptivePortal' | 'rateLimited' | 'cancelled' | (string & {});
    /** The hop in which it happened, from 1; null before the first. */
    hop: number | null;
    /** One sentence for people: what happened and what to do. */
    text: string;
    /**
     * With the cause rateLimited: when the server accepts requests again; null if it gave no time.
     */
    retryAfterMilliseconds: number | null;
  }

  /** How the chain ended. */
  interface Outcome {
    /** An HTTP answer of any status, the redirect URI, or neither. */
    result: 'answer' | 'redirectReached' | 'failed' | (string & {});
    /** Set if `result` is answer, and if it is failed with the cause rateLimited. */
    answer: Answer | null;
    /** Set when `result` is redirectReached. */
    redirect: Redirect | null;
    /** Set when `result` is failed. */
    failure: Failure | null;
    /** Id of the modem. */
    modem: string | null;
    /** The bearer's address from which the chain's requests were sent. */
    source: string | null;
    /** From the call to the end. */
    milliseconds: number;
    /** How much of that time the chain waited for its turn. */
    waitedMilliseconds: number | null;
    /** Id of the trace: 32 hexadecimal digits. Entries of the journal and the history have it. */
    trace: string | null;
    /**
     * This outcome if it is what the call hoped for; throws `OutcomeError` otherwise.
     * A word that this version does not know counts as otherwise.
     */
    unwrap(): Outcome;
  }

  /** A finished check. It holds nothing secret. */
  interface PastCheck {
    /**
     * Counts the checks since modemd started, from 1: everybody's for root, one's own for other users.
     */
    number: number;
    /** When it was requested, RFC 3339 in UTC. */
    began: string;
    /** User id of who asked. */
    user: number;
    /** Host of the URL. */
    host: string;
    /** Id of the modem. */
    modem: string | null;
    /** The bearer's address from which the chain's requests were sent. */
    source: string | null;
    /** How many hops ended. */
    hops: number;
    /** How it ended. */
    result: 'answer' | 'redirectReached' | 'failed' | (string & {});
    /** HTTP status if `result` is answer. */
    status: number | null;
    /** Set when `result` is failed. */
    failure: Failure | null;
    /** From the call to the end. */
    milliseconds: number;
    /** How much of that time the chain waited for its turn. */
    waitedMilliseconds: number;
    /** Id of the trace that it belonged to. */
    trace: string | null;
  }

  /** What `Open` takes. */
  interface OpenParameters {
    /** Where to begin. */
    url: string;
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /**
     * Where to stop without fetching, compared by scheme, authority and path. An https or http URI
     * needs a host.
     */
    redirectURI?: string | null;
    /** Compared with the `state` in the redirect URI. */
    state?: string | null;
    /**
     * Sent with the first hop only, and never in cleartext. Cookie and the fields of the connection
     * are refused: Host, Connection, Content-Length, Transfer-Encoding, Expect, Upgrade, TE, Trailer,
     * Keep-Alive and those of proxies.
     */
    headers?: { [key: string]: string } | null;
    /** Milliseconds for the whole chain, 1 to 300000; null for 60000. */
    timeoutMilliseconds?: number | null;
    /** 0 to 50; null for 10. */
    maxRedirects?: number | null;
    /**
     * Method of the first request; null for get, or for post if there is a body. Every redirect is
     * followed with get.
     */
    method?: 'get' | 'post' | null;
    /**
     * Body of a post: one of `json`, `text` and `base64`, or none. At most 65536 bytes, and never sent
     * in cleartext.
     */
    json?: JSONValue | null;
    /** A body in UTF-8. */
    text?: string | null;
    /** Any other body. */
    base64?: string | null;
    /**
     * Media type of the body; null for application/json or text/plain; charset=utf-8. Required with
     * `base64`.
     */
    contentType?: string | null;
    /**
     * The latest version of TLS to offer; null for tls13. Some operators' servers fail on the newest.
     */
    tlsAtMost?: 'tls12' | 'tls13' | null;
    /**
     * Whether to open connections ahead to hosts of earlier chains, and to learn from this chain; null
     * for the configured value. True does not override a configuration that turns it off.
     */
    learn?: boolean | null;
    /**
     * Whether hops show complete URLs and field values. For root, and for groups that the
     * configuration names; other callers get org.varlink.service.PermissionDenied.
     */
    reveal?: boolean | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Open` answers. */
  interface OpenReplyFields {
    /** Set when `event` is hop. */
    hop: Hop | null;
    /** Set when `event` is outcome. */
    outcome: Outcome | null;
  }

  /** What `Open` answers, by `event`. */
  type OpenReply =
    | (OpenReplyFields & { event: 'ready' | UnknownWord })
    | (OpenReplyFields & { event: 'hop'; hop: Hop })
    | (OpenReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Prepare` takes. */
  interface PrepareParameters {
    /** The URL to be opened; must be https. Null only brings up the bearer. */
    url?: string | null;
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /**
     * Whether to also prepare the hosts of earlier chains from there; null for the configured value.
     */
    learn?: boolean | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Prepare` answers. */
  interface PrepareReply {
    /** Id of the modem. */
    modem: string;
    /** The bearer's address. */
    source: string | null;
    /** Hosts whose addresses are now known. */
    resolved: Array<string>;
    /** Hosts without an answer. */
    unresolved: Array<string>;
    /** From the call to the end. */
    milliseconds: number;
    /** Id of the trace: 32 hexadecimal digits. Entries of the journal have it. */
    trace: string | null;
    /**
     * Connections that are ready, TLS included. Null if none are made ahead: because bytes are metered
     * (bearer.metered), or because too many of the caller's were not used.
     */
    connected: number | null;
  }

  /** What `History` takes. */
  interface HistoryParameters {
    /** The largest number of checks, 1 to 10000; null for all. */
    limit?: number | null;
    /** Only checks of this trace, by its id: 32 hexadecimal digits; null for all. */
    trace?: string | null;
  }

  /** What `History` answers. */
  interface HistoryReply {
    /** The results and durations of the checks. */
    checks: Array<PastCheck>;
  }

  /** The URL cannot be opened. */
  class InvalidURL extends ModemdError {
    readonly code: 'org.modemd.Check.InvalidURL';
    readonly parameters: {
      /** What is wrong with it. */
      reason: string;
    };
  }

  /** A limit, header or other option is out of range. */
  class InvalidOption extends ModemdError {
    readonly code: 'org.modemd.Check.InvalidOption';
    readonly parameters: {
      /** Its name. */
      option: string;
      /** What it may be. */
      expected: string;
    };
  }

  /** Too many flows are running and waiting; this one may not even wait. */
  class TooManyFlows extends ModemdError {
    readonly code: 'org.modemd.Check.TooManyFlows';
    readonly parameters: {
      /** How many may wait. */
      limit: number;
      /** When to ask again: by then, the waiting flows will probably have had their turn. */
      retryAfterMilliseconds: number;
    };
  }

  /** The methods of org.modemd.Check. */
  interface Methods {
    /**
     * `url` must be https. With `more`: first `ready`, then `hop` for each finished hop, then `outcome`.
     * Without: only `outcome`. A bearer that is down is brought up. Chains run in parallel up to the
     * configured limits. Beyond them, a chain waits for its turn: in the order of each caller's calls,
     * alternating between callers. A chain ends at once when its caller closes the connection.
     */
    open(
      parameters: OpenParameters,
      options?: CallOptions,
    ): Flow<OpenReply>;
    /**
     * Brings the bearer up, resolves names and makes connections ready, ahead of an expected check.
     * Nothing is requested over them. The caller's next check from the URL's host uses them; those that
     * it does not use close, at the latest after 20 seconds.
     */
    prepare(
      parameters?: PrepareParameters,
      options?: CallOptions,
    ): Promise<PrepareReply>;
    /**
     * The last checks, the latest first. Root sees everybody's checks, other users see their own. They
     * are kept in memory and end with modemd.
     */
    history(
      parameters?: HistoryParameters,
      options?: CallOptions,
    ): Promise<HistoryReply>;
  }
}

/**
 * The SIM's short messages (SMS), and the one-time codes in them. Nothing is deleted without a
 * request. Access is configured separately from the other interfaces: access.messageGroups, by
 * default only root. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable,
 * ModemFailed) are those of org.modemd.Modem. Later versions may add fields, and new words to the
 * enums of replies and errors. Replies and errors always have all their fields; a field without a
 * value is null.
 */
export namespace Messages {
  /** A message, its parts joined. */
  interface Message {
    /** Identifies it for as long as the modem keeps it, even over restarts. */
    id: string;
    /** Id of the modem. */
    modem: string;
    /** A number, with + if it is international, or a name. */
    sender: string;
    /** What `sender` is. */
    senderKind: 'international' | 'number' | 'alphanumeric' | (string & {});
    /** Its text; null for data. For an incomplete message, the available parts. */
    text: string | null;
    /** The bytes of a message for a program. */
    base64: string | null;
    /** RFC 3339: when the service centre received it; null if that is not given. */
    sent: string | null;
    /** Time zone of the service centre, minutes east of UTC. */
    sentZoneMinutes: number | null;
    /** RFC 3339: when its last part arrived; null if it was there before modemd-port looked. */
    received: string | null;
    /**
     * 0 to 3 (3GPP TS 23.038, 4). A message of class 0 should be shown at once, and no modem stores
     * it.
     */
    messageClass: number | null;
    /** The application that it is for, unless it is for a person (3GPP TS 23.040, 9.2.3.24.4). */
    port: number | null;
    /** How many parts it has. */
    parts: number;
    /** How many of them have arrived. */
    partsPresent: number;
    /**
     * Whether the modem keeps it. Otherwise, it stays in memory for a day, until modemd-port stops.
     */
    stored: boolean;
    /** The service centre that passed it on, if the modem reports it. */
    serviceCentre: string | null;
  }

  /** What `List` takes. */
  interface ListParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
  }

  /** What `List` answers. */
  interface ListReply {
    /** Includes incomplete ones. Status reports and silent messages are left out. */
    messages: Array<Message>;
    /** The modem's store is full: no more messages arrive until some are deleted. */
    storageFull: boolean;
  }

  /** What `Get` takes. */
  interface GetParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /** As List has it. */
    id: string;
  }

  /** What `Get` answers. */
  interface GetReply {
    /** The message. */
    message: Message;
  }

  /** What `Watch` takes. */
  interface WatchParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
  }

  /** What `Watch` answers. */
  interface WatchReply {
    /** What this reply is. */
    event: 'ready' | 'arrived' | 'storageFull' | (string & {});
    /** Set when `event` is arrived. */
    message: Message | null;
  }

  /** What `WaitForCode` takes. */
  interface WaitForCodeParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /** The complete sender, in upper or lower case; null for any. */
    sender?: string | null;
    /**
     * Text with one place for the code: {digits}, {digits:6}, {digits:4-8}, {alnum:4-8}. {any} stands
     * for other text, {{ and }} for braces. Letters match regardless of case, white space matches any
     * white space, and the rest of the message may be anything. Null: the text after # in a last line
     * `@host #code`, else the first 6 digits, else 123-456, else the longest 4 to 8 digits.
     */
    pattern?: string | null;
    /** How long to wait, 1 to 600; null for 60. */
    timeoutSeconds?: number | null;
    /**
     * Also accepts a message, the latest first, that arrived up to this long before the call, 0 to
     * 600; null for 0. A code can arrive before the call, but an old code can also be mistaken for it.
     */
    lookBackSeconds?: number | null;
  }

  /** What `WaitForCode` answers. */
  interface WaitForCodeReply {
    /** The code. */
    code: string;
    /** The message that contains it. */
    message: Message;
  }

  /** What `Delete` takes. */
  interface DeleteParameters {
    /** Id, device or interface; null for the only modem. */
    modem?: string | null;
    /** As List has it. */
    id: string;
  }

  /** What `Delete` answers. */
  interface DeleteReply {
  }

  /** No message has this id. */
  class NoSuchMessage extends ModemdError {
    readonly code: 'org.modemd.Messages.NoSuchMessage';
    readonly parameters: {
      /** The id that was given. */
      id: string;
    };
  }

  /** The messages cannot be read at present. */
  class MessagesUnavailable extends ModemdError {
    readonly code: 'org.modemd.Messages.MessagesUnavailable';
    readonly parameters: {
      /** Why, in one sentence. */
      text: string;
    };
  }

  /** The modem's store is full, so no message can arrive. */
  class StorageFull extends ModemdError {
    readonly code: 'org.modemd.Messages.StorageFull';
    readonly parameters: {
      /** One sentence that explains what to do. */
      text: string;
    };
  }

  /** No message with a code arrived in time. */
  class NoCode extends ModemdError {
    readonly code: 'org.modemd.Messages.NoCode';
    readonly parameters: {
      /** How many messages came meanwhile. */
      messagesSeen: number;
      /** One sentence that explains what to check. */
      text: string;
    };
  }

  /** Too many callers wait for codes. */
  class TooManyWaits extends ModemdError {
    readonly code: 'org.modemd.Messages.TooManyWaits';
    readonly parameters: {
      /** How many may. */
      limit: number;
    };
  }

  /** An option is out of range. */
  class InvalidOption extends ModemdError {
    readonly code: 'org.modemd.Messages.InvalidOption';
    readonly parameters: {
      /** Its name. */
      option: string;
      /** What it may be. */
      expected: string;
    };
  }

  /** The methods of org.modemd.Messages. */
  interface Methods {
    /** The messages of one modem, in the order of arrival. */
    list(
      parameters?: ListParameters,
      options?: CallOptions,
    ): Promise<ListReply>;
    /** One message. */
    get(
      parameters: GetParameters,
      options?: CallOptions,
    ): Promise<GetReply>;
    /**
     * With `more`: first `ready`, then one reply for each complete message, and `storageFull` if one did
     * not fit. Without: only `ready`.
     */
    watch(
      parameters?: WatchParameters,
      options?: CallOptions,
    ): Stream<WatchReply>;
    /**
     * Waits for the next message with a one-time code. Several callers may wait at the same time, even
     * for the same message: nothing is consumed.
     */
    waitForCode(
      parameters?: WaitForCodeParameters,
      options?: CallOptions,
    ): Promise<WaitForCodeReply>;
    /** Deletes a message with all its parts, from the modem's store too. */
    delete(
      parameters: DeleteParameters,
      options?: CallOptions,
    ): Promise<DeleteReply>;
  }
}

/**
 * The service itself. Later versions may add fields, and new words to the enums of replies and
 * errors. Replies and errors always have all their fields; a field without a value is null.
 */
export namespace Service {
  /** What `Reload` takes. */
  interface ReloadParameters {
  }

  /** What `Reload` answers. */
  interface ReloadReply {
    summary: string;
  }

  /** A file cannot be used, and nothing has changed. */
  class ReloadFailed extends ModemdError {
    readonly code: 'org.modemd.Service.ReloadFailed';
    readonly parameters: {
      /** Which file, what is wrong with it, and what was expected. */
      message: string;
    };
  }

  /** The methods of org.modemd.Service. */
  interface Methods {
    /**
     * Reads the settings and the providers' files anew, as `systemctl reload modemd` does, and replies
     * when what they say applies. Calls under way end with what they began with. Only root may call it,
     * and groups that access.table gives it under its own name.
     *
     * summary: what is configured now, in one line
     */
    reload(
      parameters?: ReloadParameters,
      options?: CallOptions,
    ): Promise<ReloadReply>;
  }
}

/**
 * What passes over the bearers, who caused it, and what is left of budgets. A user learns his own;
 * root learns everybody's. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem) are those of
 * org.modemd.Modem. Later versions may add fields, and new words to the enums of replies and errors.
 * Replies and errors always have all their fields; a field without a value is null.
 */
export namespace Usage {
  /** A socket or stream over a bearer that a program has. */
  interface Socket {
    /** Identifies it while modemd runs. */
    id: string;
    /** Id of the modem. */
    modem: string;
    /** Name of the bearer's network interface. */
    interface: string;
    /** User id of the program that asked for it. */
    user: number;
    /** The process that asked for it. Another one may have it by now. */
    process: number | null;
    /**
     * That process's program, as the kernel names it; null if the process had ended, or modemd may not
     * look: its unit hides other users' processes from it.
     */
    program: string | null;
    /** TCP or UDP. */
    kind: 'stream' | 'datagram' | (string & {});
    /** How the program got it: OpenSocket, OpenStream, or the proxy. */
    way: 'socket' | 'stream' | 'proxy' | (string & {});
    /** The host that the program named; null if it named none. */
    host: string | null;
    /** The port that the program named. */
    port: number | null;
    /** The bearer's address. */
    source: string;
    /** The address that it is connected to; null if it is not, or is not known yet. */
    address: string | null;
    /** RFC 3339. */
    opened: string;
    /**
     * Bytes of the program's data that went out. Null for datagrams handed over: the kernel does not
     * count them.
     */
    sent: number | null;
    /** Bytes of the program's data that came in. Null as `sent`. */
    received: number | null;
  }

  /** Bytes of one user and one purpose over one modem. */
  interface Usage {
    /** Id of the modem. */
    modem: string;
    /** User id; null for what modemd does for itself, such as probes. */
    user: number | null;
    /**
     * What they were for: `chains` of Check.Open, `flows` of the providers' methods, `warming` for
     * both, `sockets` of OpenSocket, `streams` of OpenStream, and what went through the `proxy`.
     */
    purpose:
      | 'chains' | 'flows' | 'warming' | 'sockets' | 'streams' | 'proxy' | 'probes' | (string & {});
    /**
     * Bytes that went out, without the headers of IP and TCP. Those of names that were resolved are
     * among them.
     */
    sent: number;
    /** Bytes that came in, without the headers of IP and TCP. */
    received: number;
    /** Of `sent` and `received` together: while roaming. */
    roaming: number;
    /** Connections. */
    connections: number;
  }

  /** The usage of one day. */
  interface Day {
    /** The date in the machine's time zone, as 2026-11-26. */
    day: string;
    /** One for each modem, user and purpose. */
    usage: Array<Usage>;
  }

  /** A budget and what is left of it. */
  interface Budget {
    /** The key of the settings. */
    name: string;
    /** Id of the user that it applies to. */
    user: number;
    /** Bytes, or connections. */
    unit: 'bytes' | 'connections' | (string & {});
    /** How much there is. */
    limit: number;
    /** How much is used. */
    used: number;
    /** RFC 3339: when it starts anew; null for connections at one time. */
    resets: string | null;
  }

  /** What `Sockets` takes. */
  interface SocketsParameters {
    /** Id, device or interface; null for all modems. */
    modem?: string | null;
  }

  /** What `Sockets` answers. */
  interface SocketsReply {
    /** The oldest first. */
    sockets: Array<Socket>;
  }

  /** What `EndSocket` takes. */
  interface EndSocketParameters {
    /** As Sockets has it. */
    id: string;
  }

  /** What `EndSocket` answers. */
  interface EndSocketReply {
  }

  /** What `Get` takes. */
  interface GetParameters {
    /** Id, device or interface; null for all modems. */
    modem?: string | null;
    /** User id; null for the caller, and for root: for everybody. */
    user?: number | null;
    /** How many days to list, today among them, 0 to 400; null for none. */
    days?: number | null;
  }

  /** What `Get` answers. */
  interface GetReply {
    /** Since the present bearers came up; without those that are down. */
    bearer: Array<Usage>;
    /** Since the first day of this month. */
    month: Array<Usage>;
    /** The latest first, without days on which nothing was used. */
    days: Array<Day>;
    /** Budgets that apply. */
    budgets: Array<Budget>;
  }

  /** What `Watch` takes. */
  interface WatchParameters {
  }

  /** What `Watch` answers. */
  interface WatchReply {
    /** What this reply is. */
    event: 'ready' | 'warned' | 'spent' | (string & {});
    /** With `ready`: all budgets that apply. Otherwise: the one. */
    budgets: Array<Budget>;
  }

  /** There is no such socket, or it is another user's. */
  class NoSuchSocket extends ModemdError {
    readonly code: 'org.modemd.Usage.NoSuchSocket';
    readonly parameters: {
      /** The id that was named. */
      id: string;
    };
  }

  /** The caller is not root and asked for another user's usage. */
  class OtherUser extends ModemdError {
    readonly code: 'org.modemd.Usage.OtherUser';
    readonly parameters: {
      /** The user id that was named. */
      user: number;
    };
  }

  /** The methods of org.modemd.Usage. */
  interface Methods {
    /** The sockets and streams that programs have over bearers. */
    sockets(
      parameters?: SocketsParameters,
      options?: CallOptions,
    ): Promise<SocketsReply>;
    /** Ends a socket or stream. NoSuchSocket if it is another user's, except for root. */
    endSocket(
      parameters: EndSocketParameters,
      options?: CallOptions,
    ): Promise<EndSocketReply>;
    /** What was used. */
    get(
      parameters?: GetParameters,
      options?: CallOptions,
    ): Promise<GetReply>;
    /**
     * With `more`: first `ready`, then one reply when a budget of the caller, for root anybody's, passes
     * 80 % (`warned`) or is spent (`spent`). Without: only `ready`.
     */
    watch(
      parameters?: WatchParameters,
      options?: CallOptions,
    ): Stream<WatchReply>;
  }
}

/**
 * CAMARA's Number Verification: the operator recognises the SIM by its bearer. Errors about modems
 * are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. InvalidArgument,
 * NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome
 * are the same in every interface of a provider. Later versions may add fields, and new words to the
 * enums of replies and errors. Replies and errors always have all their fields; a field without a
 * value is null.
 */
export namespace NumberVerification {
  /** One action of the flow. */
  type Step = Verify.Step;

  /** One request over the bearer and its answer. */
  type Hop = Verify.Hop;

  /** How the flow ended. */
  type Outcome = Verify.Outcome;

  /** What `Verify` takes. */
  interface VerifyParameters {
    /** In international form, as in +447700900123. */
    number: string;
    /**
     * Whether to send the number's SHA-256 instead of the number; null for the configured value.
     */
    hashed?: boolean | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Verify` answers. */
  interface VerifyReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** With the outcome: the id with which the operator finds the calls of this flow. */
    correlator: string | null;
    /**
     * With an answer of the app's own server (redirectIsBackend): that answer, such as its session, if
     * it is a JSON object.
     */
    serverAnswer: JSONValue | null;
  }

  /** What `Verify` answers, by `event`. */
  type VerifyReply =
    | (VerifyReplyFields & { event: 'ready' | UnknownWord })
    | (VerifyReplyFields & { event: 'step'; step: Step })
    | (VerifyReplyFields & { event: 'hop'; hop: Hop })
    | (VerifyReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `DevicePhoneNumber` takes. */
  interface DevicePhoneNumberParameters {
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `DevicePhoneNumber` answers. */
  interface DevicePhoneNumberReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** With the result `numberRead`: in international form. */
    number: string | null;
    /** With the outcome: the id with which the operator finds the calls of this flow. */
    correlator: string | null;
    /**
     * With an answer of the app's own server (redirectIsBackend): that answer, such as its session, if
     * it is a JSON object.
     */
    serverAnswer: JSONValue | null;
  }

  /** What `DevicePhoneNumber` answers, by `event`. */
  type DevicePhoneNumberReply =
    | (DevicePhoneNumberReplyFields & { event: 'ready' | UnknownWord })
    | (DevicePhoneNumberReplyFields & { event: 'step'; step: Step })
    | (DevicePhoneNumberReplyFields & { event: 'hop'; hop: Hop })
    | (DevicePhoneNumberReplyFields & { event: 'outcome'; outcome: Outcome });

  /** The methods of org.modemd.NumberVerification. */
  interface Methods {
    /**
     * Asks whether a number is that of the SIM. The replies are a stream like that of Verify.Number.
     */
    verify(
      parameters: VerifyParameters,
      options?: CallOptions,
    ): Flow<VerifyReply>;
    /** Asks for the SIM's number. The replies are a stream like that of Verify.Number. */
    devicePhoneNumber(
      parameters?: DevicePhoneNumberParameters,
      options?: CallOptions,
    ): Flow<DevicePhoneNumberReply>;
  }
}

/**
 * Whether and when a number moved to another SIM, from CAMARA's SIM Swap or another provider that
 * checks it. Errors about modems are those of org.modemd.Modem, and TooManyFlows is that of
 * org.modemd.Check. InvalidArgument, NoProvider and MoreThanOneProvider are those of
 * org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a provider.
 * Later versions may add fields, and new words to the enums of replies and errors. Replies and
 * errors always have all their fields; a field without a value is null.
 */
export namespace SIMSwap {
  /** One action of the flow. */
  type Step = Verify.Step;

  /** One request over the bearer and its answer. */
  type Hop = Verify.Hop;

  /** How the flow ended. */
  type Outcome = Verify.Outcome;

  /** What `Check` takes. */
  interface CheckParameters {
    /**
     * In international form; null for the SIM in this machine, which the operator recognises by the
     * bearer.
     */
    number?: string | null;
    /** How many hours back a change counts, 1 to 2400; null for 240. */
    maximumAgeHours?: number | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Check` answers. */
  interface CheckReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /**
     * With the outcome: when the number moved, in RFC 3339 form; null if the provider does not give
     * it.
     */
    changedAt: string | null;
    /** With the outcome: the hours that the answer covers. */
    periodHours: number | null;
  }

  /** What `Check` answers, by `event`. */
  type CheckReply =
    | (CheckReplyFields & { event: 'ready' | UnknownWord })
    | (CheckReplyFields & { event: 'step'; step: Step })
    | (CheckReplyFields & { event: 'hop'; hop: Hop })
    | (CheckReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `RetrieveDate` takes. */
  interface RetrieveDateParameters {
    /**
     * In international form; null for the SIM in this machine, which the operator recognises by the
     * bearer.
     */
    number?: string | null;
    /** As with Check. */
    maximumAgeHours?: number | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `RetrieveDate` answers. */
  interface RetrieveDateReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /**
     * With the outcome: when the number moved, in RFC 3339 form, or when the SIM was first used; null
     * if it did not move in the monitored time, or if that must not be disclosed.
     */
    changedAt: string | null;
    /**
     * With the outcome: how many days back the operator monitors changes; null if it does not give it.
     */
    monitoredDays: number | null;
  }

  /** What `RetrieveDate` answers, by `event`. */
  type RetrieveDateReply =
    | (RetrieveDateReplyFields & { event: 'ready' | UnknownWord })
    | (RetrieveDateReplyFields & { event: 'step'; step: Step })
    | (RetrieveDateReplyFields & { event: 'hop'; hop: Hop })
    | (RetrieveDateReplyFields & { event: 'outcome'; outcome: Outcome });

  /** The methods of org.modemd.SIMSwap. */
  interface Methods {
    /**
     * Asks whether a number recently moved to another SIM. The replies are a stream like that of
     * Verify.Number.
     */
    check(
      parameters?: CheckParameters,
      options?: CallOptions,
    ): Flow<CheckReply>;
    /**
     * Asks CAMARA's SIM Swap when a number moved to another SIM. The outcome states whether that was
     * within the hours. The replies are a stream like that of Verify.Number.
     */
    retrieveDate(
      parameters?: RetrieveDateParameters,
      options?: CallOptions,
    ): Flow<RetrieveDateReply>;
  }
}

/**
 * Signs users in at Firebase by their phone number, after checking that the number has not moved to
 * another SIM: a changed SIM stops it before any message is sent. Access needs its own entry in the
 * access table. Without one, only root may call, because the codes are read from the SIM's messages.
 * Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of
 * org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and InvalidArgument, NoProvider
 * and MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome are the
 * same in every interface of a provider. Later versions may add fields, and new words to the enums
 * of replies and errors. Replies and errors always have all their fields; a field without a value is
 * null.
 */
export namespace PhoneSignIn {
  /** One action of the flow. */
  type Step = Verify.Step;

  /** One request over the bearer and its answer. */
  type Hop = Verify.Hop;

  /** How the flow ended. */
  type Outcome = Verify.Outcome;

  /** Firebase's answer. modemd verifies none of it: the backend that trusts it must do so. */
  interface User {
    /** The user's id in the project. */
    user: string | null;
    /** In international form. */
    number: string | null;
    /** A JSON Web Token that identifies the user. */
    idToken: string | null;
    /** Refresh exchanges it for a new ID token. */
    refreshToken: string | null;
    /** Seconds for which the ID token is valid. */
    expiresIn: number | null;
    /** Whether this call created the user; null if Firebase does not report it. */
    isNew: boolean | null;
    /** With userRefused, instead of tokens: proves the number, which belongs to another account. */
    temporaryProof: string | null;
    /** Seconds for which the proof is valid. */
    temporaryProofExpiresIn: number | null;
  }

  /** What `SignIn` takes. */
  interface SignInParameters {
    /** In international form, as in +447700900123. */
    number: string;
    /**
     * Where the code comes from; null for messages. No message is sent if it is known before that it
     * would not come to the SIM of this modem, or that it cannot be read. If messages turn out to be
     * unreadable after it was sent, the caller is asked.
     */
    codeFrom?: 'messages' | 'caller' | null;
    /**
     * Shows Firebase that the request comes from the project's own app. A front end of the app makes
     * it: an object with recaptchaToken, with playIntegrityToken, with safetyNetToken, with iosReceipt
     * and iosSecret, or with captchaResponse, clientType and recaptchaVersion. Null for test numbers
     * of the project and for the auth emulator.
     */
    appVerification?: JSONValue | null;
    /** Instead of a code: the proof that an earlier call gave for this number. */
    temporaryProof?: string | null;
    /**
     * Instead of another message: the verificationID that an earlier call gave for this number.
     * Whether the number moved to another SIM is asked again.
     */
    verificationID?: string | null;
    /** An account that is already signed in, by its ID token; null for none. */
    idToken?: string | null;
    /** With `idToken`: what to do with that account. */
    operation?: 'signUpOrIn' | 'reauthenticate' | 'update' | 'link' | null;
    /**
     * Name of the provider; null for the only one of the kind firebase that serves the SIM's network.
     */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `SignIn` answers. */
  interface SignInReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /**
     * Set with `ready` and `codeWanted`: identifies this call for GiveCode. A caller who knows it and
     * is the same user may give the code.
     */
    flow: string | null;
    /** Set with `codeWanted`: whether the code that was given last was wrong. */
    codeWrong: boolean | null;
    /** Set with `codeWanted` after a wrong code: how many more are tried. */
    attemptsLeft: number | null;
    /**
     * Set with `messageSent` and `codeWanted`, and with `outcome` if a message was sent and no code
     * was the right one: a later call goes on with it. It is worth nothing without the code, and
     * expires soon.
     */
    verificationID: string | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome` if Firebase gave anything. */
    user: User | null;
  }

  /** What `SignIn` answers, by `event`. */
  type SignInReply =
    | (SignInReplyFields & { event: 'ready' | 'codeWanted' | 'messageSent' | UnknownWord })
    | (SignInReplyFields & { event: 'step'; step: Step })
    | (SignInReplyFields & { event: 'hop'; hop: Hop })
    | (SignInReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `GiveCode` takes. */
  interface GiveCodeParameters {
    /** As `codeWanted` has it. */
    flow: string;
    /** 4 to 16 letters and digits. */
    code: string;
  }

  /** What `GiveCode` answers. */
  interface GiveCodeReply {
  }

  /** What `Refresh` takes. */
  interface RefreshParameters {
    refreshToken: string;
    /** As with SignIn. */
    provider?: string | null;
    /** As with SignIn: the provider is chosen for its network. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Refresh` answers. */
  interface RefreshReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome` if Firebase gave anything. */
    user: User | null;
  }

  /** What `Refresh` answers, by `event`. */
  type RefreshReply =
    | (RefreshReplyFields & { event: 'ready' | UnknownWord })
    | (RefreshReplyFields & { event: 'step'; step: Step })
    | (RefreshReplyFields & { event: 'hop'; hop: Hop })
    | (RefreshReplyFields & { event: 'outcome'; outcome: Outcome });

  /** No call of SignIn by this user has the id, or it does not wait for a code now. */
  class NoSuchFlow extends ModemdError {
    readonly code: 'org.modemd.PhoneSignIn.NoSuchFlow';
    readonly parameters: {
    };
  }

  /** The code was given before for this call, and was wrong. The call continues to wait. */
  class CodeRefused extends ModemdError {
    readonly code: 'org.modemd.PhoneSignIn.CodeRefused';
    readonly parameters: {
    };
  }

  /** The methods of org.modemd.PhoneSignIn. */
  interface Methods {
    /**
     * Asks whether the number moved to another SIM, requests a message with a code for it, reads the
     * code, and exchanges it for tokens. A stream: `ready`, then a `step` for each action, with a `hop`
     * for each request over the bearer, `codeWanted` when GiveCode must be called, then the `outcome`.
     * Without `more`, only the outcome; nobody can be asked for a code then.
     */
    signIn(
      parameters: SignInParameters,
      options?: CallOptions & AskingForCode,
    ): Flow<SignInReply>;
    /**
     * Gives the code that a call of SignIn waits for. After a wrong code, the call asks again, a limited
     * number of times.
     */
    giveCode(
      parameters: GiveCodeParameters,
      options?: CallOptions,
    ): Promise<GiveCodeReply>;
    /** Exchanges a refresh token for a new ID token. Replies like SignIn. */
    refresh(
      parameters: RefreshParameters,
      options?: CallOptions,
    ): Flow<RefreshReply>;
  }
}

/**
 * IPification: whether the operator of the SIM is served, an authorization over the bearer, and its
 * result. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of
 * org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and those about arguments and
 * providers (InvalidArgument, NoProvider, MoreThanOneProvider) are those of org.modemd.Verify. The
 * types Step, Hop and Outcome are the same in every interface of a provider. Later versions may add
 * fields, and new words to the enums of replies and errors. Replies and errors always have all their
 * fields; a field without a value is null.
 */
export namespace IPification {
  /** One action of the flow. */
  type Step = Verify.Step;

  /** One request over the bearer and its answer. */
  type Hop = Verify.Hop;

  /** How the flow ended. */
  type Outcome = Verify.Outcome;

  /**
   * What the application's backend exchanges for tokens (RFC 6749, 4.1.3). It works once, and soon
   * expires.
   */
  interface Authorization {
    code: string;
    /** As it was sent and came back. */
    state: string;
    /** For the ID token to repeat; null if none was sent. */
    nonce: string | null;
    /** The complete redirect URI with its parameters. */
    redirect: string;
  }

  /** An answer that leads into a messaging application. The links hold secrets. */
  interface Messages {
    session: string;
    /** Where to ask about the session. */
    endpoint: string | null;
    /** By channel: wa, telegram, viber. */
    links: { [key: string]: string };
  }

  /** The provider's data about the subscriber, depending on the requested scope. */
  interface Subject {
    /** The provider's id of the subscriber for this client. */
    id: string | null;
    /** With the scope ip:phone. */
    number: string | null;
    /**
     * With the scope ip:mobile_id: the operator's hash of number, SIM and device. It changes with the
     * SIM or device.
     */
    mobileID: string | null;
    /** Unchanged, for the application's own use. */
    idToken: string | null;
  }

  /** What `Coverage` takes. */
  interface CoverageParameters {
    /**
     * In international form: also asks whether the number is that operator's. Null only asks for the
     * address.
     */
    number?: string | null;
    /**
     * An IPv4 or IPv6 address to ask about instead of the bearer's, over the machine's own network.
     */
    address?: string | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Coverage` answers. */
  interface CoverageReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** With the outcome: the provider's code for the operator; null if it gives none. */
    operatorCode: string | null;
  }

  /** What `Coverage` answers, by `event`. */
  type CoverageReply =
    | (CoverageReplyFields & { event: 'ready' | UnknownWord })
    | (CoverageReplyFields & { event: 'step'; step: Step })
    | (CoverageReplyFields & { event: 'hop'; hop: Hop })
    | (CoverageReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Authorize` takes. */
  interface AuthorizeParameters {
    /**
     * In international form; required for the scopes openid alone, ip:phone_verify and ip:profile.
     */
    number?: string | null;
    /** Null for the configured ones. */
    scope?: Array<string> | null;
    /** Compared with the answer's; null for a random one. */
    state?: string | null;
    nonce?: string | null;
    /** Language tags; null for the configured ones. */
    locales?: Array<string> | null;
    /** ip, wa, viber, telegram; null for the configured ones. */
    channels?: Array<string> | null;
    /**
     * A signed request (JWT) that is passed on unchanged. Scope, consent and number are then omitted
     * from the URL.
     */
    requestObject?: string | null;
    provider?: string | null;
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Authorize` answers. */
  interface AuthorizeReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** With the result `authorized`. */
    authorization: Authorization | null;
    /** With the result `messageAppRequired`. */
    messages: Messages | null;
  }

  /** What `Authorize` answers, by `event`. */
  type AuthorizeReply =
    | (AuthorizeReplyFields & { event: 'ready' | UnknownWord })
    | (AuthorizeReplyFields & { event: 'step'; step: Step })
    | (AuthorizeReplyFields & { event: 'hop'; hop: Hop })
    | (AuthorizeReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Verify` takes. */
  interface VerifyParameters {
    /** In international form; required as for Authorize. */
    number?: string | null;
    /** Null for the configured ones. */
    scope?: Array<string> | null;
    state?: string | null;
    nonce?: string | null;
    locales?: Array<string> | null;
    channels?: Array<string> | null;
    requestObject?: string | null;
    /** The mobileID of an earlier answer: a different one now counts as a changed SIM. */
    earlierMobileID?: string | null;
    provider?: string | null;
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Verify` answers. */
  interface VerifyReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** Set with the outcome of an answer. */
    subject: Subject | null;
    /** With the result `messageAppRequired`. */
    messages: Messages | null;
    /**
     * With a verdict of the app's own server (backend, redirectIsBackend): its answer, such as its
     * session, if that is a JSON object.
     */
    serverAnswer: JSONValue | null;
  }

  /** What `Verify` answers, by `event`. */
  type VerifyReply =
    | (VerifyReplyFields & { event: 'ready' | UnknownWord })
    | (VerifyReplyFields & { event: 'step'; step: Step })
    | (VerifyReplyFields & { event: 'hop'; hop: Hop })
    | (VerifyReplyFields & { event: 'outcome'; outcome: Outcome });

  /** The methods of org.modemd.IPification. */
  interface Methods {
    /**
     * Asks whether the provider serves the operator of the bearer's address. The replies are a stream
     * like that of Verify.Number.
     */
    coverage(
      parameters?: CoverageParameters,
      options?: CallOptions,
    ): Flow<CoverageReply>;
    /**
     * Gets an authorization code over the bearer, for the application's own backend. The replies are a
     * stream like that of Verify.Number.
     */
    authorize(
      parameters?: AuthorizeParameters,
      options?: CallOptions,
    ): Flow<AuthorizeReply>;
    /**
     * Asks whether a number is the SIM's: coverage, authorization, and its exchange by this machine or
     * by the application's backend, as configured. The replies are a stream like that of Verify.Number.
     */
    verify(
      parameters?: VerifyParameters,
      options?: CallOptions,
    ): Flow<VerifyReply>;
  }
}

/**
 * Registers users with a MIRACL Trust project, logs them in at its websites with a PIN, and signs.
 * This machine stores a user's identity but never the PIN, which is asked for each time. Access
 * needs its own entry in the access table. Without one, only root may call, because callers can try
 * PINs and use up an identity's attempts. Errors about modems (NoModem, MoreThanOneModem,
 * NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is that of
 * org.modemd.Check, and InvalidArgument, NoProvider and MoreThanOneProvider are those of
 * org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a provider.
 * Later versions may add fields, and new words to the enums of replies and errors. Replies and
 * errors always have all their fields; a field without a value is null.
 */
export namespace MIRACL {
  /** One action of the flow. */
  type Step = Verify.Step;

  /** One request over the bearer and its answer. */
  type Hop = Verify.Hop;

  /** How the flow ended. */
  type Outcome = Verify.Outcome;

  /** What a flow asks for, by GivePIN or GiveMail. */
  interface Question {
    /** What is needed: a PIN, or the link or the code from a mail. */
    what: 'pin' | 'mailLink' | 'mailCode' | (string & {});
    /** With pin: the least number of digits. */
    shortest: number | null;
    /** With pin: the greatest number of digits. */
    longest: number | null;
    /** With pin: whether the user chooses a new one, in which case it is best asked for twice. */
    isNew: boolean | null;
    /**
     * What the answer is for, in the words of the requester: the website's name, or what is to be
     * signed. Show it before the PIN is typed.
     */
    purpose: string | null;
    /** How long to wait for the answer. */
    seconds: number;
  }

  /** A user's identity on this machine. */
  interface Identity {
    /** The user's name in the project, usually a mail address. */
    user: string;
    /** The project's id. */
    project: string;
    /** The platform's URL. */
    service: string;
    /** Revoked and expired identities cannot be used: register the user again. */
    state: 'active' | 'revoked' | 'expired' | (string & {});
    /** The number of digits of the PIN. */
    pinLength: number;
    /** RFC 3339. */
    created: string;
  }

  /** A website's description of its session. */
  interface Session {
    /** The project's name. */
    project: string | null;
    /** A picture of it. */
    logo: string | null;
    /** The user that the website expects; null for any user. */
    user: string | null;
    /** How many digits PINs have. */
    pinLength: number | null;
    /** How users are verified, in the platform's words. */
    verificationMethod: string | null;
    /** The project's own page for verification. */
    verificationURL: string | null;
    verificationText: string | null;
    /** The kind of a user's name, as in email, and its label. */
    identityType: string | null;
    identityLabel: string | null;
    /** Whether a quick code registers another device. */
    allowsQuickCode: boolean | null;
    /** Whether that is only for verified users. */
    limitsQuickCode: boolean | null;
    /** Set if something must be signed: its hash in hexadecimal digits. */
    hash: string | null;
    /** What it is, for people. */
    description: string | null;
  }

  /** A signature of a document's hash. */
  interface Signature {
    /**
     * For the verifier: hash, u, v, mpinId, publicKey, dtas and timestamp. The M-Pin id contains the
     * user's name.
     */
    document: JSONValue;
    /** Seconds since 1970. */
    timestamp: number;
  }

  /** What `GetSession` takes. */
  interface GetSessionParameters {
    /** The text of the website's QR code, or the object of its push message. */
    link: string;
    /**
     * Name of the provider; null for the only one of the kind miracl that serves the SIM's network.
     */
    provider?: string | null;
    /**
     * Id, device or interface of the modem, for a provider whose calls go over its bearer; null for
     * the only one.
     */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `GetSession` answers. */
  interface GetSessionReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome` if there is such a session. */
    session: Session | null;
  }

  /** What `GetSession` answers, by `event`. */
  type GetSessionReply =
    | (GetSessionReplyFields & { event: 'ready' | UnknownWord })
    | (GetSessionReplyFields & { event: 'step'; step: Step })
    | (GetSessionReplyFields & { event: 'hop'; hop: Hop })
    | (GetSessionReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `AbortSession` takes. */
  interface AbortSessionParameters {
    /** As with GetSession; null with `signingSession`. */
    link?: string | null;
    /** Id of a signing session of the older kind. */
    signingSession?: string | null;
    /** As with GetSession. */
    provider?: string | null;
    /** As with GetSession. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `AbortSession` answers. */
  interface AbortSessionReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
  }

  /** What `AbortSession` answers, by `event`. */
  type AbortSessionReply =
    | (AbortSessionReplyFields & { event: 'ready' | UnknownWord })
    | (AbortSessionReplyFields & { event: 'step'; step: Step })
    | (AbortSessionReplyFields & { event: 'hop'; hop: Hop })
    | (AbortSessionReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Register` takes. */
  interface RegisterParameters {
    /** The user's name in the project. */
    user: string;
    /**
     * How to verify the user: by a mail, by this machine as the project's own backend, by an existing
     * link, or by an activation, which is the quick code of another device or a token. Null means by
     * mail.
     */
    verification?: 'mail' | 'backend' | 'link' | 'activation' | null;
    /** With link and activation: that. */
    proof?: string | null;
    /** The link of the website that the user came from. */
    link?: string | null;
    /** True to begin anew, with another mail; null to go on. */
    anew?: boolean | null;
    /** As with GetSession. */
    provider?: string | null;
    /** As with GetSession. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Register` answers. */
  interface RegisterReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /**
     * Set with `ready` and `question`: identifies this call for GivePIN and GiveMail. A caller who
     * knows it and is the same user may answer.
     */
    flow: string | null;
    /** Set with `question`. */
    question: Question | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome` if the user is registered. */
    identity: Identity | null;
  }

  /** What `Register` answers, by `event`. */
  type RegisterReply =
    | (RegisterReplyFields & { event: 'ready' | UnknownWord })
    | (RegisterReplyFields & { event: 'step'; step: Step })
    | (RegisterReplyFields & { event: 'hop'; hop: Hop })
    | (RegisterReplyFields & { event: 'question'; question: Question })
    | (RegisterReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Login` takes. */
  interface LoginParameters {
    /** As with GetSession; null for a token. */
    link?: string | null;
    /** Null for the user that the website expects, else for the only registered one. */
    user?: string | null;
    /** As with GetSession. */
    provider?: string | null;
    /** As with GetSession. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Login` answers. */
  interface LoginReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** As with Register. */
    flow: string | null;
    /** Set with `question`. */
    question: Question | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome` if the user is known. */
    user: string | null;
    /** Set with `outcome` if there is one. */
    session: Session | null;
    /**
     * Set with `outcome` if no website was named: a JSON Web Token for the application's backend,
     * which verifies it.
     */
    token: string | null;
    /** Set with `outcome`: whether the identity's secret was renewed in the process. */
    renewed: boolean | null;
  }

  /** What `Login` answers, by `event`. */
  type LoginReply =
    | (LoginReplyFields & { event: 'ready' | UnknownWord })
    | (LoginReplyFields & { event: 'step'; step: Step })
    | (LoginReplyFields & { event: 'hop'; hop: Hop })
    | (LoginReplyFields & { event: 'question'; question: Question })
    | (LoginReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Sign` takes. */
  interface SignParameters {
    /** The document's hash: 16 to 64 bytes in hexadecimal digits. */
    hash?: string | null;
    /** As with GetSession. */
    link?: string | null;
    /** Id of a signing session of the older kind. */
    signingSession?: string | null;
    /** As with Login. */
    user?: string | null;
    /** As with GetSession. */
    provider?: string | null;
    /** As with GetSession. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Sign` answers. */
  interface SignReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** As with Register. */
    flow: string | null;
    /** Set with `question`. */
    question: Question | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome` if the user is known. */
    user: string | null;
    /** The website's description of what is signed. */
    description: string | null;
    /** Set with `outcome` if there is one. */
    signature: Signature | null;
  }

  /** What `Sign` answers, by `event`. */
  type SignReply =
    | (SignReplyFields & { event: 'ready' | UnknownWord })
    | (SignReplyFields & { event: 'step'; step: Step })
    | (SignReplyFields & { event: 'hop'; hop: Hop })
    | (SignReplyFields & { event: 'question'; question: Question })
    | (SignReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `VerifySignature` takes. */
  interface VerifySignatureParameters {
    /** As Signature.document has it. */
    signature: JSONValue;
    /** Seconds since 1970; null for the one in the signature. */
    timestamp?: number | null;
    /** As with GetSession. */
    provider?: string | null;
    /** As with GetSession. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `VerifySignature` answers. */
  interface VerifySignatureReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome` if the signature is valid: a JSON Web Token of the platform. */
    certificate: string | null;
  }

  /** What `VerifySignature` answers, by `event`. */
  type VerifySignatureReply =
    | (VerifySignatureReplyFields & { event: 'ready' | UnknownWord })
    | (VerifySignatureReplyFields & { event: 'step'; step: Step })
    | (VerifySignatureReplyFields & { event: 'hop'; hop: Hop })
    | (VerifySignatureReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `QuickCode` takes. */
  interface QuickCodeParameters {
    /** As with Login. */
    user?: string | null;
    /** As with GetSession. */
    provider?: string | null;
    /** As with GetSession. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `QuickCode` answers. */
  interface QuickCodeReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** As with Register. */
    flow: string | null;
    /** Set with `question`. */
    question: Question | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome` if there is one. */
    code: string | null;
    /** Seconds since 1970. */
    expires: number | null;
    /** Seconds for which it is valid. */
    seconds: number | null;
  }

  /** What `QuickCode` answers, by `event`. */
  type QuickCodeReply =
    | (QuickCodeReplyFields & { event: 'ready' | UnknownWord })
    | (QuickCodeReplyFields & { event: 'step'; step: Step })
    | (QuickCodeReplyFields & { event: 'hop'; hop: Hop })
    | (QuickCodeReplyFields & { event: 'question'; question: Question })
    | (QuickCodeReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `GivePIN` takes. */
  interface GivePINParameters {
    /** As `question` has it. */
    flow: string;
    /** Digits. */
    pin: string;
  }

  /** What `GivePIN` answers. */
  interface GivePINReply {
  }

  /** What `GiveMail` takes. */
  interface GiveMailParameters {
    /** As `question` has it. */
    flow: string;
    /** The link or the code. */
    mail: string;
  }

  /** What `GiveMail` answers. */
  interface GiveMailReply {
  }

  /** What `Identities` takes. */
  interface IdentitiesParameters {
  }

  /** What `Identities` answers. */
  interface IdentitiesReply {
    identities: Array<Identity>;
    /** One sentence for each file that cannot be read. */
    damaged: Array<string>;
  }

  /** What `Forget` takes. */
  interface ForgetParameters {
    /** The user's name in the project. */
    user: string;
    /** The project's id; required if the user is registered with several. */
    project?: string | null;
    /** The platform's URL; required if the project is on several. */
    service?: string | null;
  }

  /** What `Forget` answers. */
  interface ForgetReply {
  }

  /** No call of this user has the id, or it does not wait for this now. */
  class NoSuchFlow extends ModemdError {
    readonly code: 'org.modemd.MIRACL.NoSuchFlow';
    readonly parameters: {
    };
  }

  /** The same answer was given before for this call, and was wrong. The call continues to wait. */
  class GivenBefore extends ModemdError {
    readonly code: 'org.modemd.MIRACL.GivenBefore';
    readonly parameters: {
    };
  }

  /** This machine has no identity of this user. */
  class NoSuchIdentity extends ModemdError {
    readonly code: 'org.modemd.MIRACL.NoSuchIdentity';
    readonly parameters: {
    };
  }

  /** The identities on this machine cannot be read or written. */
  class StoreFailed extends ModemdError {
    readonly code: 'org.modemd.MIRACL.StoreFailed';
    readonly parameters: {
      /** One sentence that names the file. */
      text: string;
    };
  }

  /** The methods of org.modemd.MIRACL. */
  interface Methods {
    /**
     * Asks for the subject of the session of a website's link. Replies: `ready`, then a `step` for each
     * action with a `hop` for each request over the bearer, then the `outcome`. Without `more`, only the
     * outcome.
     */
    getSession(
      parameters: GetSessionParameters,
      options?: CallOptions,
    ): Flow<GetSessionReply>;
    /** Tells a session that nobody will log in or sign. Replies like GetSession. */
    abortSession(
      parameters?: AbortSessionParameters,
      options?: CallOptions,
    ): Flow<AbortSessionReply>;
    /**
     * Verifies a user, makes an identity with a PIN that the caller chooses, and stores it in place of
     * an earlier one. It goes on where the same caller's last call for this user stopped, for an hour
     * after a mail and for 10 minutes after the verification: no other mail is sent, and no link or code
     * is wanted twice. Only with `more`: `ready`, then `step` and `hop`, `question` when GivePIN or
     * GiveMail must be called, then the `outcome`.
     */
    register(
      parameters: RegisterParameters,
      options?: CallOptions & AskingForPIN,
    ): Flow<RegisterReply>;
    /**
     * Logs a user in at a website, or gets a token for an application's own backend. Only with `more`,
     * like Register.
     */
    login(
      parameters?: LoginParameters,
      options?: CallOptions & AskingForPIN,
    ): Flow<LoginReply>;
    /**
     * Signs a document's hash, or the hash that a session needs signed, which then gets the signature.
     * Give exactly one of the first three. Only with `more`, like Register.
     */
    sign(
      parameters?: SignParameters,
      options?: CallOptions & AskingForPIN,
    ): Flow<SignReply>;
    /**
     * Asks the platform to verify a signature, with the credentials of the project's own backend.
     * Replies like GetSession.
     */
    verifySignature(
      parameters: VerifySignatureParameters,
      options?: CallOptions,
    ): Flow<VerifySignatureReply>;
    /**
     * Gets a code that registers another device of a user. It asks for the PIN. Only with `more`, like
     * Register.
     */
    quickCode(
      parameters?: QuickCodeParameters,
      options?: CallOptions & AskingForPIN,
    ): Flow<QuickCodeReply>;
    /**
     * Gives the PIN that a call waits for. A PIN of the wrong length is refused, and the call continues
     * to wait.
     */
    givePIN(
      parameters: GivePINParameters,
      options?: CallOptions,
    ): Promise<GivePINReply>;
    /** Gives what the mail contained: the complete link, or the code. */
    giveMail(
      parameters: GiveMailParameters,
      options?: CallOptions,
    ): Promise<GiveMailReply>;
    /** Lists what this machine keeps. */
    identities(
      parameters?: IdentitiesParameters,
      options?: CallOptions,
    ): Promise<IdentitiesReply>;
    /** Deletes a user's identity from this machine. The service is not told. */
    forget(
      parameters: ForgetParameters,
      options?: CallOptions,
    ): Promise<ForgetReply>;
  }
}

/**
 * Mobile Connect: the SIM's operator, and that operator's statements about who its user is.
 * Authorizations go over the bearer, without a browser. Errors about modems (NoModem,
 * MoreThanOneModem, NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is
 * that of org.modemd.Check, and those about arguments and providers (InvalidArgument, NoProvider,
 * MoreThanOneProvider) are those of org.modemd.Verify. Every method is a stream: `ready`, then a
 * `step` for each action with a `hop` for each request over the bearer, then the `outcome`. Without
 * `more`, only the outcome. The types Step, Hop and Outcome are the same in every interface of a
 * provider. Later versions may add fields, and new words to the enums of replies and errors. Replies
 * and errors always have all their fields; a field without a value is null.
 */
export namespace MobileConnect {
  /** One action of the flow. */
  type Step = Verify.Step;

  /** One request over the bearer and its answer. */
  type Hop = Verify.Hop;

  /** How the flow ended. */
  type Outcome = Verify.Outcome;

  /** The kind of a stream's reply. */
  type Event = 'ready' | 'step' | 'hop' | 'outcome' | (string & {});

  /**
   * How a discovery service identifies the operator: by the network's codes, by a number, by the
   * address of the request, or on a page where a person selects it.
   */
  type Way = 'network' | 'number' | 'address' | 'page' | (string & {});

  /** Selects the operator. Null fields use the SIM's values. */
  interface Whose {
    /**
     * Null for the configured ways, in their order, or for the way by number if `number` is given and
     * neither `network` nor `callback`.
     */
    way?: Way | null;
    /** In international form. */
    number?: string | null;
    /** MCC and MNC in digits, as in 26201. */
    network?: string | null;
    /**
     * The complete URL to which the browser returned from the page where the operator is selected. It
     * replaces all ways.
     */
    callback?: string | null;
  }

  /** An operator, as a discovery service, its own metadata or the configuration describes it. */
  interface Operator {
    name: string | null;
    /** As in UK. */
    country: string | null;
    /** As in GBP. */
    currency: string | null;
    /** The client that the operator knows. Its secret is never returned. */
    clientID: string | null;
    /** The application's registered name. */
    clientName: string | null;
    applicationShortName: string | null;
    /** What the link `scope` says. */
    scope: string | null;
    /** The issuer of its ID tokens. */
    issuer: string | null;
    /**
     * URLs by their relation: authorization, token, userinfo, premiuminfo, tokenrevoke, tokenrefresh,
     * jwks, openid-configuration, si-authorize.
     */
    endpoints: { [key: string]: string };
    /** mc_version of its metadata. */
    versions: Array<string>;
    scopes: Array<string>;
    acrValues: Array<string>;
    /** As in MSISDN, ENCR_MSISDN, PCR; empty if the operator lists none. */
    loginHintMethods: Array<string>;
  }

  /** What discovery found. */
  interface Discovery {
    found: Operator;
    /** The way that led to it; null for a configured operator. */
    way: Way | null;
    /** The number, encrypted for the operator: for `hintEncrypted` of a request. */
    subscriberID: string | null;
    subscriberIDToken: string | null;
    /** Whether it was kept from an earlier call. */
    kept: boolean;
    /** Whether it is out of date, and was used because the service could not be reached. */
    stale: boolean;
  }

  /**
   * Whether a person is asked (OpenID Connect Core, 3.1.2.1). With no_seam, a person is asked although
   * the bearer is recognised.
   */
  type Prompt = 'none' | 'login' | 'consent' | 'select_account' | 'no_seam';

  /** The request to the operator. Null fields use the configuration, or are omitted. */
  interface Request {
    /** Words; openid is added in front of them. */
    scope?: Array<string> | null;
    /** Levels of assurance in order of preference: 2 one factor, 3 two. */
    acr?: Array<string> | null;
    /**
     * The subject, in one of three forms: a number in international form, the subscriberID of a
     * discovery, or the `sub` of an earlier ID token.
     */
    hintNumber?: string | null;
    hintEncrypted?: string | null;
    hintCustomer?: string | null;
    /** Issued by the operator, from version 3.0 on. It is not another form of a login hint. */
    loginHintToken?: string | null;
    /** Null for random ones. */
    state?: string | null;
    nonce?: string | null;
    display?: 'page' | 'popup' | 'touch' | 'wap' | null;
    /**
     * Null or empty for none. Version 3.0 supports none, login and no_seam; others are omitted there.
     * An authorisation always has login.
     */
    prompt?: Array<Prompt> | null;
    /** 0 to 31536000. */
    maximumAgeSeconds?: number | null;
    /** Language tags. */
    uiLocales?: Array<string> | null;
    claimsLocales?: Array<string> | null;
    /** An earlier ID token. */
    idTokenHint?: string | null;
    /** Data for the handset to sign. */
    dtbs?: string | null;
    /** OpenID Connect Core, 5.5. */
    claims?: JSONValue | null;
    /**
     * Values for KYC Match and Attribute Match by their names, those with _hashed for hashes: name, or
     * given_name and family_name; address, or houseno_or_housename, postal_code, town and country;
     * birthdate; is_lost_stolen, billing_segment, account_state.
     */
    kyc?: { [key: string]: string } | null;
    /**
     * For an authorisation: the scope mc_authz alone, or a context without mc_authn. The first two are
     * required in versions 1.2 to 2.3.
     */
    clientName?: string | null;
    context?: string | null;
    bindingMessage?: string | null;
    /** As in mc_di_r2_v2.3; null for the configured one, else the newest common one. */
    version?: string | null;
  }

  /**
   * What an application's own backend exchanges for tokens (RFC 6749, 4.1.3). It works once, and soon
   * expires.
   */
  interface Authorization {
    code: string;
    /** As it was sent and came back. */
    state: string;
    /** For the ID token to repeat. */
    nonce: string;
    /** The complete redirect URI with its parameters. */
    redirect: string;
    /** As it was sent. */
    version: string;
  }

  /** The answer of the operator's token endpoint. */
  interface Tokens {
    accessToken: string;
    /** As in Bearer. */
    tokenType: string | null;
    /** Seconds from when it came. */
    expiresIn: number | null;
    refreshToken: string | null;
    /**
     * Unchanged. It was validated: signature, issuer, audience, nonce, times, at_hash, acr, amr and
     * hashed_login_hint.
     */
    idToken: string | null;
    /** What the ID token says. */
    claims: JSONValue | null;
    /** The pseudonymous customer reference: this client's identifier of the user. */
    subject: string | null;
  }

  /** A postal address. */
  interface Address {
    formatted: string | null;
    street: string | null;
    city: string | null;
    state: string | null;
    postalCode: string | null;
    country: string | null;
  }

  /** The operator's data about the subscriber, depending on the requested scope. */
  interface Information {
    subject: string | null;
    name: string | null;
    givenName: string | null;
    middleName: string | null;
    familyName: string | null;
    nickname: string | null;
    preferredUsername: string | null;
    title: string | null;
    /** Unchanged: in international form, or hashed. */
    phoneNumber: string | null;
    phoneNumberAlternate: string | null;
    email: string | null;
    emailVerified: boolean | null;
    address: Address | null;
    birthdate: string | null;
    nationalIdentifier: string | null;
    clientName: string | null;
    idToken: string | null;
    accessToken: string | null;
    /** Unchanged: seconds since 1970, or text. */
    updatedAt: string | null;
    correlationID: string | null;
    /** All its fields, including those not named above. */
    all: JSONValue;
  }

  /** What `Discover` takes. */
  interface DiscoverParameters {
    /** Null for the SIM. */
    whose?: Whose | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Discover` answers. */
  interface DiscoverReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** With the result `covered`. */
    discovery: Discovery | null;
    /**
     * With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
     */
    page: string | null;
  }

  /** What `Discover` answers, by `event`. */
  type DiscoverReply =
    | (DiscoverReplyFields & { event: 'ready' | UnknownWord })
    | (DiscoverReplyFields & { event: 'step'; step: Step })
    | (DiscoverReplyFields & { event: 'hop'; hop: Hop })
    | (DiscoverReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Authorize` takes. */
  interface AuthorizeParameters {
    /** Null for what is configured. */
    request?: Request | null;
    /** Null for the SIM. */
    whose?: Whose | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Authorize` answers. */
  interface AuthorizeReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** With the result `authorized`. */
    authorization: Authorization | null;
    /**
     * With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
     */
    page: string | null;
  }

  /** What `Authorize` answers, by `event`. */
  type AuthorizeReply =
    | (AuthorizeReplyFields & { event: 'ready' | UnknownWord })
    | (AuthorizeReplyFields & { event: 'step'; step: Step })
    | (AuthorizeReplyFields & { event: 'hop'; hop: Hop })
    | (AuthorizeReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Login` takes. */
  interface LoginParameters {
    /** Null for the configured one. An app's server makes its own. */
    request?: Request | null;
    /** Also requests this from the operator with the token. */
    information?: 'userinfo' | 'premiuminfo' | null;
    /**
     * False to use this machine alone, even if there is an app's server; null for the app's server if
     * there is one.
     */
    appServer?: boolean | null;
    /** Null for the SIM. */
    whose?: Whose | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Login` answers. */
  interface LoginReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** With the result `signedIn`, if this machine did it. */
    tokens: Tokens | null;
    information: Information | null;
    /**
     * With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
     */
    page: string | null;
    /**
     * With the result `signedIn`, if an app's server did it: its last answer, such as its session, if
     * that is a JSON object.
     */
    serverAnswer: JSONValue | null;
  }

  /** What `Login` answers, by `event`. */
  type LoginReply =
    | (LoginReplyFields & { event: 'ready' | UnknownWord })
    | (LoginReplyFields & { event: 'step'; step: Step })
    | (LoginReplyFields & { event: 'hop'; hop: Hop })
    | (LoginReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Exchange` takes. */
  interface ExchangeParameters {
    code: string;
    /** The nonce of the code's authorization, which the ID token must repeat. */
    nonce: string;
    /** The request of the code's authorization; null for what is configured. */
    request?: Request | null;
    /** Also requests this from the operator with the token. */
    information?: 'userinfo' | 'premiuminfo' | null;
    /** Null for the SIM. */
    whose?: Whose | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Exchange` answers. */
  interface ExchangeReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** With the result `signedIn`. */
    tokens: Tokens | null;
    information: Information | null;
  }

  /** What `Exchange` answers, by `event`. */
  type ExchangeReply =
    | (ExchangeReplyFields & { event: 'ready' | UnknownWord })
    | (ExchangeReplyFields & { event: 'step'; step: Step })
    | (ExchangeReplyFields & { event: 'hop'; hop: Hop })
    | (ExchangeReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Validate` takes. */
  interface ValidateParameters {
    /** In international form. */
    number: string;
    /** mc_mnv_validate, or mc_mnv_validate_plus; null for the configured one. */
    form?: 'plain' | 'plus' | null;
    /** Null for the SIM. */
    whose?: Whose | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Validate` answers. */
  interface ValidateReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /**
     * With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
     */
    page: string | null;
  }

  /** What `Validate` answers, by `event`. */
  type ValidateReply =
    | (ValidateReplyFields & { event: 'ready' | UnknownWord })
    | (ValidateReplyFields & { event: 'step'; step: Step })
    | (ValidateReplyFields & { event: 'hop'; hop: Hop })
    | (ValidateReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `AskAtHandset` takes. */
  interface AskAtHandsetParameters {
    /** With a hint; the SIM's own number if it has none. */
    request?: Request | null;
    /** Null for the SIM. */
    whose?: Whose | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `AskAtHandset` answers. */
  interface AskAtHandsetReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** With the result `signedIn`. */
    tokens: Tokens | null;
  }

  /** What `AskAtHandset` answers, by `event`. */
  type AskAtHandsetReply =
    | (AskAtHandsetReplyFields & { event: 'ready' | UnknownWord })
    | (AskAtHandsetReplyFields & { event: 'step'; step: Step })
    | (AskAtHandsetReplyFields & { event: 'hop'; hop: Hop })
    | (AskAtHandsetReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Refresh` takes. */
  interface RefreshParameters {
    refreshToken: string;
    /** Null for the token's scope. */
    scope?: Array<string> | null;
    /** The required subject of a new ID token; null accepts any. */
    subject?: string | null;
    /** Null for the SIM. */
    whose?: Whose | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Refresh` answers. */
  interface RefreshReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** With the result `authorized`. */
    tokens: Tokens | null;
  }

  /** What `Refresh` answers, by `event`. */
  type RefreshReply =
    | (RefreshReplyFields & { event: 'ready' | UnknownWord })
    | (RefreshReplyFields & { event: 'step'; step: Step })
    | (RefreshReplyFields & { event: 'hop'; hop: Hop })
    | (RefreshReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Revoke` takes. */
  interface RevokeParameters {
    token: string;
    /** The kind of the token. */
    kind: 'access' | 'refresh';
    /** Null for the SIM. */
    whose?: Whose | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Revoke` answers. */
  interface RevokeReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
  }

  /** What `Revoke` answers, by `event`. */
  type RevokeReply =
    | (RevokeReplyFields & { event: 'ready' | UnknownWord })
    | (RevokeReplyFields & { event: 'step'; step: Step })
    | (RevokeReplyFields & { event: 'hop'; hop: Hop })
    | (RevokeReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `UserInfo` takes. */
  interface UserInfoParameters {
    accessToken: string;
    /** The required subject; null accepts any. */
    subject?: string | null;
    /** Null for the SIM. */
    whose?: Whose | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `UserInfo` answers. */
  interface UserInfoReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** With the result `authorized`. */
    information: Information | null;
  }

  /** What `UserInfo` answers, by `event`. */
  type UserInfoReply =
    | (UserInfoReplyFields & { event: 'ready' | UnknownWord })
    | (UserInfoReplyFields & { event: 'step'; step: Step })
    | (UserInfoReplyFields & { event: 'hop'; hop: Hop })
    | (UserInfoReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Identity` takes. */
  interface IdentityParameters {
    accessToken: string;
    /** The required subject; null accepts any. */
    subject?: string | null;
    /** Null for the SIM. */
    whose?: Whose | null;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Identity` answers. */
  interface IdentityReplyFields {
    step: Step | null;
    hop: Hop | null;
    outcome: Outcome | null;
    /** With the result `authorized`. */
    information: Information | null;
  }

  /** What `Identity` answers, by `event`. */
  type IdentityReply =
    | (IdentityReplyFields & { event: 'ready' | UnknownWord })
    | (IdentityReplyFields & { event: 'step'; step: Step })
    | (IdentityReplyFields & { event: 'hop'; hop: Hop })
    | (IdentityReplyFields & { event: 'outcome'; outcome: Outcome });

  /** The methods of org.modemd.MobileConnect. */
  interface Methods {
    /**
     * Finds the SIM's operator with its endpoints and metadata. With `interactionRequired`, a person
     * selects it on the page, and the call is repeated with the URL to which the browser returns.
     */
    discover(
      parameters?: DiscoverParameters,
      options?: CallOptions,
    ): Flow<DiscoverReply>;
    /** Gets an authorization code over the bearer, for the application's own backend. */
    authorize(
      parameters?: AuthorizeParameters,
      options?: CallOptions,
    ): Flow<AuthorizeReply>;
    /**
     * Signs in the SIM's user. If the provider has an app's server, the device's address, network and
     * number are sent to it, and the redirects that it returns are followed over the bearer to their
     * end. The server then has the tokens. Otherwise, this machine does it all: discovery,
     * authorization, tokens, and the validation of the ID token.
     */
    login(
      parameters?: LoginParameters,
      options?: CallOptions,
    ): Flow<LoginReply>;
    /**
     * Exchanges a code that Authorize gave earlier, or that the application got itself with the
     * configured client and redirect URI, and validates the ID token. Nothing goes over the bearer.
     */
    exchange(
      parameters: ExchangeParameters,
      options?: CallOptions,
    ): Flow<ExchangeReply>;
    /** Asks the operator whether a number is the SIM's (Mobile Number Validation). */
    validate(
      parameters: ValidateParameters,
      options?: CallOptions,
    ): Flow<ValidateReply>;
    /**
     * Makes the operator ask the user at the handset, without redirects, and waits for the answer: the
     * server-initiated mode with polling. Nothing goes over the bearer.
     */
    askAtHandset(
      parameters?: AskAtHandsetParameters,
      options?: CallOptions,
    ): Flow<AskAtHandsetReply>;
    /** Exchanges a refresh token for new tokens. */
    refresh(
      parameters: RefreshParameters,
      options?: CallOptions,
    ): Flow<RefreshReply>;
    /** Takes a token back. */
    revoke(
      parameters: RevokeParameters,
      options?: CallOptions,
    ): Flow<RevokeReply>;
    /** Asks the operator's userinfo for data about a token's subscriber. */
    userInfo(
      parameters: UserInfoParameters,
      options?: CallOptions,
    ): Flow<UserInfoReply>;
    /** Asks the operator's identity services (premiuminfo). */
    identity(
      parameters: IdentityParameters,
      options?: CallOptions,
    ): Flow<IdentityReply>;
  }
}

/**
 * Whether a number has got another subscriber, from CAMARA's Number Recycling. Errors about modems
 * are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. InvalidArgument,
 * NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome
 * are the same in every interface of a provider. Later versions may add fields, and new words to the
 * enums of replies and errors. Replies and errors always have all their fields; a field without a
 * value is null.
 */
export namespace NumberRecycling {
  /** One action of the flow. */
  type Step = Verify.Step;

  /** One request over the bearer and its answer. */
  type Hop = Verify.Hop;

  /** How the flow ended. */
  type Outcome = Verify.Outcome;

  /** What `Check` takes. */
  interface CheckParameters {
    /**
     * In international form; null for the SIM in this machine, which the operator recognises by the
     * bearer.
     */
    number?: string | null;
    /**
     * The day, as in 2026-10-31: often the one on which an account was last known to be its owner's.
     */
    since: string;
    /** Name of the provider; null for the only one that is meant for the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Check` answers. */
  interface CheckReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /**
     * With the outcome: whether the number has another subscriber than on that day, or had none for a
     * time; null without an answer.
     */
    changed: boolean | null;
    /**
     * With the outcome: the word by which the operator finds the calls of this flow; null without an
     * answer.
     */
    correlator: string | null;
  }

  /** What `Check` answers, by `event`. */
  type CheckReply =
    | (CheckReplyFields & { event: 'ready' | UnknownWord })
    | (CheckReplyFields & { event: 'step'; step: Step })
    | (CheckReplyFields & { event: 'hop'; hop: Hop })
    | (CheckReplyFields & { event: 'outcome'; outcome: Outcome });

  /** The methods of org.modemd.NumberRecycling. */
  interface Methods {
    /**
     * Asks whether a number has got another subscriber since a day. The outcome's result is `answered`,
     * and `changed` is the answer. A stream like that of Verify.Number.
     */
    check(
      parameters: CheckParameters,
      options?: CallOptions,
    ): Flow<CheckReply>;
  }
}

/**
 * GSMA TS.43: the SIM answers a challenge of its operator over any network, and the operator's
 * entitlement server tells its number. Errors about modems are those of org.modemd.Modem, and
 * TooManyFlows is that of org.modemd.Check. InvalidArgument, NoProvider and MoreThanOneProvider are
 * those of org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a
 * provider. Later versions may add fields, and new words to the enums of replies and errors. Replies
 * and errors always have all their fields; a field without a value is null.
 */
export namespace TS43 {
  /** One action of the flow. */
  type Step = Verify.Step;

  /** One request over the bearer and its answer. */
  type Hop = Verify.Hop;

  /** How the flow ended. */
  type Outcome = Verify.Outcome;

  /** What `Verify` takes. */
  interface VerifyParameters {
    /** In international form, as in +447700900123. */
    number: string;
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Verify` answers. */
  interface VerifyReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
  }

  /** What `Verify` answers, by `event`. */
  type VerifyReply =
    | (VerifyReplyFields & { event: 'ready' | UnknownWord })
    | (VerifyReplyFields & { event: 'step'; step: Step })
    | (VerifyReplyFields & { event: 'hop'; hop: Hop })
    | (VerifyReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `PhoneNumber` takes. */
  interface PhoneNumberParameters {
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `PhoneNumber` answers. */
  interface PhoneNumberReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /**
     * With the result `numberRead`: the number that the operator has for the SIM, in international
     * form.
     */
    number: string | null;
    /**
     * With the result `numberRead`: the number that stands on the SIM (EF_MSISDN); null if it has
     * none, or if the caller may not call org.modemd.Modem.Get.
     */
    simNumber: string | null;
    /**
     * Whether the two are the same; null if one of them is. Operators keep the first; the second is
     * what was once written on the card.
     */
    same: boolean | null;
  }

  /** What `PhoneNumber` answers, by `event`. */
  type PhoneNumberReply =
    | (PhoneNumberReplyFields & { event: 'ready' | UnknownWord })
    | (PhoneNumberReplyFields & { event: 'step'; step: Step })
    | (PhoneNumberReplyFields & { event: 'hop'; hop: Hop })
    | (PhoneNumberReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `SubscriberInfo` takes. */
  interface SubscriberInfoParameters {
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `SubscriberInfo` answers. */
  interface SubscriberInfoReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /**
     * With the result `answered`: the number, in international form; null if the operator does not
     * tell.
     */
    number: string | null;
    /**
     * With the result `answered`: the kind of the SIM's id, as in iccid, in the operator's words; null
     * if it does not tell.
     */
    simIDType: string | null;
    /** With the result `answered`: that id; null if the operator does not tell. */
    simID: string | null;
    /** With the result `answered`: the virtual operator; null if there is none. */
    virtualOperator: string | null;
  }

  /** What `SubscriberInfo` answers, by `event`. */
  type SubscriberInfoReply =
    | (SubscriberInfoReplyFields & { event: 'ready' | UnknownWord })
    | (SubscriberInfoReplyFields & { event: 'step'; step: Step })
    | (SubscriberInfoReplyFields & { event: 'hop'; hop: Hop })
    | (SubscriberInfoReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `TemporaryToken` takes. */
  interface TemporaryTokenParameters {
    /** What the token is for. */
    operation: 'phoneNumber' | 'verify';
    /** Name of the provider; null for the only one that serves the SIM's network. */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `TemporaryToken` answers. */
  interface TemporaryTokenReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** With the result `authorized`: the token. It is a secret. */
    token: string | null;
    /**
     * With the result `authorized`: when it ends (RFC 3339); null if the operator does not tell.
     */
    expires: string | null;
    /** With the result `authorized`: mobile country code of the operator that has to be asked. */
    mcc: string | null;
    /** With the result `authorized`: its mobile network code, of two or three digits. */
    mnc: string | null;
    /**
     * With the result `authorized`: the SIM's Group Identifier Level 1 in hexadecimal digits, by which
     * virtual operators are told apart; null if the SIM has none.
     */
    gid1: string | null;
  }

  /** What `TemporaryToken` answers, by `event`. */
  type TemporaryTokenReply =
    | (TemporaryTokenReplyFields & { event: 'ready' | UnknownWord })
    | (TemporaryTokenReplyFields & { event: 'step'; step: Step })
    | (TemporaryTokenReplyFields & { event: 'hop'; hop: Hop })
    | (TemporaryTokenReplyFields & { event: 'outcome'; outcome: Outcome });

  /** The methods of org.modemd.TS43. */
  interface Methods {
    /**
     * Asks whether a number is that of the SIM. The server is told the number and answers yes or no;
     * this machine does not learn the SIM's number. The replies are a stream like that of Verify.Number.
     */
    verify(
      parameters: VerifyParameters,
      options?: CallOptions,
    ): Flow<VerifyReply>;
    /** Asks for the SIM's number. The replies are a stream like that of Verify.Number. */
    phoneNumber(
      parameters?: PhoneNumberParameters,
      options?: CallOptions,
    ): Flow<PhoneNumberReply>;
    /**
     * Asks what the operator has about the SIM's subscription. The replies are a stream like that of
     * Verify.Number.
     */
    subscriberInfo(
      parameters?: SubscriberInfoParameters,
      options?: CallOptions,
    ): Flow<SubscriberInfoReply>;
    /**
     * Gets a token for one operation, which the caller's own server then asks of the operator. Whoever
     * has it may ask in the SIM's name, once, within minutes. modemd does not keep it. It needs its own
     * entry in the access table; without one, only root may call. The replies are a stream like that of
     * Verify.Number.
     */
    temporaryToken(
      parameters: TemporaryTokenParameters,
      options?: CallOptions,
    ): Flow<TemporaryTokenReply>;
  }
}

/**
 * tru.ID: PhoneCheck, SubscriberCheck, SIMCheck, coverage and traces, through an application's
 * backend or the API, as configured. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem,
 * PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and
 * InvalidArgument, NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types
 * Step, Hop and Outcome are the same in every interface of a provider.
 *
 * Every method is a stream: `ready`, then a `step` for each action with a `hop` for each request
 * over the bearer, then the `outcome`. Without `more`, only the outcome. Later versions may add
 * fields, and new words to the enums of replies and errors. Replies and errors always have all their
 * fields; a field without a value is null.
 */
export namespace TruID {
  /** One action of the flow. */
  type Step = Verify.Step;

  /** One request over the bearer and its answer. */
  type Hop = Verify.Hop;

  /** How the flow ended. */
  type Outcome = Verify.Outcome;

  /** The kind of a stream's reply. */
  type Event = MobileConnect.Event;

  /** Who makes checks: an application's backend, or tru.ID's API with the project's credentials. */
  type Way = 'backend' | 'api';

  /** tru.ID's data about a check besides its outcome. */
  interface Check {
    /** tru.ID's id of the check; null if a backend does not give it. */
    id: string | null;
    /** MCC and MNC of the number's network. */
    network: string | null;
    /**
     * Minutes within which the SIM was changed, as far as the operator reports it; 525601 for more
     * than a year.
     */
    simChangeWithinMinutes: number | null;
    /** Minutes that were looked back. */
    simChangePeriodMinutes: number | null;
    /** When the SIM was last changed, as tru.ID wrote it. */
    lastSIMChange: string | null;
    /** Requests per hour that tru.ID allows. */
    rateLimit: number | null;
    /** How many of them are left. */
    rateRemaining: number | null;
  }

  /** A product of tru.ID, and where it can be used. */
  interface Product {
    /** As in pck, sck, suk. */
    id: string;
    name: string | null;
    /** As in FULL, PARTIAL, COMING_SOON; null if the answer is about one address. */
    extent: string | null;
    /** MCCs with MNCs. */
    networks: Array<string>;
  }

  /** What tru.ID serves at an address or in a country. */
  interface Served {
    /** MCC and MNC. */
    network: string | null;
    networkName: string | null;
    /** Other codes of the same network. */
    aliases: Array<string>;
    /** Two letters. */
    country: string | null;
    /** As in 44. */
    dialingCode: string | null;
    /** The address that tru.ID saw: the bearer's public one. */
    address: string | null;
    /** Null if tru.ID does not list them. */
    products: Array<Product> | null;
  }

  /** A line of a trace. */
  interface Entry {
    /** As tru.ID wrote it. */
    time: string;
    /** It may name the number. */
    message: string;
    attributes: JSONValue | null;
  }

  /** What tru.ID recorded while it handled a check. */
  interface Trace {
    id: string;
    entries: Array<Entry>;
  }

  /** What `PhoneCheck` takes. */
  interface PhoneCheckParameters {
    /** In international form, as in +447700900123. */
    number: string;
    /** v0.1 or v0.2; null for the configured one. */
    version?: string | null;
    /** Null for the configured one. */
    way?: Way | null;
    /**
     * The caller's own id of the check, 1 to 64 printable characters without blanks; it must not
     * contain personal data.
     */
    reference?: string | null;
    /**
     * Name of the provider in the configuration; null for the only one that serves the SIM's network.
     */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `PhoneCheck` answers. */
  interface PhoneCheckReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome`, if there was a check. */
    check: Check | null;
    /**
     * With a verdict of an app's backend (way backend, redirect.fetch): its answer, such as its
     * session, if that is a JSON object.
     */
    serverAnswer: JSONValue | null;
  }

  /** What `PhoneCheck` answers, by `event`. */
  type PhoneCheckReply =
    | (PhoneCheckReplyFields & { event: 'ready' | UnknownWord })
    | (PhoneCheckReplyFields & { event: 'step'; step: Step })
    | (PhoneCheckReplyFields & { event: 'hop'; hop: Hop })
    | (PhoneCheckReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `SubscriberCheck` takes. */
  interface SubscriberCheckParameters {
    /** In international form, as in +447700900123. */
    number: string;
    /**
     * How many minutes back a change of the SIM counts, 60 to 540000; null for tru.ID's seven days. A
     * backend decides by itself.
     */
    periodMinutes?: number | null;
    /** v0.1 or v0.2; null for the configured one. */
    version?: string | null;
    /** Null for the configured one. */
    way?: Way | null;
    /**
     * The caller's own id of the check, 1 to 64 printable characters without blanks; it must not
     * contain personal data.
     */
    reference?: string | null;
    /**
     * Name of the provider in the configuration; null for the only one that serves the SIM's network.
     */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `SubscriberCheck` answers. */
  interface SubscriberCheckReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome`, if there was a check. */
    check: Check | null;
    /**
     * With a verdict of an app's backend (way backend, redirect.fetch): its answer, such as its
     * session, if that is a JSON object.
     */
    serverAnswer: JSONValue | null;
  }

  /** What `SubscriberCheck` answers, by `event`. */
  type SubscriberCheckReply =
    | (SubscriberCheckReplyFields & { event: 'ready' | UnknownWord })
    | (SubscriberCheckReplyFields & { event: 'step'; step: Step })
    | (SubscriberCheckReplyFields & { event: 'hop'; hop: Hop })
    | (SubscriberCheckReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `SIMCheck` takes. */
  interface SIMCheckParameters {
    /** In international form, as in +447700900123. */
    number: string;
    /**
     * How many minutes back a change of the SIM counts, 60 to 540000; null for tru.ID's seven days. A
     * backend decides by itself.
     */
    periodMinutes?: number | null;
    /** Null for the configured one. */
    way?: Way | null;
    /**
     * The caller's own id of the check, 1 to 64 printable characters without blanks; it must not
     * contain personal data.
     */
    reference?: string | null;
    /**
     * Name of the provider in the configuration; null for the only one that serves the SIM's network.
     */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `SIMCheck` answers. */
  interface SIMCheckReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome`, if there was a check. */
    check: Check | null;
  }

  /** What `SIMCheck` answers, by `event`. */
  type SIMCheckReply =
    | (SIMCheckReplyFields & { event: 'ready' | UnknownWord })
    | (SIMCheckReplyFields & { event: 'step'; step: Step })
    | (SIMCheckReplyFields & { event: 'hop'; hop: Hop })
    | (SIMCheckReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Coverage` takes. */
  interface CoverageParameters {
    /** An IPv4 or IPv6 address; null for the bearer's own, which is determined over the bearer. */
    address?: string | null;
    /** Two letters or a dialling code, as in GB and 44; not together with `address`. */
    country?: string | null;
    /** The product that must be served; null for any. Only for the bearer's own address. */
    product?: 'phoneCheck' | 'subscriberCheck' | null;
    /** Null for the configured one. */
    way?: Way | null;
    /**
     * Name of the provider in the configuration; null for the only one that serves the SIM's network.
     */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Coverage` answers. */
  interface CoverageReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome`, if tru.ID answered. */
    served: Served | null;
  }

  /** What `Coverage` answers, by `event`. */
  type CoverageReply =
    | (CoverageReplyFields & { event: 'ready' | UnknownWord })
    | (CoverageReplyFields & { event: 'step'; step: Step })
    | (CoverageReplyFields & { event: 'hop'; hop: Hop })
    | (CoverageReplyFields & { event: 'outcome'; outcome: Outcome });

  /** What `Traces` takes. */
  interface TracesParameters {
    /** tru.ID's id of the check. */
    check: string;
    /** What the check was. */
    kind: 'phoneCheck' | 'subscriberCheck' | 'simCheck';
    /** v0.1 or v0.2; null for the configured one. */
    version?: string | null;
    /** Id of one trace; null for all. */
    trace?: string | null;
    /**
     * Name of the provider in the configuration; null for the only one that serves the SIM's network.
     */
    provider?: string | null;
    /** Id, device or interface of the modem; null for the only one. */
    modem?: string | null;
    /**
     * The caller's trace (W3C Trace Context), as in
     * 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
     */
    traceparent?: string | null;
  }

  /** What `Traces` answers. */
  interface TracesReplyFields {
    /** Set with `step`. */
    step: Step | null;
    /** Set with `hop`. */
    hop: Hop | null;
    /** Set with `outcome`. */
    outcome: Outcome | null;
    /** Set with `outcome`, if tru.ID answered. */
    traces: Array<Trace> | null;
  }

  /** What `Traces` answers, by `event`. */
  type TracesReply =
    | (TracesReplyFields & { event: 'ready' | UnknownWord })
    | (TracesReplyFields & { event: 'step'; step: Step })
    | (TracesReplyFields & { event: 'hop'; hop: Hop })
    | (TracesReplyFields & { event: 'outcome'; outcome: Outcome });

  /** The methods of org.modemd.TruID. */
  interface Methods {
    /** Whether a number is that of the SIM. */
    phoneCheck(
      parameters: PhoneCheckParameters,
      options?: CallOptions,
    ): Flow<PhoneCheckReply>;
    /** Whether a number is that of the SIM, and whether it recently moved to another SIM. */
    subscriberCheck(
      parameters: SubscriberCheckParameters,
      options?: CallOptions,
    ): Flow<SubscriberCheckReply>;
    /**
     * Whether a number recently moved to another SIM. Nothing goes over the bearer, and the number may
     * be anybody's.
     */
    simCheck(
      parameters: SIMCheckParameters,
      options?: CallOptions,
    ): Flow<SIMCheckReply>;
    /**
     * Whether tru.ID serves the operator of the bearer's address, of a given address, or operators in a
     * country.
     */
    coverage(
      parameters?: CoverageParameters,
      options?: CallOptions,
    ): Flow<CoverageReply>;
    /**
     * What tru.ID recorded while it handled a check, for seven days. It requires credentials of the API.
     */
    traces(
      parameters: TracesParameters,
      options?: CallOptions,
    ): Flow<TracesReply>;
  }
}

/** The interfaces, as properties of a connection. */
export interface Interfaces {
  /** org.modemd.Modem */
  readonly modem: Modem.Methods;
  /** org.modemd.Bearer */
  readonly bearer: Bearer.Methods;
  /** org.modemd.Verify */
  readonly verify: Verify.Methods;
  /** org.modemd.Check */
  readonly check: Check.Methods;
  /** org.modemd.Messages */
  readonly messages: Messages.Methods;
  /** org.modemd.Service */
  readonly service: Service.Methods;
  /** org.modemd.Usage */
  readonly usage: Usage.Methods;
  /** org.modemd.NumberVerification */
  readonly numberVerification: NumberVerification.Methods;
  /** org.modemd.SIMSwap */
  readonly simSwap: SIMSwap.Methods;
  /** org.modemd.PhoneSignIn */
  readonly phoneSignIn: PhoneSignIn.Methods;
  /** org.modemd.IPification */
  readonly ipification: IPification.Methods;
  /** org.modemd.MIRACL */
  readonly miracl: MIRACL.Methods;
  /** org.modemd.MobileConnect */
  readonly mobileConnect: MobileConnect.Methods;
  /** org.modemd.NumberRecycling */
  readonly numberRecycling: NumberRecycling.Methods;
  /** org.modemd.TS43 */
  readonly tS43: TS43.Methods;
  /** org.modemd.TruID */
  readonly truID: TruID.Methods;
}

/** What each method takes and answers, by its name on the wire. */
export interface MethodTypes {
  'org.modemd.Modem.List': {
    parameters: Modem.ListParameters;
    reply: Modem.ListReply;
  };
  'org.modemd.Modem.Get': {
    parameters: Modem.GetParameters;
    reply: Modem.GetReply;
  };
  'org.modemd.Modem.Watch': {
    parameters: Modem.WatchParameters;
    reply: Modem.WatchReply;
  };
  'org.modemd.Modem.UnlockPIN': {
    parameters: Modem.UnlockPINParameters;
    reply: Modem.UnlockPINReply;
  };
  'org.modemd.Modem.Slots': {
    parameters: Modem.SlotsParameters;
    reply: Modem.SlotsReply;
  };
  'org.modemd.Modem.SwitchSlot': {
    parameters: Modem.SwitchSlotParameters;
    reply: Modem.SwitchSlotReply;
  };
  'org.modemd.Bearer.Connect': {
    parameters: Bearer.ConnectParameters;
    reply: Bearer.ConnectReply;
  };
  'org.modemd.Bearer.Disconnect': {
    parameters: Bearer.DisconnectParameters;
    reply: Bearer.DisconnectReply;
  };
  'org.modemd.Bearer.Get': {
    parameters: Bearer.GetParameters;
    reply: Bearer.GetReply;
  };
  'org.modemd.Bearer.Watch': {
    parameters: Bearer.WatchParameters;
    reply: Bearer.WatchReply;
  };
  'org.modemd.Bearer.Resolve': {
    parameters: Bearer.ResolveParameters;
    reply: Bearer.ResolveReply;
  };
  'org.modemd.Bearer.OpenSocket': {
    parameters: Bearer.OpenSocketParameters;
    reply: Bearer.OpenSocketReply;
  };
  'org.modemd.Bearer.OpenStream': {
    parameters: Bearer.OpenStreamParameters;
    reply: Bearer.OpenStreamReply;
  };
  'org.modemd.Verify.Number': {
    parameters: Verify.NumberParameters;
    reply: Verify.NumberReply;
  };
  'org.modemd.Verify.Providers': {
    parameters: Verify.ProvidersParameters;
    reply: Verify.ProvidersReply;
  };
  'org.modemd.Verify.ProviderKinds': {
    parameters: Verify.ProviderKindsParameters;
    reply: Verify.ProviderKindsReply;
  };
  'org.modemd.Verify.TestProviderFile': {
    parameters: Verify.TestProviderFileParameters;
    reply: Verify.TestProviderFileReply;
  };
  'org.modemd.Verify.CheckProvider': {
    parameters: Verify.CheckProviderParameters;
    reply: Verify.CheckProviderReply;
  };
  'org.modemd.Check.Open': {
    parameters: Check.OpenParameters;
    reply: Check.OpenReply;
  };
  'org.modemd.Check.Prepare': {
    parameters: Check.PrepareParameters;
    reply: Check.PrepareReply;
  };
  'org.modemd.Check.History': {
    parameters: Check.HistoryParameters;
    reply: Check.HistoryReply;
  };
  'org.modemd.Messages.List': {
    parameters: Messages.ListParameters;
    reply: Messages.ListReply;
  };
  'org.modemd.Messages.Get': {
    parameters: Messages.GetParameters;
    reply: Messages.GetReply;
  };
  'org.modemd.Messages.Watch': {
    parameters: Messages.WatchParameters;
    reply: Messages.WatchReply;
  };
  'org.modemd.Messages.WaitForCode': {
    parameters: Messages.WaitForCodeParameters;
    reply: Messages.WaitForCodeReply;
  };
  'org.modemd.Messages.Delete': {
    parameters: Messages.DeleteParameters;
    reply: Messages.DeleteReply;
  };
  'org.modemd.Service.Reload': {
    parameters: Service.ReloadParameters;
    reply: Service.ReloadReply;
  };
  'org.modemd.Usage.Sockets': {
    parameters: Usage.SocketsParameters;
    reply: Usage.SocketsReply;
  };
  'org.modemd.Usage.EndSocket': {
    parameters: Usage.EndSocketParameters;
    reply: Usage.EndSocketReply;
  };
  'org.modemd.Usage.Get': {
    parameters: Usage.GetParameters;
    reply: Usage.GetReply;
  };
  'org.modemd.Usage.Watch': {
    parameters: Usage.WatchParameters;
    reply: Usage.WatchReply;
  };
  'org.modemd.NumberVerification.Verify': {
    parameters: NumberVerification.VerifyParameters;
    reply: NumberVerification.VerifyReply;
  };
  'org.modemd.NumberVerification.DevicePhoneNumber': {
    parameters: NumberVerification.DevicePhoneNumberParameters;
    reply: NumberVerification.DevicePhoneNumberReply;
  };
  'org.modemd.SIMSwap.Check': {
    parameters: SIMSwap.CheckParameters;
    reply: SIMSwap.CheckReply;
  };
  'org.modemd.SIMSwap.RetrieveDate': {
    parameters: SIMSwap.RetrieveDateParameters;
    reply: SIMSwap.RetrieveDateReply;
  };
  'org.modemd.PhoneSignIn.SignIn': {
    parameters: PhoneSignIn.SignInParameters;
    reply: PhoneSignIn.SignInReply;
  };
  'org.modemd.PhoneSignIn.GiveCode': {
    parameters: PhoneSignIn.GiveCodeParameters;
    reply: PhoneSignIn.GiveCodeReply;
  };
  'org.modemd.PhoneSignIn.Refresh': {
    parameters: PhoneSignIn.RefreshParameters;
    reply: PhoneSignIn.RefreshReply;
  };
  'org.modemd.IPification.Coverage': {
    parameters: IPification.CoverageParameters;
    reply: IPification.CoverageReply;
  };
  'org.modemd.IPification.Authorize': {
    parameters: IPification.AuthorizeParameters;
    reply: IPification.AuthorizeReply;
  };
  'org.modemd.IPification.Verify': {
    parameters: IPification.VerifyParameters;
    reply: IPification.VerifyReply;
  };
  'org.modemd.MIRACL.GetSession': {
    parameters: MIRACL.GetSessionParameters;
    reply: MIRACL.GetSessionReply;
  };
  'org.modemd.MIRACL.AbortSession': {
    parameters: MIRACL.AbortSessionParameters;
    reply: MIRACL.AbortSessionReply;
  };
  'org.modemd.MIRACL.Register': {
    parameters: MIRACL.RegisterParameters;
    reply: MIRACL.RegisterReply;
  };
  'org.modemd.MIRACL.Login': {
    parameters: MIRACL.LoginParameters;
    reply: MIRACL.LoginReply;
  };
  'org.modemd.MIRACL.Sign': {
    parameters: MIRACL.SignParameters;
    reply: MIRACL.SignReply;
  };
  'org.modemd.MIRACL.VerifySignature': {
    parameters: MIRACL.VerifySignatureParameters;
    reply: MIRACL.VerifySignatureReply;
  };
  'org.modemd.MIRACL.QuickCode': {
    parameters: MIRACL.QuickCodeParameters;
    reply: MIRACL.QuickCodeReply;
  };
  'org.modemd.MIRACL.GivePIN': {
    parameters: MIRACL.GivePINParameters;
    reply: MIRACL.GivePINReply;
  };
  'org.modemd.MIRACL.GiveMail': {
    parameters: MIRACL.GiveMailParameters;
    reply: MIRACL.GiveMailReply;
  };
  'org.modemd.MIRACL.Identities': {
    parameters: MIRACL.IdentitiesParameters;
    reply: MIRACL.IdentitiesReply;
  };
  'org.modemd.MIRACL.Forget': {
    parameters: MIRACL.ForgetParameters;
    reply: MIRACL.ForgetReply;
  };
  'org.modemd.MobileConnect.Discover': {
    parameters: MobileConnect.DiscoverParameters;
    reply: MobileConnect.DiscoverReply;
  };
  'org.modemd.MobileConnect.Authorize': {
    parameters: MobileConnect.AuthorizeParameters;
    reply: MobileConnect.AuthorizeReply;
  };
  'org.modemd.MobileConnect.Login': {
    parameters: MobileConnect.LoginParameters;
    reply: MobileConnect.LoginReply;
  };
  'org.modemd.MobileConnect.Exchange': {
    parameters: MobileConnect.ExchangeParameters;
    reply: MobileConnect.ExchangeReply;
  };
  'org.modemd.MobileConnect.Validate': {
    parameters: MobileConnect.ValidateParameters;
    reply: MobileConnect.ValidateReply;
  };
  'org.modemd.MobileConnect.AskAtHandset': {
    parameters: MobileConnect.AskAtHandsetParameters;
    reply: MobileConnect.AskAtHandsetReply;
  };
  'org.modemd.MobileConnect.Refresh': {
    parameters: MobileConnect.RefreshParameters;
    reply: MobileConnect.RefreshReply;
  };
  'org.modemd.MobileConnect.Revoke': {
    parameters: MobileConnect.RevokeParameters;
    reply: MobileConnect.RevokeReply;
  };
  'org.modemd.MobileConnect.UserInfo': {
    parameters: MobileConnect.UserInfoParameters;
    reply: MobileConnect.UserInfoReply;
  };
  'org.modemd.MobileConnect.Identity': {
    parameters: MobileConnect.IdentityParameters;
    reply: MobileConnect.IdentityReply;
  };
  'org.modemd.NumberRecycling.Check': {
    parameters: NumberRecycling.CheckParameters;
    reply: NumberRecycling.CheckReply;
  };
  'org.modemd.TS43.Verify': {
    parameters: TS43.VerifyParameters;
    reply: TS43.VerifyReply;
  };
  'org.modemd.TS43.PhoneNumber': {
    parameters: TS43.PhoneNumberParameters;
    reply: TS43.PhoneNumberReply;
  };
  'org.modemd.TS43.SubscriberInfo': {
    parameters: TS43.SubscriberInfoParameters;
    reply: TS43.SubscriberInfoReply;
  };
  'org.modemd.TS43.TemporaryToken': {
    parameters: TS43.TemporaryTokenParameters;
    reply: TS43.TemporaryTokenReply;
  };
  'org.modemd.TruID.PhoneCheck': {
    parameters: TruID.PhoneCheckParameters;
    reply: TruID.PhoneCheckReply;
  };
  'org.modemd.TruID.SubscriberCheck': {
    parameters: TruID.SubscriberCheckParameters;
    reply: TruID.SubscriberCheckReply;
  };
  'org.modemd.TruID.SIMCheck': {
    parameters: TruID.SIMCheckParameters;
    reply: TruID.SIMCheckReply;
  };
  'org.modemd.TruID.Coverage': {
    parameters: TruID.CoverageParameters;
    reply: TruID.CoverageReply;
  };
  'org.modemd.TruID.Traces': {
    parameters: TruID.TracesParameters;
    reply: TruID.TracesReply;
  };
}
