import ModemAPI

/// The observations of the machine, as values: the basis of all findings. Values that could not be
/// read are nil or empty, and cause no finding.
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
    /// Whether the group database lists the user: a new login is then sufficient.
    var isListed = false
  }

  /// A systemd unit, as `systemctl show` reports it.
  struct Unit: Hashable, Sendable {
    var name: String
    var load = "loaded"
    var active = "active"
    var sub = ""
    var result = "success"
    var restarts = 0
    var needsReload = false
  }

  /// A control port in the kernel.
  struct ControlPort: Hashable, Sendable {
    var name: String
    /// Nil if no driver is bound, or sysfs does not show it.
    var driver: String?
    /// What the udev rule found: `mbim` or `qmi`.
    var `protocol`: String?
    /// Whether udev has reported it at all.
    var isInUdev = true
    var isIgnored = false
  }

  /// A USB device that may be a modem.
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
  /// Whether modemd or a port reported modems. Otherwise, an empty list means nothing.
  var knowsModems = false
  /// Causes of the last failed checks, the newest first.
  var failedChecks: [String] = []
  var processes: [Process] = []
  var rules: [Rule] = []
  /// By path below `/proc/sys/net`: `ipv4/conf/all/rp_filter`.
  var sysctls: [String: String] = [:]
  /// `Y` or `N`, by interface of qmi_wwan.
  var rawIP: [String: String] = [:]
  /// NetworkManager's state of an interface: `connected`, `unmanaged`.
  var networkManager: [String: String] = [:]
  /// systemd-networkd's state of an interface: `configured`, `unmanaged`.
  var networkd: [String: String] = [:]
  /// systemd-networkd's settings that make it remove other programs' routes and rules; empty if it
  /// leaves them.
  var networkdTakes: [String] = []
  /// The kernel's modules, built in or as files; nil if they could not be read.
  var modules: Set<String>?
  var hasMBIMProxy = true
  var hasQMIProxy = true
  /// Seconds since 1970.
  var clock: Int64?
  var isClockSynchronised: Bool?
  /// Lines of the kernel's or the units' journal that are findings by themselves.
  var journal: String = ""

  func unit(_ name: String) -> Unit? { units.first { $0.name == name } }
  var portUnits: [Unit] { units.filter { $0.name.hasPrefix("modemd-port@") } }
  func isActive(_ name: String) -> Bool { unit(name)?.active == "active" }
}
