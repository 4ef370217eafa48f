import Glibc
import Testing

@Suite("The daemons' units under systemd, and the runtime's complaints", .timeLimit(.minutes(3)))
struct QuietUnitTests {
  /// A systemd of the test's own, as in `ProxyUnitTests`.
  private static let isPossible =
    getuid() == 0 && access("/lib/systemd/systemd", X_OK) == 0
    && ["unshare", "findmnt", "timeout"].allSatisfy(Tool.exists)
    && ["/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs"].contains { (path: String) in
      access(path, W_OK) == 0
    }

  @Test(
    "under its filter of system calls a daemon's runtime has nothing to complain of, and without the line for it it has",
    .enabled(if: isPossible, "needs root, systemd and control groups of version 2"))
  func quiet() async throws {
    try await Scratch.with { scratch in
      let script = "\(Tool.repository)/Tests/PackagingTests/quiet-units"
      let result = try await Tool.run("bash", [script, Tool.repository, Tool.binaries, scratch.path])
      #expect(
        result.output == "whole\n",
        "\(result.output) \(result.error) \(File.read(scratch.path + "/complaints") ?? "")")
    }
  }

  @Test(
    "every unit of a daemon has that line",
    arguments: ["modemd", "modemd-port@", "modemd-web", "modemd-web-fetch@", "modemd-fleet"])
  func line(_ unit: String) throws {
    let text = try #require(File.read("\(Tool.repository)/systemd/\(unit).service"))
    #expect(text.split(separator: "\n").contains("SystemCallFilter=~setpriority:0"))
  }
}
