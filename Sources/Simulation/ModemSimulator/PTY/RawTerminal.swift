import Glibc

/// A pseudo-terminal pair that passes bytes unchanged.
struct RawTerminal {
  let master: Int32
  let slave: Int32
  let path: String

  // TIOCSPTLCK and TIOCGPTN of Linux; the header says them in macros that Swift does not import.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  init() throws(SimulatorError) {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0 else { throw .system(.noTerminal, "cannot open /dev/ptmx") }
    var (number, isLocked): (UInt32, Int32) = (0, 0)
    guard ioctl(master, Self.setLock, &isLocked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
      let error = SimulatorError.system(.noTerminal, "cannot unlock the pseudo-terminal")
      Glibc.close(master)
      throw error
    }
    let path = "/dev/pts/\(number)"
    let slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0, Self.makeRaw(slave), fcntl(master, F_SETFL, O_RDWR | O_NONBLOCK) == 0 else {
      let error = SimulatorError.system(.noTerminal, "cannot set the pseudo-terminal to raw mode")
      if slave >= 0 { Glibc.close(slave) }
      Glibc.close(master)
      throw error
    }
    self.master = master
    self.slave = slave
    self.path = path
  }

  func close() {
    Glibc.close(slave)
    Glibc.close(master)
  }

  /// Where a symbolic link points to; nil when there is none.
  static func target(of link: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { readlink(link, $0.bindMemory(to: CChar.self).baseAddress!, $0.count) }
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// Without this the terminal would echo, translate line ends and act on control characters.
  private static func makeRaw(_ descriptor: Int32) -> Bool {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return false }
    cfmakeraw(&settings)
    return tcsetattr(descriptor, TCSANOW, &settings) == 0
  }
}
