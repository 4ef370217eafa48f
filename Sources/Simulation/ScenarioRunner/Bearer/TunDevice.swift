import CLinux
import Glibc

/// A TUN device: a network interface whose packets a program reads and writes as bare IP.
final class TunDevice: Sendable {
  let name: String
  let descriptor: Int32

  /// Makes a device in the network namespace of the calling thread. It goes when this object does.
  ///
  /// - Throws: `WorldError`.
  init(_ name: String) throws {
    let descriptor = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw WorldError.system("cannot open /dev/net/tun, which stands in for the modem's network device")
    }
    // struct ifreq: the name in 16 bytes, then the flags; 40 bytes on 64-bit systems.
    var request = Array(name.utf8.prefix(15)) + [UInt8](repeating: 0, count: max(0, 16 - name.utf8.count))
    let flags = UInt16(IFF_TUN | IFF_NO_PI)
    request += [UInt8(truncatingIfNeeded: flags), UInt8(truncatingIfNeeded: flags >> 8)]
    request += [UInt8](repeating: 0, count: 40 - request.count)
    guard ioctl(descriptor, UInt(clinux_tunsetiff), &request) == 0 else {
      let reason = errno
      close(descriptor)
      throw WorldError.system("cannot make the device \(name)", errno: reason)
    }
    self.name = name
    self.descriptor = descriptor
  }

  /// Takes one end of a datagram socket for a device: each datagram is a packet.
  init(_ name: String, socket: Int32) {
    self.name = name
    descriptor = socket
  }

  deinit { close(descriptor) }

  /// Reads the next packet into `buffer`; nil when there is none.
  func read(into buffer: inout [UInt8]) -> Int? {
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count > 0 ? count : nil
  }

  /// Gives the kernel a packet. A device that is down or gone loses it, like a radio.
  func write(_ packet: ArraySlice<UInt8>) {
    _ = packet.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
