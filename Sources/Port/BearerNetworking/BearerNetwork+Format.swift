import ModemModel
import Rtnetlink

/// Makes the driver and the modem agree on the format of packets: bare IP or Ethernet frames.
extension BearerNetwork {
  // Asynchronous, as in the protocol: otherwise a caller from outside would get the protocol's
  // default implementation.
  package func setLinkFormat(_ format: LinkFormat, interface: String) async throws {
    try tellDriver(format, of: interface)
  }

  func tellDriver(_ format: LinkFormat, of interface: String) throws {
    guard let isRaw = files.rawIP(of: interface), isRaw != format.isBare else { return }
    try speaking("set \(interface) to \(format.words)") { kernel in
      let link = try Self.existingLink(interface, kernel)
      if link.isUp { try kernel.set(LinkChange(isUp: false), of: link) }
      let value = format.isBare ? "Y" : "N"
      let reason = files.setRawIP(format.isBare, of: interface)
      guard reason == 0 else { throw NetlinkError("write \(value) to qmi/raw_ip of \(interface)", errno: reason) }
      guard files.rawIP(of: interface) == format.isBare else {
        throw ModemError(.networking, "the driver of \(interface) refused \(value) for qmi/raw_ip")
      }
    }
  }

  package func diagnose(_ bearer: InstalledBearer, format: LinkFormat) async -> String? {
    let interface = bearer.interface
    if let difference = try? difference(of: bearer) { return difference }
    if let isRaw = files.rawIP(of: interface), isRaw != format.isBare {
      return
        "the modem speaks \(format.words) and the driver of \(interface) does not (qmi/raw_ip is \(isRaw ? "Y" : "N"))"
    }
    let link = try? speaking("look at \(interface)") { try $0.link(named: interface) }
    if let link, format == .ethernet, link.type != Self.ethernet {
      return "the modem speaks \(format.words) and \(interface) carries bare IP: every packet is lost; "
        + "look for firmware or a mode of the modem with raw IP"
    }
    guard let sent = files.count("tx_packets", of: interface), let received = files.count("rx_packets", of: interface),
      sent > 0, received == 0
    else { return nil }
    return
      "\(interface) has sent \(sent) packets and received none; the modem and its driver may not agree on the packets' format"
  }
}

extension LinkFormat {
  /// Whether packets have no Ethernet header, multiplexed or not.
  fileprivate var isBare: Bool { self != .ethernet }
  fileprivate var words: String { isBare ? "bare IP" : "Ethernet frames" }
}
