import ModemModel

/// Where a modem's packets go in and out of the kernel: which driver has made the interface, and how sessions become links of it.
///
/// It is decided from sysfs alone. A control port and its interface have in common the USB interface, the WWAN class device, the MHI
/// controller, or the chip that everything is on.
public struct DataPort: Sendable {
  /// What carries the packets.
  public enum Driver: Hashable, Sendable {
    case cdcMBIM
    case qmiWWAN
    /// IP over MHI, as QMI modems on PCIe have it.
    case mhiNet
    /// Qualcomm's IP accelerator. It carries multiplexed packets alone.
    case ipa
    case bamDMUX
    /// A WWAN class device, as in `wwan0`, whose links are sessions, with the driver behind it: `iosm`, `mtk_t7xx`; nil for MBIM over MHI.
    case wwan(device: String, by: String?)
    case other(String)
    /// Nothing, as of a simulated modem.
    case none
  }

  public let kind: ModemProtocol
  public let driver: Driver
  /// The interface; of a WWAN class device without links the one that will be made. Nil where nothing belongs to the control port.
  public let interface: String?
  private let files: LinkFiles

  /// Looks up what belongs to a control port.
  ///
  /// - Parameters:
  ///   - controlPort: the kernel's name of it, as in `cdc-wdm0` or `wwan0mbim0`.
  ///   - named: an interface or a WWAN class device that somebody has named: only what it is is looked up.
  public init(
    _ kind: ModemProtocol, of controlPort: String, interface named: String? = nil, files: LinkFiles = LinkFiles()
  ) {
    self.kind = kind
    self.files = files
    if let interface = named ?? files.interface(of: controlPort, kind),
      named == nil || files.isInterface(interface) || !files.isWWANDevice(interface)
    {
      self.interface = interface
      driver = files.dataDriver(of: interface)
    } else if let device = named ?? files.wwanDevice(ofPort: controlPort), kind == .mbim || named != nil {
      // "." and the session, as other links of sessions have it.
      interface = "\(device).0"
      driver = .wwan(device: device, by: files.driver(ofWWANDevice: device))
    } else {
      interface = nil
      driver = .none
    }
  }

  /// How the driver carries sessions side by side; nil where it carries one, as far as is known.
  public var sessionLink: SessionLink? {
    switch (kind, driver) {
    case (.mbim, .wwan(let device, _)): .wwan(device: device)
    // A simulated modem has no driver.
    case (.mbim, .cdcMBIM), (.mbim, .none): .vlan
    case (.qmi, .qmiWWAN): interface.map(files.passesThrough) == true ? .rmnet : .qmimux
    case (.qmi, .ipa), (.qmi, .mhiNet): .rmnet
    default: nil
    }
  }

  /// The session that a bearer with the modem to itself has a link for; nil where that bearer is the interface.
  public var firstSession: Int? { if case .wwan? = sessionLink { 0 } else { nil } }

  /// The highest number that a session or multiplexing id may have here.
  public var lastSession: Int {
    switch driver {
    // The size of the drivers' tables (Linux, iosm_ipc_wwan.c and t7xx_netdev.h).
    case .wwan(_, by: "iosm"): 7
    case .wwan(_, by: "mtk_t7xx"): 20
    default: 254
    }
  }

  /// Over QMI: when the packets of a bearer that has the modem to itself carry a multiplexing id.
  public var aggregation: Aggregation {
    switch driver {
    case .ipa: .always
    case .mhiNet: .preferred
    default: .whereInsisted
    }
  }

  /// The data port's name in QMI; nil where the USB interface tells it, or nothing does.
  public var endpoint: DataEndpoint? {
    switch driver {
    case .mhiNet: .pcie
    case .ipa: .embedded
    case .bamDMUX: .bamDMUX
    default: nil
    }
  }

  /// What the data port is, in a few words for people.
  public var words: String {
    switch driver {
    case .cdcMBIM: "cdc_mbim"
    case .qmiWWAN: "qmi_wwan"
    case .mhiNet: "mhi_net"
    case .ipa: "ipa"
    case .bamDMUX: "bam-dmux"
    case .wwan(let device, let driver): "WWAN device \(device)\(driver.map { " of \($0)" } ?? "")"
    case .other(let name): name
    case .none: "no driver"
    }
  }
}
