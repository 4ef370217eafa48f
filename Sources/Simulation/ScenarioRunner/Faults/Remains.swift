import Glibc
import Rtnetlink

/// What the daemons of a world hold in the machine and in the modem, to compare two moments.
package struct Remains: Hashable, Sendable {
  /// Open files of modemd-port and of modemd, by what they are.
  package var files: [String: [String: Int]] = [:]
  /// Addresses of the bearer's interface, but for link-local ones.
  package var addresses: Set<String> = []
  /// Routes outside the machine's own two tables.
  package var routes: Set<String> = []
  package var rules: Set<String> = []
  /// QMI client ids that the modem has given out, by service.
  package var clientIDs: [UInt8: Int] = [:]
  /// Data sessions that the modem holds.
  package var sessions = 0

  package init() {}

  /// How many files a daemon has open.
  package func fileCount(of daemon: String) -> Int { files[daemon]?.values.reduce(0, +) ?? 0 }

  /// The differences to another moment, in words; empty without any. Fewer open files do not count:
  /// a connection that was closing at the first moment was not lost.
  package func differences(to later: Remains) -> [String] {
    var words: [String] = []
    for name in files.keys.sorted() {
      let (old, new) = (files[name] ?? [:], later.files[name] ?? [:])
      for kind in Set(old.keys).union(new.keys).sorted() where old[kind] ?? 0 < new[kind] ?? 0 {
        words.append("open files of \(name): \(old[kind] ?? 0) \(kind), then \(new[kind] ?? 0)")
      }
    }
    for (name, before, after) in [
      ("addresses", addresses, later.addresses), ("routes", routes, later.routes), ("rules", rules, later.rules),
    ] where before != after {
      words.append(
        "\(name): more \(after.subtracting(before).sorted()), fewer \(before.subtracting(after).sorted())")
    }
    if clientIDs != later.clientIDs { words.append("client ids: \(clientIDs.words), then \(later.clientIDs.words)") }
    if sessions != later.sessions { words.append("sessions in the modem: \(sessions), then \(later.sessions)") }
    return words
  }
}

extension [UInt8: Int] {
  /// As in `1:2 2:1`.
  package var words: String {
    isEmpty ? "none" : sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
  }
}

extension World {
  /// What is held now.
  package func remains() async throws -> Remains {
    var remains = try await links.host.run {
      let session = try Kernel().session
      var remains = Remains()
      if let link = try session.link(named: "wwan0") {
        remains.addresses = Set(
          try session.addresses(ofInterface: link.index).map(\.prefix).filter { !$0.address.isLinkLocal }
            .map { "\($0)" })
      }
      remains.rules = Set(try AddressFamily.allCases.flatMap { try session.rules($0) }.map { "\($0)" })
      for route in try session.routes() where route.table != 254 && route.table != 255 {
        remains.routes.insert("\(route.words) in \(route.table)")
      }
      return remains
    }
    for daemon in Daemon.allCases {
      guard let process = process(of: daemon), process.end == nil else { continue }
      remains.files[daemon.rawValue] = ProcessFigures.openFiles(of: process.id)
    }
    let snapshot = modem.snapshot
    remains.clientIDs = snapshot.clientIDs.mapValues(\.count).filter { $0.value > 0 }
    remains.sessions = snapshot.bearers.count
    return remains
  }

  /// Waits until the same is held as before; at most 45 seconds.
  /// - Parameter daemons: those whose files do not matter.
  /// - Returns: the remaining differences, in words.
  package func settle(to before: Remains, besides daemons: [Daemon] = []) async throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(45)
    var differences: [String] = []
    repeat {
      var now = try await remains()
      for daemon in daemons { now.files[daemon.rawValue] = before.files[daemon.rawValue] }
      differences = before.differences(to: now)
      if differences.isEmpty { return [] }
      try await Task.sleep(for: .milliseconds(20))
    } while ContinuousClock.now < deadline
    return differences
  }
}

/// What the kernel says of a process.
package enum ProcessFigures {
  /// How many files of each kind are open: `socket`, `anon_inode:[timerfd]`, `/dev/pts`.
  static func openFiles(of id: pid_t) -> [String: Int] {
    guard let folder = opendir("/proc/\(id)/fd") else { return [:] }
    defer { closedir(folder) }
    var kinds: [String: Int] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = readlink("/proc/\(id)/fd/\(name)", &buffer, buffer.count)
      guard count > 0 else { continue }
      let target = String(decoding: buffer.prefix(count), as: UTF8.self)
      let isNumbered = target.hasPrefix("socket:") || target.hasPrefix("pipe:")
      let kind: Substring =
        target.hasPrefix("/dev/pts/") ? "/dev/pts" : isNumbered ? target.prefix { $0 != ":" } : withoutNumber(target)
      kinds[String(kind), default: 0] += 1
    }
    return kinds
  }

  /// Without the number at its end: a ledger's next journal is one file like the last.
  private static func withoutNumber(_ path: String) -> Substring {
    path.prefix(path.count - path.reversed().prefix { $0.isNumber }.count)
  }

  /// Anonymous resident memory in kB (RssAnon): what the process allocated, without files it maps.
  package static func memory(of id: pid_t) -> Int { number("RssAnon:", of: id) }

  /// All resident memory in kB (VmRSS), with the files that the process maps.
  package static func resident(of id: pid_t) -> Int { number("VmRSS:", of: id) }

  package static func threads(of id: pid_t) -> Int { number("Threads:", of: id) }

  private static func number(_ key: String, of id: pid_t) -> Int {
    let lines = (WorldFolder.read("/proc/\(id)/status") ?? "").split(separator: "\n")
    let words = lines.first { $0.hasPrefix(key) }?.split { $0 == " " || $0 == "\t" } ?? []
    return words.count > 1 ? Int(words[1]) ?? 0 : 0
  }
}
