import Glibc
import Logging
import Testing
import Varlink

@testable import modemd

@Suite("make install", .timeLimit(.minutes(1)), .enabled(if: Tool.exists("make"), "make is not installed"))
struct InstallTests {
  static let files = [
    "usr/bin/modemctl", "usr/bin/modem-simulator", "usr/lib/modemd/modemd", "usr/lib/modemd/modemd-port",
    "usr/lib/modemd/modemd-proxy", "usr/lib/modemd/modemd-run",
    "usr/lib/systemd/system/modemd-bearer-proxy.socket", "usr/lib/systemd/system/modemd.service",
    "usr/lib/systemd/system/modemd.socket", "usr/lib/systemd/system/modemd-metrics.socket",
    "usr/lib/systemd/system/modemd-metrics-http.socket",
    "usr/share/doc/modemd/examples/modemd-textfile.timer", "usr/share/doc/modemd/examples/modemd-textfile.service",
    "usr/lib/systemd/system/modemd-port@.service", "usr/lib/udev/rules.d/70-modemd.rules",
    "usr/lib/sysusers.d/modemd.conf", "usr/lib/tmpfiles.d/modemd.conf",
    "usr/share/man/man1/modemctl.1", "usr/share/man/man1/modem-simulator.1",
    "usr/share/man/man5/modemd.conf.5", "usr/share/man/man5/modemd.providers.5",
    "usr/lib/modemd/modemd-browser-host", "usr/share/modemd/browser-extension/source/manifest.json",
    "usr/share/modemd/browser-extension/system/etc/chromium/policies/managed/modemd.json",
    "usr/share/doc/modemd/examples/kiosk/pages/modemd.js", "usr/share/man/man5/modemd.browser-host.5",
    "usr/lib/modemd/modemd-web", "usr/lib/systemd/system/modemd-web.service",
    "usr/lib/systemd/system/modemd-web-fetch@.service", "usr/lib/sysusers.d/modemd-web.conf",
    "usr/lib/tmpfiles.d/modemd-web.conf", "usr/share/man/man5/modemd.web.5", "usr/share/man/man8/modemd-web.8",
    "usr/lib/modemd/modemd-fleet", "usr/lib/systemd/system/modemd-fleet.service",
    "usr/lib/sysusers.d/modemd-fleet.conf", "usr/lib/tmpfiles.d/modemd-fleet.conf",
    "usr/share/man/man5/modemd.fleet.5", "usr/share/man/man8/modemd-fleet.8",
    "usr/share/doc/modemd/examples/browser/web.json", "usr/share/doc/modemd/browser.md",
    "usr/share/man/man8/modemd.8", "usr/share/man/man8/modemd-port.8",
    "usr/share/modem-simulator/scenarios/demo/scenario.json",
    "usr/share/modem-simulator/scenarios/tutorial/scenario.json",
    "usr/share/doc/modemd/tutorials/website-login.md", "usr/share/doc/modemd/examples/providers/truid.json",
    "usr/share/doc/modemd/examples/python/verify_number.py", "etc/modemd/modemd.json", "etc/modemd/modemd-port.json",
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

  @Test("the descriptions of the service's interfaces, and no others, are installed, and systemd finds it by each")
  func interfaces() async throws {
    try await Scratch.with { scratch in
      let (root, result) = try await scratch.install()
      #expect(result.status == 0, "\(result.error)")
      let listing = try await Tool.run("ls", ["\(root)/usr/share/modemd/varlink"])
      let installed = Set(listing.output.split(separator: "\n").map { String($0.dropLast(".varlink".count)) })
      let known = try await Self.interfacesOfTheService(stateFolder: scratch.path)
      #expect(installed == known)
      let socket = try #require(File.read("\(root)/usr/lib/systemd/system/modemd.socket"))
      let prefix = "Symlinks=/run/varlink/registry/"
      let links = socket.split(separator: "\n").filter { $0.hasPrefix(prefix) }.map {
        String($0.dropFirst(prefix.count))
      }
      #expect(Set(links) == known && links.count == known.count)
    }
  }

  /// What `org.varlink.service.GetInfo` of modemd lists, without that interface itself.
  private static func interfacesOfTheService(stateFolder: String) async throws -> Set<String> {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let base = try await ServiceBase(
      ProviderMeans(stateFolder: stateFolder, credentials: nil, logger: logger), extraRoots: nil)
    let nothing = Configuration.Places(
      settings: .usual("\(stateFolder)/none"), providers: "\(stateFolder)/none", credentials: nil)
    let names = try ConfiguredService(Configuration(nothing), on: base).router.names
    // Methods are in the set too: they begin with their interface.
    let interfaces = names.filter { name in !names.contains { name.hasPrefix($0 + ".") } }
    return interfaces.subtracting(["org.varlink.service"])
  }

  @Test("what is in /etc/modemd stays as it is")
  func configuration() async throws {
    try await Scratch.with { scratch in
      File.makeFolder("\(scratch.path)/root/etc/modemd")
      File.write("{}", to: "\(scratch.path)/root/etc/modemd/modemd.json")
      let (root, result) = try await scratch.install()
      #expect(result.status == 0, "\(result.error)")
      #expect(File.read("\(root)/etc/modemd/modemd.json") == "{}")
      #expect(File.read("\(root)/etc/modemd/modemd-port.json")?.contains("// ") == true)
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
      let top = try await Tool.run(
        "find", [root, "-type", "f", "-not", "-path", "\(root)/opt/x/*", "-not", "-path", "\(root)/etc/modemd/*"])
      #expect(top.output.isEmpty, "outside of the prefix: \(top.output)")
    }
  }
}
