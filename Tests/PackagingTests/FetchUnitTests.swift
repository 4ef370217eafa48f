import Glibc
import Testing

@Suite("The kiosk's unit for fetch under systemd", .timeLimit(.minutes(2)))
struct FetchUnitTests {
  /// A systemd of the test's own, as in `ProxyUnitTests`.
  private static let isPossible =
    getuid() == 0 && access("/lib/systemd/systemd", X_OK) == 0
    && ["unshare", "findmnt", "timeout", "setpriv", "curl", "perl"].allSatisfy(Tool.exists)
    && ["/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs"].contains { (path: String) in
      access(path, W_OK) == 0
    }

  @Test(
    "an instance is its user, also for modemd, answers no other user, leaves its memory, and fits fetch.user or ends",
    .enabled(if: isPossible, "needs root, systemd, curl and control groups of version 2"))
  func instance() async throws {
    try await Scratch.with { scratch in
      let script = "\(Tool.repository)/Tests/PackagingTests/fetch-unit"
      let result = try await Tool.run("bash", [script, Tool.repository, Tool.binaries, scratch.path])
      #expect(
        result.output == "whole\n",
        "\(result.output) \(result.error) \(File.read(scratch.path + "/complaints") ?? "")")
    }
  }
}
