import ModemModel
import Rtnetlink

/// Room for the longest transfer of a modem that multiplexes. The buffers of qmi_wwan have the
/// length of its interface's MTU, and longer transfers are lost.
extension BearerNetwork {
  /// The longest transfer that rmnet accepts from an interface (Linux, rmnet_private.h).
  private static let rmnetLimit = 16384

  func widen(
    _ interface: Link, of kind: SessionLink, for multiplexing: Multiplexing?, _ kernel: NetlinkSession
  ) throws {
    guard let agreed = multiplexing?.largestAggregate, files.driver(of: interface.name) == "qmi_wwan" else { return }
    let longest = kind == .rmnet ? min(agreed, Self.rmnetLimit) : agreed
    guard interface.mtu < longest else { return }
    // It only works in Ethernet mode. For bare packets, Linux refuses multiples of the endpoint's
    // packet size (512, 1024), and some kernels refuse everything above an Ethernet frame. The
    // buffers stay when bare packets are agreed on again.
    try asEthernet(interface, kernel) { try kernel.set(LinkChange(mtu: longest), of: interface) }
  }

  /// Runs `work` while qmi_wwan is in Ethernet mode. The interface is down meanwhile.
  private func asEthernet(_ interface: Link, _ kernel: NetlinkSession, _ work: () throws -> Void) throws {
    guard files.rawIP(of: interface.name) == true else { return try work() }
    if interface.isUp { try kernel.set(LinkChange(isUp: false), of: interface) }
    let passesThrough = files.passesThrough(interface.name)
    let result = Result {
      if passesThrough { try write(false, to: "pass_through", of: interface) }
      try write(false, to: "raw_ip", of: interface)
      try work()
    }
    // Return to the agreed format, whatever happened.
    try write(true, to: "raw_ip", of: interface)
    if passesThrough { try write(true, to: "pass_through", of: interface) }
    if interface.isUp { try kernel.set(LinkChange(isUp: true), of: interface) }
    try result.get()
  }

  /// Writes to a file of qmi_wwan (sysfs-class-net-qmi).
  private func write(_ value: Bool, to file: String, of interface: Link) throws {
    let text = value ? "Y" : "N"
    let reason = files.put("\(text)\n", "class/net/\(interface.name)/qmi/\(file)")
    guard reason == 0 else { throw NetlinkError("write \(text) to qmi/\(file) of \(interface.name)", errno: reason) }
  }
}
