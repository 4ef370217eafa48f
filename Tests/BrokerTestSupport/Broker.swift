import Glibc
import Synchronization

/// A mosquitto of a test's own, with TLS, an authority of its own, and two listeners: one for
/// machines and one for the back office, each with its rules. It ends with this object.
package final class Broker: Sendable {
  /// How a broker is set up. The defaults are those of Docs/fleet.md.
  package struct Options: Sendable {
    /// Before the command: `ip netns exec X`.
    package var prefix: [String] = []
    /// What the listeners listen on.
    package var address = "127.0.0.1"
    /// What the server's certificate is for, the address first.
    package var hosts = ["127.0.0.1", "localhost"]
    /// 0 for ones that are free here.
    package var machinesPort: UInt16 = 0
    package var officePort: UInt16 = 0
    /// What the office may do besides commands and their replies.
    package var officeRules = ["pattern readwrite modemd-office/1/#"]
    /// More of mosquitto's settings, for all listeners.
    package var settings: [String] = []
    /// From when to when the server's certificate is valid, as openssl writes times.
    package var serverDates: (from: String, to: String)?
    package var logsAll = true

    package init() {}
  }

  /// Removed with this object.
  package let folder: String
  package let authority: Authority
  package let machinesPort: UInt16
  package let officePort: UInt16
  /// What the listeners listen on, and the server's certificate is for.
  package var host: String { options.address }

  private let options: Options
  private let child = Mutex<pid_t?>(nil)

  /// Makes the authority and the files, and starts the broker.
  ///
  /// - Throws: if it does not listen within 10 s.
  package init(_ options: Options = Options()) throws {
    var template = Array("/tmp/modemd-broker-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BrokerFailure("no folder: \(String(cString: strerror(errno)))") }
    folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.options = options
    authority = try Authority("fleet", in: folder + "/ca")
    machinesPort = options.machinesPort == 0 ? try Self.freePort() : options.machinesPort
    officePort = options.officePort == 0 ? try Self.freePort() : options.officePort
    let server = try authority.issueServer("server", hosts: options.hosts, dates: options.serverDates)
    try useServer(server)
    try File.write(Self.machineRules, to: folder + "/machines.acl")
    try File.write(Self.officeRules + options.officeRules.joined(separator: "\n") + "\n", to: folder + "/office.acl")
    try writeSettings()
    try start()
  }

  deinit {
    kill()
    try? Program.run(["rm", "-rf", "--", folder], output: "/dev/null")
  }

  /// What the broker wrote.
  package var log: String { File.read(folder + "/broker.log") }
  /// The process, for its figures in /proc; nil when it does not run.
  package var processID: pid_t? { child.withLock { $0 } }

  /// A certificate for a machine or a client of the office.
  package func credentials(_ name: String, file: String? = nil) throws -> Credentials {
    try authority.issueClient(name, file: file)
  }

  /// Changes the server's certificate, from the next start or `reload` on.
  package func useServer(_ server: Credentials) throws {
    for (from, to) in [(server.certificate, "server.crt"), (server.key, "server.key")] {
      try File.write(File.read(from), to: "\(folder)/\(to)")
    }
  }

  /// - Throws: if it does not listen within 10 s.
  package func start() throws {
    guard processID == nil else { return }
    let path = folder + "/broker.log"
    let before = Self.startsIn(log)
    let started = try Program.start(options.prefix + ["mosquitto", "-c", folder + "/mosquitto.conf"], output: path)
    child.withLock { $0 = started }
    for _ in 0..<1000 {
      if Self.startsIn(log) > before { return }
      var status: Int32 = 0
      if waitpid(started, &status, WNOHANG) == started {
        child.withLock { $0 = nil }
        throw BrokerFailure("mosquitto ended with \(status):\n\(log)")
      }
      usleep(10_000)
    }
    throw BrokerFailure("mosquitto does not listen within 10 s:\n\(log)")
  }

  private static func startsIn(_ log: String) -> Int {
    log.split(separator: "\n").count { $0.contains("mosquitto version") && $0.hasSuffix("running") }
  }

  /// Ends it as systemd does: it keeps its sessions, and tells its clients.
  package func stop() { end(SIGTERM) }
  /// Ends it as a loss of power does.
  package func kill() { end(SIGKILL) }

  /// Lets it read the revocations and rules anew.
  package func reload() { if let child = processID { Glibc.kill(child, SIGHUP) } }

  /// Lets it answer nothing until `thaw`.
  package func freeze() { if let child = processID { Glibc.kill(child, SIGSTOP) } }
  package func thaw() { if let child = processID { Glibc.kill(child, SIGCONT) } }

  /// Publishes with QoS 1 as a client of the office, by mosquitto's own program.
  package func publish(_ topic: String, _ payload: String, as office: Credentials) throws {
    let file = folder + "/payload"
    try File.write(payload, to: file)
    try Program.run(
      options.prefix + ["mosquitto_pub", "-V", "5", "-h", host, "-p", String(officePort), "-q", "1"]
        + ["--cafile", office.authorities, "--cert", office.certificate, "--key", office.key]
        + ["-t", topic, "-f", file], output: folder + "/mosquitto_pub.log")
  }

  private func end(_ signal: Int32) {
    let child = child.withLock { child in
      defer { child = nil }
      return child
    }
    guard let child else { return }
    Glibc.kill(child, signal)
    Program.wait(for: child)
  }

  private func writeSettings() throws {
    try File.write(
      """
      user root
      per_listener_settings true
      persistence true
      persistence_location \(folder)/
      autosave_interval 30
      set_tcp_nodelay true
      max_queued_messages 10000
      persistent_client_expiration 1d
      log_dest stderr
      log_type \(options.logsAll ? "all" : "error")
      log_type notice
      log_type information
      connection_messages \(options.logsAll)
      \(options.settings.joined(separator: "\n"))
      \(listener(machinesPort, "machines"))
      \(listener(officePort, "office"))
      """, to: folder + "/mosquitto.conf")
  }

  private func listener(_ port: UInt16, _ name: String) -> String {
    """
    listener \(port) \(options.address)
    cafile \(authority.certificate)
    certfile \(folder)/server.crt
    keyfile \(folder)/server.key
    crlfile \(authority.revocations)
    require_certificate true
    use_identity_as_username true
    \(name == "machines" ? "use_username_as_clientid true" : "")
    allow_anonymous false
    acl_file \(folder)/\(name).acl

    """
  }

  /// Patterns, since a rule without a user is for clients without a name alone.
  private static let machineRules = """
    pattern write modemd/1/%u/status
    pattern write modemd/1/%u/about
    pattern write modemd/1/%u/modem/#
    pattern write modemd/1/%u/alarm/+
    pattern write modemd/1/%u/event/+
    pattern write modemd/1/%u/metrics
    pattern write modemd/1/%u/audit
    pattern write modemd/1/%u/reply/+
    pattern read modemd/1/%u/command/+/+

    """
  private static let officeRules = """
    pattern write modemd/1/+/command/%u/+
    pattern read modemd/1/+/reply/%u
    pattern read modemd/1/+/status
    pattern read modemd/1/+/about
    pattern read modemd/1/+/modem/#
    pattern read modemd/1/+/alarm/+
    pattern read modemd/1/+/event/+
    pattern read modemd/1/+/metrics
    pattern read modemd/1/+/audit

    """

  /// A port of loopback that nobody listens on at this moment.
  package static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw BrokerFailure("no free port: \(String(cString: strerror(errno)))") }
    return UInt16(bigEndian: address.sin_port)
  }
}
