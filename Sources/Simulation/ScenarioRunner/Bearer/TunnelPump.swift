import CLinux
import Glibc
import Synchronization

/// Carries packets between the modem's network device and the operator, on a thread of its own,
/// with a fixed delay.
final class TunnelPump: Sendable {
  private let stopDescriptor: Int32
  private let ended = Atomic(false)

  /// Starts carrying.
  ///
  /// - Parameters:
  ///   - host: the modem's network device.
  ///   - network: the operator's end.
  ///   - delay: one way, in nanoseconds.
  ///   - gate: decides which packets pass.
  init(host: TunDevice, network: TunDevice, delay: UInt64, gate: BearerGate) throws {
    let stop = eventfd(0, Int32(clinux_eventfd_cloexec | clinux_eventfd_nonblock))
    guard stop >= 0 else { throw WorldError.system("cannot open an event descriptor") }
    stopDescriptor = stop
    NetworkNamespace.startThread {
      clinux_set_timer_slack(1)
      var loop = Loop(
        host: host, network: network, gate: gate, packets: PacketDelay(delay: delay), answers: PacketDelay(delay: delay)
      )
      loop.run(until: stop)
      close(stop)
    }
  }

  deinit { stop() }

  /// Ends the thread, which then releases both devices.
  func stop() {
    guard !ended.exchange(true, ordering: .relaxed) else { return }
    eventfd_write(stopDescriptor, 1)
  }

  private struct Loop {
    let host: TunDevice
    let network: TunDevice
    let gate: BearerGate
    var packets: PacketDelay
    /// What the link itself says: it is not for an address that is known yet.
    var answers: PacketDelay
    var buffer = [UInt8](repeating: 0, count: 65_536)

    mutating func run(until stop: Int32) {
      var descriptors = [host.descriptor, network.descriptor, stop].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      while true {
        let due = [packets.nextDue, answers.nextDue].compactMap(\.self).min()
        let wait = due.map { Int64($0) - Int64(Self.now()) }
        clinux_poll(&descriptors, UInt(descriptors.count), wait.map { max(0, $0) } ?? -1)
        if descriptors[2].revents != 0 { return }
        accept(&descriptors[0], host, .up)
        accept(&descriptors[1], network, .down)
        deliver()
      }
    }

    private mutating func accept(_ descriptor: inout pollfd, _ device: TunDevice, _ direction: BearerGate.Direction) {
      guard descriptor.revents != 0 else { return }
      // A deleted device reports this for ever, so ignore it.
      if descriptor.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { descriptor.fd = -1 }
      // A limited number at a time, so that the other direction gets its turn.
      for _ in 0..<64 {
        guard let count = device.read(into: &buffer) else { return }
        let packet = Array(buffer[..<count])
        if direction == .up, let answer = gate.answer(to: packet) {
          answers.add(ArraySlice(answer), .down, at: Self.now())
          continue
        }
        guard gate.admits(packet, direction) else { continue }
        packets.add(ArraySlice(packet), direction, at: Self.now())
      }
    }

    private mutating func deliver() {
      while let answer = answers.take(at: Self.now()) { host.write(answer.bytes) }
      while let packet = packets.take(at: Self.now()) {
        guard gate.stillAdmits(packet.bytes, packet.direction) else { continue }
        (packet.direction == .up ? network : host).write(packet.bytes)
      }
    }

    private static func now() -> UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
  }
}
