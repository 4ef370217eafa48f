import CLinux
import Glibc
import USBModem

/// The modem's connection to the host: a TUN device and a terminal, or USB.
extension World {
  /// Carries packets between the operator and one end of the modem's data path.
  func carryPackets(from device: TunDevice) throws {
    guard let networkEnd else { return }
    pump = try TunnelPump(
      host: device, network: networkEnd, delay: UInt64(scenario.network.delay) * 1_000_000, gate: gate)
  }

  /// Puts the modem on the kernel's virtual USB bus.
  ///
  /// - Throws: `WorldError`.
  func plugIntoUSB() throws {
    let packets = try Self.packetSockets()
    pump?.stop()
    try carryPackets(from: TunDevice("usb", socket: packets.network))
    usb = try usbModem(controlPort: devicePath, packets: packets.modem, scenario.modem)
  }

  /// Both ends of a way for packets, one in each datagram.
  static func packetSockets() throws -> (network: Int32, modem: Int32) {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw WorldError.system("cannot make a socket pair") }
    return (ends[0], ends[1])
  }

  /// Puts one modem on the bus.
  ///
  /// - Parameter packets: the modem's end of the way for packets.
  func usbModem(controlPort: String, packets: Int32, _ modem: Scenario.Modem) throws -> USBModem {
    let kind: USBModemKind = (options.kind ?? scenario.modem.kind) == .mbim ? .mbim : .qmi
    do {
      return try USBModem(kind, controlPort: controlPort, packets: packets, serial: modem.identity.imei ?? "1")
    } catch {
      throw WorldError(.system, "the modem cannot be put on the USB bus", cause: "\(error)")
    }
  }

  /// Puts the modem's plug back.
  func plugInAgain() async throws {
    if options.usesUSB { try await plugIn() } else { try modem.plugIn(link: servedLink ?? devicePath) }
  }

  /// Pulls the modem's plug.
  func unplug() {
    usb?.unplug()
    usb = nil
    modem.unplug()
  }
}
