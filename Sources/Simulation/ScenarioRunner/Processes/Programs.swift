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

  /// The path of a daemon: beside the other programs as it is built, or in `lib/modemd` as it is
  /// installed.
  package static func daemon(_ name: String, in folder: String) -> String {
    let built = "\(folder)/\(name)"
    let installed = "\(folder)/../lib/modemd/\(name)"
    return access(built, X_OK) != 0 && access(installed, X_OK) == 0 ? installed : built
  }

  /// The PATH of a command in a world: the programs first. In a checkout, the Python that
  /// `make test` sets up follows, because it has the package `varlink`.
  static func searchPath(_ folder: String) -> String {
    let python = "\(folder)/../../venv/bin"
    let isCheckout = folder.contains("/.build/") && access("\(python)/python3", X_OK) == 0
    let own = environment["PATH"] ?? "/usr/bin:/bin:/usr/sbin:/sbin"
    return [folder, isCheckout ? python : nil, own].compactMap { $0 }.joined(separator: ":")
  }

  /// The folder of modemd's clients; nil outside a checkout.
  static func clients(_ folder: String) -> String? {
    guard folder.contains("/.build/"), let path = realpath("\(folder)/../../../clients", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// The PYTHONPATH of a command in a world: in a checkout, with modemd's client.
  static func pythonPath(_ folder: String) -> String? {
    let found = [clients(folder).map { "\($0)/python/src" }, environment["PYTHONPATH"]].compactMap { $0 }
    return found.isEmpty ? nil : found.joined(separator: ":")
  }

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
