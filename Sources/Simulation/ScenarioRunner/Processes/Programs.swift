import Glibc

/// The project's programs, and what this process passes on to others.
package enum Programs {
  /// The folder of the running program: its siblings are there.
  package static let folder: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }()

  static func simulator(in folder: String) -> String { "\(folder)/modem-simulator" }

  static let environment: [String: String] = {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let halves = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if halves.count == 2 { variables[String(halves[0])] = String(halves[1]) }
      next += 1
    }
    return variables
  }()
}
