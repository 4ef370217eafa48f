import CLinux
import Glibc

/// The editor that a person chose, on this terminal.
package enum EditorCommand {
  /// Lets the person edit a file, and waits for the editor's end.
  ///
  /// - Parameters:
  ///   - file: the file's path.
  ///   - editor: a command line as in `EDITOR`; nil for Debian's `editor`, else vi.
  /// - Throws: `ModemctlError` if there is no editor, or it ended with an error.
  package static func edit(_ file: String, with editor: String?) throws {
    guard let command = editor.flatMap({ $0.isEmpty ? nil : $0 }) ?? usual else {
      throw ModemctlError(.failed, "there is no editor; set EDITOR to one")
    }
    // The variable may have arguments, as in other programs that use it.
    let words = ["/bin/sh", "-c", "\(command) \"$1\"", "sh", file]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    clinux_spawn_without_files(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    clinux_spawn_with_usual_signals(&attributes, 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let error = posix_spawn(&process, words[0], &actions, &attributes, &arguments, environ)
    guard error == 0 else {
      throw ModemctlError(.failed, "the editor cannot be started: \(String(cString: strerror(error)))")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw ModemctlError(.failed, "the editor is lost; nothing was changed") }
    }
    guard status == 0 else { throw ModemctlError(.failed, "the editor ended with an error; nothing was changed") }
  }

  private static var usual: String? { BoundedCommand.find("editor") ?? BoundedCommand.find("vi") }
}
