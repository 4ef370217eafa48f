import CGLib
import GLibBridge
import Glibc

/// The modem's end of a pseudoterminal. Make and use it on the GLib thread.
final class ScriptedPort {
  /// The control port for the backend.
  let path: String
  private var ends: (modem: CInt, host: CInt)
  private var source: UnsafeMutablePointer<GSource>?
  private var receive: ([UInt8]) -> Void = { _ in }

  /// TIOCSPTLCK and TIOCGPTN, which Swift does not see.
  private static let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  init() {
    let modem = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (CInt, CUnsignedInt) = (0, 0)
    precondition(
      modem >= 0 && ioctl(modem, Self.unlock, &lock) == 0 && ioctl(modem, Self.getNumber, &number) == 0,
      "no pseudoterminal: errno \(errno)")
    path = "/dev/pts/\(number)"
    // Kept open: without it, reading the modem's end fails between two hosts.
    let host = Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var mode = termios()
    tcgetattr(host, &mode)
    cfmakeraw(&mode)
    tcsetattr(host, TCSANOW, &mode)
    ends = (modem, host)
  }

  deinit { hangUp() }

  var isOpen: Bool { ends.modem >= 0 }

  /// Calls `receive` on the GLib thread with the bytes that arrive.
  func listen(on glib: GLibExecutor, _ receive: @escaping ([UInt8]) -> Void) {
    self.receive = receive
    source = g_unix_fd_source_new(ends.modem, G_IO_IN)
    let callback: GUnixFDSourceFunc = { _, _, data in
      let port = Unmanaged<WeakPort>.fromOpaque(data!).takeUnretainedValue().port
      port?.read()
      return port == nil ? 0 : 1
    }
    g_source_set_callback(
      source, unsafeBitCast(callback, to: GSourceFunc.self), Unmanaged.passRetained(WeakPort(self)).toOpaque(),
      { Unmanaged<WeakPort>.fromOpaque($0!).release() })
    g_source_attach(source, glib.context)
  }

  /// Ends the port, as when a modem is unplugged.
  func hangUp() {
    guard isOpen else { return }
    if let source {
      g_source_destroy(source)
      g_source_unref(source)
    }
    source = nil
    Glibc.close(ends.modem)
    Glibc.close(ends.host)
    ends = (-1, -1)
  }

  func send(_ bytes: [UInt8]) {
    guard isOpen else { return }
    precondition(write(ends.modem, bytes, bytes.count) == bytes.count, "the host does not read")
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(ends.modem, &buffer, buffer.count)
    if count > 0 { receive(Array(buffer.prefix(count))) }
  }
}

private final class WeakPort {
  weak var port: ScriptedPort?
  init(_ port: ScriptedPort) { self.port = port }
}
