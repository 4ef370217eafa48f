import Glibc
import Testing

@Suite("make install", .timeLimit(.minutes(1)), .enabled(if: Tool.exists("make"), "make is not installed"))
struct InstallTests {
  static let files = [
    "usr/bin/modemctl", "usr/bin/modem-simulator", "usr/lib/modemd/modemd", "usr/lib/modemd/modemd-port",
    "usr/lib/modemd/modemd-port-elect", "usr/lib/modemd/modemd-proxy", "usr/lib/systemd/system/modemd.service",
    "usr/lib/systemd/system/modemd.socket",
    "usr/lib/systemd/system/modemd-port@.service", "usr/lib/udev/rules.d/70-modemd.rules",
    "usr/lib/sysusers.d/modemd.conf", "usr/lib/tmpfiles.d/modemd.conf",
    "usr/share/modemd/varlink/org.modemd.Modem.varlink", "usr/share/modemd/varlink/org.modemd.Bearer.varlink",
    "usr/share/modemd/varlink/org.modemd.Check.varlink", "usr/share/modemd/varlink/org.modemd.Messages.varlink",
    "usr/share/man/man1/modemctl.1",
    "usr/share/man/man8/modemd.8", "usr/share/man/man8/modemd-port.8",
    "usr/share/bash-completion/completions/modemctl", "usr/share/doc/modemd/README.md",
    "usr/share/modem-simulator/scenarios/tutorial/scenario.json",
  ]

  @Test("everything lies in its place, and programs can be run")
  func places() async throws {
    try await Scratch.with { scratch in
      let (root, result) = try await scratch.install()
      #expect(result.status == 0, "\(result.error)")
      for file in Self.files {
        #expect(access("\(root)/\(file)", R_OK) == 0, "\(file) was not installed")
        let isProgram = file.contains("/bin/") || file.contains("lib/modemd/")
        #expect(File.isExecutable("\(root)/\(file)") == isProgram, "\(file) has the wrong mode")
      }
    }
  }

  @Test("another prefix is written into the units, and nothing lies outside it")
  func prefix() async throws {
    try await Scratch.with { scratch in
      let root = scratch.path + "/root"
      let result = try await Tool.run(
        "make",
        [
          "install", "CONFIGURATION=debug", "BIN_DIR=\(Tool.binaries)", "DESTDIR=\(root)", "PREFIX=/opt/x",
          "INSTALL_PROGRAM=ln -f", "STRIP=true",
        ])
      #expect(result.status == 0, "\(result.error)")
      let unit = try #require(File.read("\(root)/opt/x/lib/systemd/system/modemd.service"))
      #expect(unit.contains("ExecStart=/opt/x/lib/modemd/modemd "))
      #expect(!unit.contains("/usr/lib/modemd"))
      let top = try await Tool.run("find", [root, "-type", "f", "-not", "-path", "\(root)/opt/x/*"])
      #expect(top.output.isEmpty, "outside of the prefix: \(top.output)")
    }
  }
}
