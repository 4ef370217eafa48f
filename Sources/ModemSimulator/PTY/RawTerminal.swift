import Glibc

/// A pseudo-terminal pair that passes bytes unchanged.
struct RawTerminal {
  let master: Int32
  let slave: Int32
  let path: String

  init() throws(SimulatorError) {
    let master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0 else { throw .system(.noTerminal, "cannot open a pseudo-terminal") }
    var name = [CChar](repeating: 0, count: 128)
    guard grantpt(master) == 0, unlockpt(master) == 0, ptsname_r(master, &name, name.count) == 0 else {
      let error = SimulatorError.system(.noTerminal, "cannot unlock the pseudo-terminal")
      Glibc.close(master)
      throw error
    }
    let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0, Self.makeRaw(slave), fcntl(master, F_SETFL, O_RDWR | O_NONBLOCK) == 0 else {
      let error = SimulatorError.system(.noTerminal, "cannot set the pseudo-terminal to raw mode")
      if slave >= 0 { Glibc.close(slave) }
      Glibc.close(master)
      throw error
    }
    self.master = master
    self.slave = slave
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
