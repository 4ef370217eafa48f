import LimitClock

extension ControlPortFacts {
  /// Why this port is not the one of its modem that is served; nil if it is. A port that may be
  /// overtaken by one that has yet to arrive is asked again after `PortElection.patience`.
  package func reasonToLeave(sysfs: String = "/sys", clock: LimitClock = .machine) async -> String? {
    let election = PortElection(of: name, sysfs: sysfs)
    var outcome = election.outcome()
    if case .served(mayChange: true) = outcome {
      try? await clock.pause(for: PortElection.patience)
      outcome = election.outcome()
    }
    return switch outcome {
    case .served: nil
    case .left(let other): "\(name) is left alone: \(other) of the same modem is served"
    case .noControlPort(let words): words
    }
  }
}

/// Finds which control port of a modem is served, where a modem has several.
///
/// MBIM goes before QMI, then the lower interface or port number. The interfaces of a USB modem are
/// all known when the first of them appears. The ports of a WWAN device (PCIe) arrive one by one.
package struct PortElection: Sendable {
  /// What the ports that are there say about one of them.
  package enum Outcome: Hashable, Sendable {
    /// The port is served. With `mayChange`, a port that goes before it may still arrive.
    case served(mayChange: Bool)
    /// Another port of the same modem is served: this one, by its name in sysfs.
    case left(to: String)
    /// The name belongs to no control port of MBIM or QMI, for this reason.
    case noControlPort(String)
  }

  /// How long a port waits for one that goes before it.
  package static let patience = Duration.seconds(3)

  private let name: String
  private let sysfs: String

  /// - Parameters:
  ///   - name: the control port's name in the kernel, as in `cdc-wdm0` or `wwan0mbim0`.
  ///   - sysfs: where sysfs is mounted.
  package init(of name: String, sysfs: String = "/sys") {
    self.name = name
    self.sysfs = sysfs
  }

  /// Looks at the modem's ports as they are now.
  package func outcome() -> Outcome {
    if let interface = SysfsFiles.realPath("\(sysfs)/class/usbmisc/\(name)/device") { return usb(interface) }
    if let port = SysfsFiles.realPath("\(sysfs)/class/wwan/\(name)") { return wwan(port) }
    return .noControlPort(
      "there is no control port \(name) in \(sysfs)/class/usbmisc or \(sysfs)/class/wwan; is the modem plugged in?")
  }

  // MARK: The interfaces of a USB device

  private func usb(_ path: String) -> Outcome {
    let mine = USBInterface(path)
    guard mine.driver == "cdc_mbim" || mine.isQMI else {
      return .noControlPort("\(name) belongs to driver '\(mine.driver ?? "none")', expected cdc_mbim or qmi_wwan")
    }
    let device = SysfsFiles.folder(of: path)
    for entry in SysfsFiles.entries(of: device) where entry.contains(":") && "\(device)/\(entry)" != path {
      let other = USBInterface("\(device)/\(entry)")
      let isEarlier = other.number < mine.number
      if other.isMBIM ? mine.isQMI || isEarlier : mine.isQMI && other.isQMI && isEarlier { return .left(to: entry) }
    }
    return .served(mayChange: false)
  }

  private struct USBInterface {
    let driver: String?
    /// Two hexadecimal digits, which sort as text.
    let number: String
    /// Communications class, MBIM subclass (USB MBIM 1.0, table 6-4): an MBIM port, even before its
    /// driver is bound.
    let isMBIM: Bool

    var isQMI: Bool { driver == "qmi_wwan" }

    init(_ path: String) {
      driver = SysfsFiles.realPath("\(path)/driver").map(SysfsFiles.lastPart)
      number = SysfsFiles.firstLine(of: "\(path)/bInterfaceNumber") ?? ""
      isMBIM =
        SysfsFiles.firstLine(of: "\(path)/bInterfaceClass") == "02"
        && SysfsFiles.firstLine(of: "\(path)/bInterfaceSubClass") == "0e"
    }
  }

  // MARK: The ports of a WWAN device

  private func wwan(_ path: String) -> Outcome {
    let type = SysfsFiles.firstLine(of: "\(path)/type") ?? ""
    guard type == "MBIM" || type == "QMI" else {
      return .noControlPort("\(name) is a port of type '\(type.isEmpty ? "none" : type)', expected MBIM or QMI")
    }
    let device = SysfsFiles.folder(of: path)
    for entry in SysfsFiles.entries(of: device) where "\(device)/\(entry)" != path {
      guard let other = SysfsFiles.firstLine(of: "\(device)/\(entry)/type") else { continue }
      if type == "QMI", other == "MBIM" { return .left(to: entry) }
      if type == other, Self.number(of: entry) < Self.number(of: SysfsFiles.lastPart(of: path)) {
        return .left(to: entry)
      }
    }
    return .served(mayChange: type == "QMI")
  }

  /// The digits at the end of a port's name, as in `wwan0qmi12`.
  private static func number(of name: String) -> Int {
    Int(name.suffix(while: { ("0"..."9").contains($0) })) ?? 0
  }
}

extension String {
  fileprivate func suffix(while isPart: (Character) -> Bool) -> Substring {
    self[(lastIndex { !isPart($0) }.map(index(after:)) ?? startIndex)...]
  }
}
