import ModemModel

/// Where a modem's packets enter and leave the kernel: the interface's driver, and how sessions
/// become links of it.
///
/// It is decided from sysfs alone. A control port and its interface share the USB interface, the
/// WWAN class device, the MHI controller, or the chip that holds everything.
package struct DataPort: Sendable {
  /// What carries the packets.
  package enum Driver: Hashable, Sendable {
    case cdcMBIM
    case qmiWWAN
    /// IP over MHI, used by QMI modems on PCIe.
    case mhiNet
    /// Qualcomm's IP accelerator. It only carries multiplexed packets.
    case ipa
    case bamDMUX
    /// A WWAN class device, as in `wwan0`, whose links are sessions, with its driver: `iosm`,
    /// `mtk_t7xx`; nil for MBIM over MHI.
    case wwan(device: String, by: String?)
    case other(String)
    /// No driver, as with a simulated modem.
    case none
  }

  package let kind: ModemProtocol
  package let driver: Driver
  /// The interface. For a WWAN class device without links, the one that will be made. Nil if
  /// nothing belongs to the control port.
  package let interface: String?
  private let files: LinkFiles

  /// Looks up the data port of a control port.
  ///
  /// - Parameters:
  ///   - controlPort: its name in the kernel, as in `cdc-wdm0` or `wwan0mbim0`.
  ///   - named: an interface or a WWAN class device from the configuration. Only its kind is then
  ///     looked up.
  package init(
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
      // "." and the session, like other session links.
      interface = "\(device).0"
      driver = .wwan(device: device, by: files.driver(ofWWANDevice: device))
    } else {
      interface = nil
      driver = .none
    }
  }

  /// How the driver carries several sessions; nil if it carries only one, as far as is known.
  package var sessionLink: SessionLink? {
    switch (kind, driver) {
    case (.mbim, .wwan(let device, _)): .wwan(device: device)
    // A simulated modem has no driver.
    case (.mbim, .cdcMBIM), (.mbim, .none): .vlan
    case (.qmi, .qmiWWAN): interface.map(files.passesThrough) == true ? .rmnet : .qmimux
    case (.qmi, .ipa), (.qmi, .mhiNet): .rmnet
    default: nil
    }
  }

  /// The session whose link a bearer uses that has the modem to itself; nil if that bearer uses the
  /// interface.
  package var firstSession: Int? { if case .wwan? = sessionLink { 0 } else { nil } }

  /// The highest possible session or multiplexing id here.
  package var lastSession: Int {
    switch driver {
    // The size of the drivers' tables (Linux, iosm_ipc_wwan.c and t7xx_netdev.h).
    case .wwan(_, by: "iosm"): 7
    case .wwan(_, by: "mtk_t7xx"): 20
    default: 254
    }
  }

  /// For QMI: when packets of a bearer that has the modem to itself carry a multiplexing id.
  package var aggregation: Aggregation {
    switch driver {
    case .ipa: .always
    case .mhiNet: .preferred
    default: .whereInsisted
    }
  }

  /// The data port's name in QMI; nil if the USB interface implies it, or nothing does.
  package var endpoint: DataEndpoint? {
    switch driver {
    case .mhiNet: .pcie
    case .ipa: .embedded
    case .bamDMUX: .bamDMUX
    default: nil
    }
  }

  /// The kind of data port in a few words.
  package var words: String {
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
