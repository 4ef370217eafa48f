import ModemAPI

/// What was seen of the machine, as values: all that findings are made of. What could not be read is nil or empty, and makes no finding.
struct Observations: Sendable {
  /// How modemd's socket answered.
  enum Reach: Hashable, Sendable {
    case answers(version: String)
    /// There is no such file.
    case missing
    /// Nobody listens.
    case refused
    case denied
    /// No answer in time, or the connection ended.
    case silent
  }

  struct Caller: Hashable, Sendable {
    var isRoot = true
    /// Whether the process has the group `modemd`; nil where there is no such group.
    var isMember: Bool?
    /// Whether the database of groups lists the user: then a new login suffices.
    var isListed = false
  }

  /// A unit of systemd, as `systemctl show` tells it.
  struct Unit: Hashable, Sendable {
    var name: String
    var load = "loaded"
    var active = "active"
    var sub = ""
    var result = "success"
    var restarts = 0
    var needsReload = false
  }

  /// A control port of the kernel's.
  struct ControlPort: Hashable, Sendable {
    var name: String
    /// Nil where no driver is bound, or sysfs does not say.
    var driver: String?
    /// What the udev rule found: `mbim` or `qmi`.
    var `protocol`: String?
    /// Whether udev has told about it at all.
    var isInUdev = true
    var isIgnored = false
  }

  /// A USB device that a modem may be.
  struct USBDevice: Hashable, Sendable {
    struct Interface: Hashable, Sendable {
      /// Class, subclass and protocol in hexadecimal digits: `020e00`.
      var kind: String
      var driver: String?
    }
    var path: String
    /// Vendor and product: `1199:9091`.
    var id: String
    var configurations = 1
    var configuration = 1
    var interfaces: [Interface]
  }

  /// A process that has a control port open, or is one of the proxies.
  struct Process: Hashable, Sendable {
    var name: String
    /// The last part of its control group: the unit.
    var unit: String
    /// The control ports that it has open.
    var ports: [String] = []
  }

  struct Rule: Hashable, Sendable {
    var priority: Int
    var text: String
  }

  struct Modem: Sendable {
    var modem: ModemInterface.Modem
    var bearer: BearerInterface.Bearer?
  }

  var caller = Caller()
  var reach: Reach?
  /// modemctl's own version.
  var version = ""
  var units: [Unit] = []
  var ports: [ControlPort] = []
  var usb: [USBDevice] = []
  var modems: [Modem] = []
  /// Whether modemd, or a port, told of modems: else an empty list says nothing.
  var knowsModems = false
  /// Causes of the last failed checks, the newest first.
  var failedChecks: [String] = []
  var processes: [Process] = []
  var rules: [Rule] = []
  /// By path below `/proc/sys/net`: `ipv4/conf/all/rp_filter`.
  var sysctls: [String: String] = [:]
  /// `Y` or `N`, by interface of qmi_wwan.
  var rawIP: [String: String] = [:]
  /// What NetworkManager says of an interface: `connected`, `unmanaged`.
  var networkManager: [String: String] = [:]
  /// What systemd-networkd says of an interface: `configured`, `unmanaged`.
  var networkd: [String: String] = [:]
  /// Settings of systemd-networkd with which it takes others' routes and rules away; empty where it leaves them.
  var networkdTakes: [String] = []
  /// Modules that the kernel has, built in or as files; nil where that could not be read.
  var modules: Set<String>?
  var hasMBIMProxy = true
  var hasQMIProxy = true
  /// Seconds since 1970.
  var clock: Int64?
  var isClockSynchronised: Bool?
  /// Lines of the kernel's or the units' journal that say something by themselves.
  var journal: String = ""

  func unit(_ name: String) -> Unit? { units.first { $0.name == name } }
  var portUnits: [Unit] { units.filter { $0.name.hasPrefix("modemd-port@") } }
  func isActive(_ name: String) -> Bool { unit(name)?.active == "active" }
}
