import Glibc
import OperatorSimulator

/// The folder of a running world: sockets, certificates, logs. It is removed with the world.
package struct WorldFolder: Hashable, Sendable {
  package let path: String

  /// The folder of a world that already runs.
  package init(path: String) { self.path = path }

  /// Makes a folder below TMPDIR.
  static func make() throws -> WorldFolder {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/modem-world-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw WorldError.system("cannot make a folder in \(parent)") }
    let folder = WorldFolder(path: template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
    for name in ["ports", "state", "modemd-state", "certificates", "providers", "credentials"] {
      mkdir(folder.file(name), 0o700)
    }
    return folder
  }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Where modemd listens.
  package var socket: String { file("org.modemd") }
  /// modemd's figures, over Varlink.
  package var metrics: String { file("metrics") }
  /// modemd's figures, over HTTP.
  package var metricsHTTP: String { file("metrics.http") }
  /// modemd's proxy.
  package var proxy: String { file("proxy") }
  /// modemd's files of providers, NAME.json.
  package var providers: String { file("providers") }
  /// modemd's credentials, as systemd would give them.
  package var credentials: String { file("credentials") }
  /// The certificate authority of the world's servers, as PEM.
  package var authority: String { file("certificates/authority.pem") }
  /// Where the world's system bus listens, in a world that has one.
  package var bus: String { file("bus") }
  /// Where the world itself accepts requests to make something happen.
  package var control: String { file("control") }
  /// Where the servers of the operator accept requests that those of the other uplink forward.
  var forwarding: String { file("forwarding") }
  /// The requests that one side received.
  func requests(_ role: ServerRole) -> String { file("requests.\(role.rawValue)") }
  /// The words that its services were given since the start.
  var words: WordsToServices { WordsToServices(at: file("words")) }
  /// Secrets that simulated services have made: a kind, a tab and the secret in each line.
  var issuedSecrets: String { file("issued-secrets") }

  /// How the operator's name servers answer at the moment: a world says it to its servers through a
  /// file.
  package var nameServerBehaviour: NameServerBehaviour {
    Self.read(file("name-server-behaviour")).flatMap { NameServerBehaviour($0) } ?? .honest
  }

  func set(_ behaviour: String) throws {
    guard NameServerBehaviour(behaviour) != nil else {
      throw WorldError(.process, "honest, silent, IP addresses, or names with theirs are expected for the name servers")
    }
    try Self.replace(file("name-server-behaviour"), with: behaviour)
  }

  /// Writes a file in one step, because a server may read it at any moment.
  static func replace(_ path: String, with text: String) throws {
    try write(text, at: path + ".new", mode: 0o600)
    guard rename(path + ".new", path) == 0 else { throw WorldError.system("cannot write \(path)") }
  }

  func log(of name: String) -> String { file("\(name).log") }

  /// The last lines that a process wrote.
  func tail(of name: String) -> String {
    let lines = (Self.read(log(of: name)) ?? "").split(separator: "\n").suffix(12)
    return lines.isEmpty ? "it wrote nothing" : "it wrote last:\n  " + lines.joined(separator: "\n  ")
  }

  /// Makes a folder in it, only for its owner; it may already exist.
  func makeFolder(_ name: String) throws {
    guard mkdir(file(name), 0o700) == 0 || errno == EEXIST else { throw WorldError.system("cannot make \(file(name))") }
  }

  func write(_ text: String, to name: String, mode: mode_t = 0o644) throws {
    try Self.write(text, at: file(name), mode: mode)
  }

  private static func write(_ text: String, at path: String, mode: mode_t) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw WorldError.system("cannot write \(path)") }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw WorldError.system("cannot write \(path)")
    }
  }

  /// The text of a file; nil when it cannot be opened.
  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { content += buffer[..<count] }
    return String(decoding: content, as: UTF8.self)
  }

  /// Removes the folder with all that is in it.
  func remove() { Self.remove(path) }

  /// What is in a folder.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func remove(_ path: String) {
    guard unlink(path) != 0, errno == EISDIR || errno == EPERM else { return }
    for name in names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
