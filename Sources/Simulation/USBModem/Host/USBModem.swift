import DetachedThread
import Glibc
import Synchronization

/// A modem on the kernel's virtual USB bus: cdc_mbim or qmi_wwan takes it as it takes a real one.
///
/// Behind it are a control port, which speaks MBIM or QMI, and a datagram socket with one IP packet
/// in each datagram.
package final class USBModem: Sendable {
  private let stop: Int32
  private let isUnplugged = Atomic(false)

  /// Plugs a modem in; udev and the drivers take notice a moment later.
  ///
  /// - Parameters:
  ///   - controlPort: path of the modem's control port, as of a simulated modem's terminal.
  ///   - packets: a descriptor that gives and takes one IP packet a time; this object closes it.
  ///   - serial: shown as the USB serial number.
  /// - Throws: `USBModemError`.
  package init(_ kind: USBModemKind, controlPort: String, packets: Int32, serial: String) throws(USBModemError) {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw Self.system("cannot make a socket pair")
    }
    defer { close(ends[1]) }
    let control = open(controlPort, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard control >= 0 else {
      let error = Self.system("cannot open the control port \(controlPort)")
      close(ends[0])
      throw error
    }
    var pipes: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pipes) == 0 else {
      let error = Self.system("cannot make a socket pair")
      for descriptor in [ends[0], control] { close(descriptor) }
      throw error
    }
    stop = pipes[1]
    do throws(USBModemError) {
      try VirtualHostController.attach(ends[1])
    } catch {
      for descriptor in [ends[0], control, pipes[0], pipes[1]] { close(descriptor) }
      throw error
    }
    let loop = Loop(
      machine: USBModemMachine(kind, serial: serial), host: ends[0], control: control, packets: packets,
      stop: pipes[0])
    guard DetachedThread.start({ loop.run() }) else {
      loop.close()
      throw Self.system("cannot start a thread for the USB modem")
    }
  }

  deinit {
    unplug()
    close(stop)
  }

  /// Pulls the plug. It may be called twice.
  package func unplug() {
    guard !isUnplugged.exchange(true, ordering: .relaxed) else { return }
    var byte: UInt8 = 1
    _ = write(stop, &byte, 1)
  }

  private static func system(_ message: String) -> USBModemError {
    USBModemError(.system, message, cause: String(cString: strerror(errno)))
  }
}

/// What the thread does: it owns the descriptors until it ends.
///
/// `@unchecked Sendable`: handed to one thread, which alone uses it.
private final class Loop: @unchecked Sendable {
  private var machine: USBModemMachine
  private let host: Int32
  private let control: Int32
  private let packets: Int32
  private let stop: Int32
  private var fromHost: ArraySlice<UInt8> = []
  private var buffer = [UInt8](repeating: 0, count: 131_072)

  init(machine: USBModemMachine, host: Int32, control: Int32, packets: Int32, stop: Int32) {
    self.machine = machine
    self.host = host
    self.control = control
    self.packets = packets
    self.stop = stop
  }

  func close() {
    for descriptor in [host, control, packets, stop] { Glibc.close(descriptor) }
  }

  func run() {
    defer { close() }
    var polled = [host, control, packets, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { return }
      if polled[3].revents != 0 { return }
      if polled[0].revents != 0, !serveHost() { return }
      if polled[1].revents != 0 {
        let count = read(control, &buffer, buffer.count)
        // The modem hung up: the device is gone.
        guard count > 0 || errno == EAGAIN else { return }
        if count > 0 { perform(machine.modemSaid(buffer[..<count])) }
      }
      if polled[2].revents != 0 {
        let (arrived, isOpen) = arrivals()
        perform(machine.networkSent(arrived))
        if !isOpen { polled[2].fd = -1 }
      }
    }
  }

  /// The packets that wait, at most as many as a transfer takes, and whether more may come.
  private func arrivals() -> (packets: [[UInt8]], isOpen: Bool) {
    var arrived: [[UInt8]] = []
    while arrived.count < 32 {
      let count = recv(packets, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return (arrived, count < 0 && errno == EAGAIN) }
      arrived.append(Array(buffer[..<count]))
    }
    return (arrived, true)
  }

  /// False when the host controller let go.
  private func serveHost() -> Bool {
    let count = read(host, &buffer, buffer.count)
    guard count > 0 else { return false }
    fromHost += buffer[..<count]
    do {
      while let (message, used) = try USBIPMessage.read(fromHost) {
        fromHost = fromHost.dropFirst(used)
        perform(machine.received(message))
      }
    } catch {
      return false
    }
    fromHost = ArraySlice(Array(fromHost))
    return true
  }

  private func perform(_ outputs: [USBModemMachine.Output]) {
    for output in outputs {
      switch output {
      case .host(let bytes): writeAll(bytes, to: host)
      case .modem(let bytes): writeAll(bytes, to: control)
      case .network(let packet): _ = write(packets, packet, packet.count)
      }
    }
  }

  private func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var polled = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
        guard poll(&polled, 1, 1000) > 0 else { return }
      } else if errno != EINTR {
        return
      }
    }
  }
}
