import Testing

@Suite("scripts/install-dependencies", .timeLimit(.minutes(1)))
struct DependencyScriptTests {
  static let script = "\(Tool.repository)/scripts/install-dependencies"

  /// Runs the script where dpkg, apt, id and swift are stand-ins that write down what they are
  /// asked.
  /// - Parameter installed: packages that the stand-in for dpkg knows.
  static func run(
    in scratch: Scratch, groups: [String], user: Int, installed: [String] = [], swift: String = "6.3.1"
  ) async throws -> (result: Tool.Result, apt: String) {
    let (bin, log) = (scratch.path + "/bin", scratch.path + "/apt.log")
    File.makeFolder(bin)
    File.write("", to: log)
    let known = installed.map { "echo 'ii  \($0)'" }.joined(separator: "\n")
    for (name, body) in [
      ("dpkg-query", known), ("apt-get", "echo \"$*\" >>'\(log)'"), ("id", "echo \(user)"),
      ("swift", "echo 'Swift version \(swift) (swift-\(swift)-RELEASE)'"),
    ] {
      File.write("#!/bin/sh\n\(body)\n", to: "\(bin)/\(name)", mode: 0o755)
    }
    let result = try await Tool.run(
      script, groups, environment: ["PATH": "\(bin):/usr/bin:/bin"], isolated: true)
    return (result, File.read(log) ?? "")
  }

  @Test("anyone but root gets the line to run, and nothing is installed")
  func printsTheLine() async throws {
    try await Scratch.with { scratch in
      let (result, apt) = try await Self.run(in: scratch, groups: ["build"], user: 1000)
      #expect(result.status == 1)
      #expect(
        result.output
          == "  sudo apt-get install --no-install-recommends binutils libglib2.0-dev libmbim-glib-dev libmosquitto-dev libqmi-glib-dev libssl-dev pkg-config zlib1g-dev\n"
      )
      #expect(apt.isEmpty)
    }
  }

  @Test("root gets what is missing and only that")
  func installs() async throws {
    try await Scratch.with { scratch in
      let (result, apt) = try await Self.run(
        in: scratch, groups: ["build"], user: 0,
        installed: ["binutils", "libglib2.0-dev:amd64", "pkg-config", "libglib2.0-dev"])
      #expect(result.status == 0, "\(result.error)")
      let lines = apt.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(
        lines.last?.hasSuffix(
          "install -y --no-install-recommends libmbim-glib-dev libmosquitto-dev libqmi-glib-dev libssl-dev zlib1g-dev")
          == true)
    }
  }

  @Test("when nothing is missing nothing is asked of apt")
  func nothingMissing() async throws {
    try await Scratch.with { scratch in
      let packages = try await Tool.run(Self.script, ["--list", "build", "demo"]).output.split(separator: "\n").map(
        String.init)
      let (result, apt) = try await Self.run(in: scratch, groups: ["build", "demo"], user: 0, installed: packages)
      #expect(result.status == 0)
      #expect(result.output + result.error + apt == "")
    }
  }

  @Test("a Swift that is too old is named, with what is needed", arguments: ["5.10.1", "6.1", "6.1.3"])
  func oldSwift(_ version: String) async throws {
    try await Scratch.with { scratch in
      let (result, apt) = try await Self.run(in: scratch, groups: ["build"], user: 0, swift: version)
      #expect(result.status == 1)
      #expect(result.error.contains("Swift 6.2 or later is needed"))
      #expect(apt.isEmpty)
    }
  }

  @Test("newer Swift versions are taken", arguments: ["6.2", "6.3.1", "6.10", "7.0"])
  func newSwift(_ version: String) async throws {
    try await Scratch.with { scratch in
      let packages = try await Tool.run(Self.script, ["--list", "build"]).output.split(separator: "\n").map(String.init)
      let (result, _) = try await Self.run(
        in: scratch, groups: ["build"], user: 1000, installed: packages, swift: version)
      #expect(result.status == 0, "\(result.error)")
    }
  }

  @Test("systemd never comes without its library")
  func systemdWithLibrary() async throws {
    try await Scratch.with { scratch in
      let packages = try await Tool.run(Self.script, ["--list", "test"]).output.split(separator: "\n").map(String.init)
      let (result, _) = try await Self.run(
        in: scratch, groups: ["test"], user: 1000, installed: packages.filter { $0 != "systemd" })
      #expect(result.output == "  sudo apt-get install --no-install-recommends systemd libsystemd0\n")
    }
  }

  @Test("a group that is none is refused")
  func unknownGroup() async throws {
    let result = try await Tool.run(Self.script, ["--list", "kitchen"])
    #expect(result.status == 2)
    #expect(result.error.contains("'kitchen'"))
  }

  static let aptKnowsPackages = ["/var/lib/apt/lists", "/usr/bin/apt-cache"].allSatisfy { File.isExecutable($0) }

  @Test("apt knows every package by its name", .enabled(if: aptKnowsPackages, "this machine has no apt"))
  func names() async throws {
    let packages = try await Tool.run(Self.script, ["--list"]).output.split(separator: "\n").map(String.init)
    #expect(packages.count > 15)
    let result = try await Tool.run("apt-cache", ["show", "--no-all-versions"] + packages)
    let known = Set(
      result.output.split(separator: "\n").filter { $0.hasPrefix("Package: ") }.map { String($0.dropFirst(9)) })
    #expect(Set(packages).subtracting(known).isEmpty)
  }
}
