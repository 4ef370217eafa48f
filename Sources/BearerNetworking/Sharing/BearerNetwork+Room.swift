import ModemModel
import Rtnetlink

/// Room for the longest transfer of a modem that multiplexes: the buffers of qmi_wwan have the length of its interface's MTU, and what is
/// longer is lost.
extension BearerNetwork {
  func widen(_ interface: Link, for multiplexing: Multiplexing?, _ kernel: NetlinkSession) throws {
    guard let longest = multiplexing?.largestAggregate, interface.mtu < longest,
      files.driver(of: interface.name) == "qmi_wwan"
    else { return }
    // Linux refuses an MTU that is a multiple of the endpoint's packet (512, 1024), as the end of such a transfer is an empty one.
    let change = LinkChange(mtu: longest.isMultiple(of: 512) ? longest + 14 : longest)
    do {
      try kernel.set(change, of: interface)
    } catch let error as NetlinkError where error.code == .failed {
      // Kernels that limit the MTU to an Ethernet frame's forget the limit when the interface goes back to Ethernet frames.
      try asEthernet(interface, kernel) { try kernel.set(change, of: interface) }
    }
  }

  /// Does something while qmi_wwan takes packets for Ethernet frames; the interface is down then.
  private func asEthernet(_ interface: Link, _ kernel: NetlinkSession, _ work: () throws -> Void) throws {
    guard files.rawIP(of: interface.name) == true else { return try work() }
    if interface.isUp { try kernel.set(LinkChange(isUp: false), of: interface) }
    let passesThrough = files.passesThrough(interface.name)
    let result = Result {
      if passesThrough { try write(false, to: "pass_through", of: interface) }
      try write(false, to: "raw_ip", of: interface)
      try work()
    }
    // Back to what was agreed on, whatever became of it.
    try write(true, to: "raw_ip", of: interface)
    if passesThrough { try write(true, to: "pass_through", of: interface) }
    if interface.isUp { try kernel.set(LinkChange(isUp: true), of: interface) }
    try result.get()
  }

  /// Writes to a file of qmi_wwan's (sysfs-class-net-qmi).
  private func write(_ value: Bool, to file: String, of interface: Link) throws {
    let text = value ? "Y" : "N"
    let reason = files.put("\(text)\n", "class/net/\(interface.name)/qmi/\(file)")
    guard reason == 0 else { throw NetlinkError("write \(text) to qmi/\(file) of \(interface.name)", errno: reason) }
  }
}
