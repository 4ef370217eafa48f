import Glibc

/// What went wrong around a broker, as a test shall print it.
package struct BrokerFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// A program that a test starts, and ends by its number.
enum Program {
  /// Starts a program whose output goes to a file.
  static func start(_ words: [String], output: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The pool's threads block all signals, and a program would inherit that.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [
      strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), strdup("LC_ALL=C"), nil,
    ]
    defer { for variable in environment { free(variable) } }
    var child = pid_t()
    let failure = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &environment)
    guard failure == 0 else { throw BrokerFailure("\(words[0]): \(String(cString: strerror(failure)))") }
    return child
  }

  /// Runs a program to its end.
  static func run(_ words: [String], output: String) throws {
    let status = wait(for: try start(words, output: output))
    guard status == 0 else {
      throw BrokerFailure("\(words.joined(separator: " ")) ended with \(status):\n\(File.read(output))")
    }
  }

  /// - Returns: what waitpid says.
  @discardableResult
  static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status
  }
}

/// Small files of a test.
enum File {
  static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw BrokerFailure("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw BrokerFailure("\(path) cannot be written") }
  }
}
