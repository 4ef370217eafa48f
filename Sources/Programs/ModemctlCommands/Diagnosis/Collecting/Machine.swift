import Glibc
import LimitClock
import ModemctlCore

/// The examined machine: its files, and the programs that describe it. Every reading is limited in
/// bytes and time and, where requested, does not follow a link at a file's end.
struct Machine: Sendable {
  /// What became of a reading.
  enum Reading: Hashable, Sendable {
    case text(String)
    /// There is no such file or program.
    case missing
    /// The caller's permissions are not sufficient.
    case denied
    /// Anything else, in words.
    case failed(String)

    var text: String? { if case .text(let text) = self { text } else { nil } }
    /// Without white space at both ends; nil if nothing is left.
    var line: String? {
      guard let text else { return nil }
      let line = text.trimmingSpace()
      return line.isEmpty ? nil : line
    }
  }

  /// Prefix of the paths of all files; empty for the machine's own.
  var root = ""
  /// Where to look for programs. Not `PATH`: root may run this with another user's.
  var folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/lib/modemd"]
  /// Seconds for one program.
  var seconds = 5
  /// No programs are started after this time.
  var deadline: LimitClock.Instant
  let clock: LimitClock
  var userID = geteuid()

  init(clock: LimitClock = .machine) {
    self.clock = clock
    deadline = clock.now + .seconds(90)
  }

  /// Largest reading in bytes.
  static let usualBytes = 64 << 10

  var isRoot: Bool { userID == 0 }

  /// Reads a regular file, or one of the kernel's.
  func file(_ path: String, bytes limit: Int = usualBytes) -> Reading {
    // Neither a pipe nor a device makes this wait.
    let descriptor = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return Self.reading(of: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return Self.reading(of: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .failed("it is not a regular file") }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count < limit {
      let count = read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return Self.reading(of: errno) }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return .text(String(decoding: bytes, as: UTF8.self))
  }

  /// The names in a folder, in order; nil if it cannot be read.
  ///
  /// - Parameter limit: the largest number of names.
  func names(in path: String, limit: Int = 512) -> [String]? {
    guard let folder = opendir(root + path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The target of a symbolic link, as written in it; nil for any other file.
  func target(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(root + path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// Kind, mode, owner and group of a file, as in `socket 0660 root:modemd`; nil if there is none.
  func rights(of path: String) -> String? {
    var status = stat()
    guard lstat(root + path, &status) == 0 else { return nil }
    let kind =
      switch status.st_mode & S_IFMT {
      case S_IFSOCK: "socket"
      case S_IFDIR: "folder"
      case S_IFLNK: "link"
      case S_IFREG: "file"
      default: "other"
      }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    return "\(kind) \(String(repeating: "0", count: max(0, 4 - mode.count)))\(mode) "
      + "\(Self.user(status.st_uid)):\(Self.group(status.st_gid))"
  }

  /// Runs a program without a shell.
  ///
  /// - Returns: its output, including errors; `missing` if it is not installed.
  func run(_ name: String, _ arguments: [String], bytes: Int = usualBytes) -> Reading {
    guard clock.now < deadline else { return .failed("the time for this report is over") }
    guard let program = BoundedCommand.find(name, in: folders) else { return .missing }
    do {
      let command = BoundedCommand(
        program, arguments, seconds: seconds, maximumOutput: bytes, joinsErrors: true, clock: clock)
      let (output, end) = try command.output()
      let text = String(decoding: output, as: UTF8.self)
      switch end {
      case .exited(0): return .text(text)
      case .exited(let status): return .text(text + "(\(name) ended with status \(status))\n")
      case .killed(let signal): return .text(text + "(\(name) was ended by signal \(signal))\n")
      case .tooLong: return .text(text + "(\(name) took longer than \(seconds) s and was ended)\n")
      case .tooMuch: return .text(text + "\n(cut here: \(name) wrote more than \(bytes) bytes)\n")
      }
    } catch {
      return .failed("\(error)")
    }
  }

  private static func reading(of error: Int32) -> Reading {
    switch error {
    case ENOENT, ENOTDIR, ENODEV: .missing
    case EACCES, EPERM: .denied
    default: .failed(String(cString: strerror(error)))
    }
  }

  static func user(_ id: UInt32) -> String { getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "\(id)" }
  static func group(_ id: UInt32) -> String { getgrgid(id).map { String(cString: $0.pointee.gr_name) } ?? "\(id)" }
}

extension StringProtocol {
  func trimmingSpace() -> String {
    var text = self[...]
    while text.first?.isWhitespace == true { text = text.dropFirst() }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }
}
