import Glibc

/// The kernel's virtual USB host controller (module vhci-hcd), to which a program gives one end of
/// a socket as a device.
enum VirtualHostController {
  static let folder = "/sys/devices/platform/vhci_hcd.0"
  /// enum usb_device_speed of linux/usb/ch9.h.
  private static let highSpeed = 3

  /// Gives the controller one end of a socket; the kernel keeps it for itself.
  ///
  /// - Throws: `USBModemError`.
  static func attach(_ descriptor: Int32) throws(USBModemError) {
    let port = try freePort()
    // Bus 1, device 1 of the far side: only a name.
    let line = "\(port) \(descriptor) \(1 << 16 | 1) \(highSpeed)"
    let file = open("\(folder)/attach", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw missing() }
    defer { close(file) }
    let bytes = Array(line.utf8)
    guard write(file, bytes, bytes.count) == bytes.count else {
      throw USBModemError(
        .noHostController, "the virtual host controller does not take a device at port \(port)",
        cause: String(cString: strerror(errno)))
    }
  }

  /// A port for high speed that nothing is plugged into: `hs  0000 004 …` says so (VDEV_ST_NULL).
  private static func freePort() throws(USBModemError) -> Int {
    guard let file = fopen("\(folder)/status", "re") else { throw missing() }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      let words = text.split { $0.isWhitespace }
      if words.count > 2, words[0] == "hs", words[2] == "004", let port = Int(words[1]) { return port }
    }
    throw USBModemError(.noHostController, "the virtual host controller has no free port; unplug a device")
  }

  private static func missing() -> USBModemError {
    USBModemError(
      .noHostController, "there is no virtual host controller; load it with `modprobe vhci-hcd`, as root",
      cause: String(cString: strerror(errno)))
  }
}
