import CLinux
import Glibc
import USBModem

/// The modem's way into the host: by a TUN device and a terminal, or over USB.
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
    pump?.stop()
    let (usb, device) = try makeUSBModem(at: devicePath, serial: scenario.modem.identity.imei ?? "1")
    self.usb = usb
    try carryPackets(from: device)
  }

  /// Puts a modem on the bus, of which the control port is there already.
  ///
  /// - Returns: the modem, and the far end of its data path.
  /// - Throws: `WorldError`.
  nonisolated func makeUSBModem(at controlPort: String, serial: String) throws -> (USBModem, TunDevice) {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw WorldError.system("cannot make a socket pair") }
    let device = TunDevice("usb", socket: ends[0])
    let kind: USBModemKind = (options.kind ?? scenario.modem.kind) == .mbim ? .mbim : .qmi
    do {
      return (try USBModem(kind, controlPort: controlPort, packets: ends[1], serial: serial), device)
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
