import Glibc
import Subprocess
import Testing

/// systemd's own journal, on a /run of its own. It ends with the value.
final class RealJournal: Sendable {
  /// What is /run for it.
  let folder: String
  private let process: pid_t

  static var isHere: Bool {
    geteuid() == 0 && access("/lib/systemd/systemd-journald", X_OK) == 0 && access("/usr/bin/journalctl", X_OK) == 0
  }

  var socket: String { "\(folder)/systemd/journal/socket" }

  init() async throws {
    var template = Array("/tmp/modemd-journald-XXXXXX".utf8CString)
    let folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    self.folder = folder
    // What the kernel has to say is left out: /dev/kmsg is not there.
    let script = """
      set -e
      mkdir -p "$0/log/journal" "$0/systemd/journal" "$0/systemd/catalog" "$0/catalog"
      unshare --mount --propagation private sh -c '
        mount --bind "$0" /run && mount --bind /dev/null /dev/kmsg
        exec /lib/systemd/systemd-journald' "$0" </dev/null >/dev/null 2>&1 &
      process=$!
      count=0
      until [ -S "$0/systemd/journal/socket" ]; do
        kill -0 $process
        count=$((count + 1)); [ $count -lt 500 ]
        sleep 0.02
      done
      echo $process
      """
    let (status, output, error) = try await Self.shell(script, folder)
    try #require(status && !output.isEmpty, "\(error)")
    process = try #require(pid_t(output.filter(\.isNumber)))
  }

  deinit {
    kill(process, SIGTERM)
    // It is init's child, and gone when its number is.
    var tries = 0
    while kill(process, 0) == 0, tries < 500 {
      usleep(10_000)
      tries += 1
    }
    if tries == 500 { kill(process, SIGKILL) }
    // A name that mkdtemp made.
    _ = system("rm -rf -- '\(folder)'")
  }

  /// Runs a script of the shell where the journal's /run is /run, and its catalogue the catalogue.
  ///
  /// - Returns: what it prints.
  func run(_ script: String, _ arguments: [String] = []) async throws -> String {
    let inside = """
      unshare --mount --propagation private sh -c '
        mount --bind "$0" /run && mount --bind "$0/catalog" /var/lib/systemd/catalog
        script=$1; shift; exec sh -euc "$script" "$@"' "$0" "$@"
      """
    let (status, output, error) = try await Self.shell(inside, folder, [script, "sh"] + arguments)
    try #require(status, "\(output)\(error)")
    return output
  }

  /// The entries that match, as JSON, one a line. Whatever was sent before the call is among them.
  func entries(_ matches: String...) async throws -> [String] {
    let text = try await run(
      """
      journalctl --sync
      journalctl --directory=/run/log/journal --output=json --quiet "$@"
      """, matches)
    return text.split(separator: "\n").map(String.init)
  }

  private static func shell(
    _ script: String, _ name: String, _ arguments: [String] = []
  ) async throws -> (Bool, String, String) {
    let result = try await Subprocess.run(
      .name("sh"), arguments: Arguments(["-c", script, name] + arguments), output: .string(limit: 4 << 20),
      error: .string(limit: 1 << 20))
    return (result.terminationStatus.isSuccess, result.standardOutput, result.standardError)
  }
}
