import Glibc
import Rtnetlink

/// What the kernel and the daemons of a world have, in numbers.
extension World {
  /// What the host's network namespace has, by name.
  package func kernelPicture() async throws -> [String: Int] {
    try await links.host.run {
      let session = try Kernel().session
      var picture = [
        "links": try session.links().count
      ]
      // Those of the calling thread's namespace; connections that wait for their end do not count.
      for (name, file) in [
        ("TCP sockets", "tcp"), ("TCP sockets over IPv6", "tcp6"), ("UDP sockets", "udp"),
        ("UDP sockets over IPv6", "udp6"),
      ] {
        let lines = (WorldFolder.read("/proc/thread-self/net/\(file)") ?? "").split(separator: "\n").dropFirst()
        picture[name] = lines.count { $0.split(separator: " ").dropFirst(3).first != "06" }
      }
      return picture
    }
  }

  /// Memory in kB, private and resident, and threads of the daemons, by daemon.
  package func memoryFigures() async -> [String: [String: Int]] {
    var figures: [String: [String: Int]] = [:]
    for daemon in Daemon.allCases {
      guard let id = process(of: daemon)?.id else { continue }
      figures[daemon.rawValue] = [
        "memory": ProcessFigures.memory(of: id), "resident": ProcessFigures.resident(of: id),
        "threads": ProcessFigures.threads(of: id),
      ]
    }
    return figures
  }
}
