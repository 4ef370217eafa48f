import Glibc

/// A pseudo-terminal whose slave side is the modem's control port: `/dev/pts/N` instead of
/// `/dev/cdc-wdm0`.
///
/// A separate thread serves the master. Data that the host does not read at once waits in a queue,
/// because a terminal only takes some kilobytes at a time.
final class PTYPort: Sendable {
  /// Path of the slave side.
  let path: String
  /// Symbolic link to `path`; removed when the port closes.
  let link: String?

  private let master: Int32
  // Held open so that the master does not see a hang-up between two hosts.
  private let slave: Int32
  private let wakeReader: Int32
  private let wakeWriter: Int32
  private let state = Guarded(State())
  private let onBytes: @Sendable ([UInt8]) -> Void

  private struct State {
    var isClosing = false
    var outgoing: [UInt8] = []
    var later: [(due: UInt64, bytes: [UInt8], isOvertaken: Bool)] = []
    var thread: pthread_t?

    mutating func queue(_ bytes: [UInt8]) {
      if outgoing.count + bytes.count <= PTYPort.outgoingLimit { outgoing += bytes }
    }
  }

  /// Most bytes that wait for a host that does not read; newer messages are dropped.
  private static let outgoingLimit = 8 << 20

  /// Opens a terminal in raw mode.
  ///
  /// - Parameters:
  ///   - link: path of a symbolic link to make, replacing an old link.
  ///   - onBytes: called on the port's thread with what the host wrote.
  /// - Throws: `noTerminal` and `badLink`.
  init(link: String?, onBytes: @escaping @Sendable ([UInt8]) -> Void) throws(SimulatorError) {
    let terminal = try RawTerminal()
    (master, slave, path) = (terminal.master, terminal.slave, terminal.path)
    guard let ends = Self.makePipe() else {
      let error = SimulatorError.system(.noTerminal, "cannot make a wake-up pipe")
      terminal.close()
      throw error
    }
    (wakeReader, wakeWriter) = ends
    self.link = link
    self.onBytes = onBytes
    if let link {
      unlink(link)
      guard symlink(path, link) == 0 else {
        let error = SimulatorError.system(.badLink, "cannot link \(link) to \(path)")
        terminal.close()
        throw error
      }
    }
  }

  /// Starts to serve; call once.
  func start() {
    let argument = Unmanaged.passRetained(self).toOpaque()
    var thread = pthread_t()
    state.withLock {
      let failed = pthread_create(
        &thread, nil,
        { argument in
          Unmanaged<PTYPort>.fromOpaque(argument!).takeRetainedValue().serve()
          return nil
        }, argument)
      precondition(failed == 0, "no thread for the control port")
      $0.thread = thread
    }
  }

  /// Queues one message for the host.
  func send(_ bytes: [UInt8], after delay: Duration = .zero) {
    state.withLock {
      if delay > .zero {
        $0.later.append((Self.now() + delay.nanoseconds, bytes, false))
      } else {
        $0.queue(bytes)
        for entry in $0.later where entry.isOvertaken { $0.queue(entry.bytes) }
        $0.later.removeAll(where: \.isOvertaken)
      }
    }
    wake()
  }

  /// Holds one message back until another has gone, or until this time has passed.
  func holdBack(_ bytes: [UInt8], atMost limit: Duration) {
    state.withLock { $0.later.append((Self.now() + limit.nanoseconds, bytes, true)) }
    wake()
  }

  /// Hangs up: the host sees the end of the device. Returns when that has happened, unless called
  /// on the port's own thread.
  func close() {
    let thread = state.withLock { state -> pthread_t? in
      state.isClosing = true
      defer { state.thread = nil }
      return state.thread
    }
    wake()
    guard let thread else { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  private func wake() {
    var byte: UInt8 = 1
    _ = write(wakeWriter, &byte, 1)
  }

  // MARK: The port's thread

  private func serve() {
    while true {
      let (isClosing, hasOutput, wait) = state.withLock { state -> (Bool, Bool, Int32) in
        let wait = Self.promote(&state)
        return (state.isClosing, !state.outgoing.isEmpty, wait)
      }
      if isClosing {
        // What was sent before the end must still arrive.
        flush()
        break
      }
      var polled = [
        pollfd(fd: master, events: Int16(POLLIN | (hasOutput ? POLLOUT : 0)), revents: 0),
        pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, wait) >= 0 || errno == EINTR else { break }
      if polled[1].revents != 0 {
        var wakes = [UInt8](repeating: 0, count: 64)
        while Glibc.read(wakeReader, &wakes, wakes.count) > 0 {}
      }
      if polled[0].revents & Int16(POLLOUT) != 0 { flush() }
      if polled[0].revents & Int16(POLLIN) != 0 { read() }
    }
    tearDown()
  }

  /// Moves due messages to the output; returns the milliseconds until the next one is due, -1 for
  /// never.
  private static func promote(_ state: inout State) -> Int32 {
    let now = now()
    for entry in state.later.filter({ $0.due <= now }).sorted(by: { $0.due < $1.due }) { state.outgoing += entry.bytes }
    state.later.removeAll { $0.due <= now }
    guard let next = state.later.map(\.due).min() else { return -1 }
    return Int32(clamping: (next - now) / 1_000_000 + 1)
  }

  private func flush() {
    state.withLock { state in
      var sent = 0
      defer { state.outgoing.removeFirst(sent) }
      while sent < state.outgoing.count {
        let written = state.outgoing.withUnsafeBytes { write(master, $0.baseAddress! + sent, $0.count - sent) }
        guard written > 0 else { return }
        sent += written
      }
    }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = Glibc.read(master, &buffer, buffer.count)
    if count > 0 { onBytes(Array(buffer[..<count])) }
  }

  private func tearDown() {
    if let link, RawTerminal.target(of: link) == path { unlink(link) }
    for descriptor in [master, slave] { Glibc.close(descriptor) }
  }

  deinit {
    // The thread owns the port until it ends, so nothing wakes it any more.
    for end in [wakeReader, wakeWriter] { Glibc.close(end) }
  }

  private static func makePipe() -> (reader: Int32, writer: Int32)? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

extension Duration {
  fileprivate var nanoseconds: UInt64 {
    UInt64(max(components.seconds, 0)) * 1_000_000_000 + UInt64(max(components.attoseconds, 0) / 1_000_000_000)
  }
}
