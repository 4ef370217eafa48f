import Glibc
import Testing

@Suite("The proxies' units under systemd", .timeLimit(.minutes(2)))
struct ProxyUnitTests {
  /// A systemd of the test's own, in namespaces: what it needs beside root is a hierarchy of
  /// control groups that it may add to.
  private static let isPossible =
    getuid() == 0 && access("/lib/systemd/systemd", X_OK) == 0 && access("/usr/libexec/mbim-proxy", X_OK) == 0
    && ["unshare", "findmnt", "timeout"].allSatisfy(Tool.exists)
    && ["/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs"].contains { (path: String) in
      access(path, W_OK) == 0
    }

  @Test(
    "they start with whoever wants them, outlive each of those and end with the last, wait for others and end what was left",
    .enabled(if: isPossible, "needs root, systemd, mbim-proxy and control groups of version 2"))
  func life() async throws {
    try await Scratch.with { scratch in
      let script = "\(Tool.repository)/Tests/PackagingTests/proxy-units"
      let result = try await Tool.run("bash", [script, Tool.repository, scratch.path])
      #expect(
        result.output == "whole\n",
        "\(result.output) \(result.error) \(File.read(scratch.path + "/complaints") ?? "")")
    }
  }
}
