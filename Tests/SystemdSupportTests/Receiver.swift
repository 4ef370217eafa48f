import Glibc
import Testing

@testable import SystemdSupport

/// A folder that is removed with its files when the test lets go of it.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/modemd-systemd-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    path = String(cString: made)
  }

  func write(_ bytes: [UInt8], to name: String) {
    let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  deinit {
    for name in ["pin", "large", "notify"] { unlink(path + "/" + name) }
    rmdir(path)
  }
}

/// A service manager's end of NOTIFY_SOCKET.
final class Receiver: Sendable {
  let address: String
  private let descriptor: Int32
  private let folder: ScratchFolder

  init(isAbstract: Bool) throws {
    folder = try ScratchFolder()
    let path = folder.path + "/notify"
    address = isAbstract ? "@" + path : path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var (value, length) = ServiceNotifier.socketAddress(isAbstract ? .abstract(path) : .path(path))
    let bound = withUnsafePointer(to: &value) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    try #require(bound == 0)
  }

  /// Waits for the next datagram.
  func receive() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }

  deinit { close(descriptor) }
}
