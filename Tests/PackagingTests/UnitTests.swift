import Glibc
import Testing

@Suite(
  "systemd units", .timeLimit(.minutes(1)),
  .enabled(if: Tool.exists("systemd-analyze"), "systemd-analyze is not installed"))
struct UnitTests {
  @Test("systemd-analyze verify has nothing to say about the installed tree")
  func verify() async throws {
    try await Scratch.with { scratch in
      let (root, installed) = try await scratch.install()
      #expect(installed.status == 0, "\(installed.error)")
      // The proxies and kill come with other packages.
      for folder in ["/usr/libexec", "/bin"] { File.makeFolder(root + folder) }
      File.write("", to: "\(root)/bin/kill", mode: 0o755)
      for proxy in ["mbim-proxy", "qmi-proxy"] { File.write("", to: "\(root)/usr/libexec/\(proxy)", mode: 0o755) }
      let result = try await Tool.run(
        "systemd-analyze",
        [
          "verify", "--root=\(root)", "--man=no", "--recursive-errors=no", "modemd.service", "modemd.socket",
          "modemd-bearer-proxy.socket", "modemd-metrics.socket", "modemd-metrics-http.socket", "modemd-web.service",
          "modemd-web-fetch@root.service", "modemd-fleet.service",
          #"modemd-port@cdc\x2dwdm0.service"#, "modemd-mbim-proxy.service", "modemd-qmi-proxy.service",
        ])
      #expect(result.status == 0)
      #expect(result.output + result.error == "")
    }
  }

  @Test("verify does complain when a program of a unit is missing: the clean bill above means something")
  func verifyCanFail() async throws {
    try await Scratch.with { scratch in
      let (root, _) = try await scratch.install()
      unlink(root + "/usr/lib/modemd/modemd")
      let result = try await Tool.run("systemd-analyze", ["verify", "--root=\(root)", "--man=no", "modemd.service"])
      #expect(result.status != 0)
    }
  }

  /// Limits of exposure, in tenths.
  @Test(
    "exposure is within its limit",
    arguments: [
      ("modemd.service", 12), ("modemd-web.service", 12), ("modemd-web-fetch@.service", 12),
      ("modemd-fleet.service", 12), ("modemd-port@.service", 19), ("modemd-mbim-proxy.service", 14),
      ("modemd-qmi-proxy.service", 17),
    ])
  func exposure(_ unit: String, _ limit: Int) async throws {
    let path = "\(Tool.repository)/systemd/\(unit)"
    let result = try await Tool.run(
      "systemd-analyze", ["security", "--offline=yes", "--no-pager", "--threshold=\(limit)", path])
    #expect(result.status == 0, "\(result.error)")
    let line = try #require(result.output.split(separator: "\n").last { $0.contains("Overall exposure level") })
    let number = try #require(line.split(separator: " ").compactMap { Double($0) }.last)
    #expect(number <= Double(limit) / 10, "\(line)")
  }

  @Test("modemd sees the credentials of its callers: it is in no user namespace of its own")
  func noPrivateUsers() throws {
    for unit in [
      "modemd.service", "modemd-web.service", "modemd-web-fetch@.service", "modemd-fleet.service",
      "modemd-port@.service",
    ] {
      let text = try #require(File.read("\(Tool.repository)/systemd/\(unit)"))
      let settings = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      #expect(!settings.contains { $0.hasPrefix("PrivateUsers=") })
      #expect(!settings.contains { $0.hasPrefix("PrivateNetwork=") })
    }
  }

  @Test("everybody may ask the proxy, which is a socket of modemd.service and starts with it")
  func bearerProxy() throws {
    let text = try #require(File.read("\(Tool.repository)/systemd/modemd-bearer-proxy.socket"))
    let lines = Set(text.split(separator: "\n").map(String.init))
    #expect(
      lines.isSuperset(of: [
        "ListenStream=/run/modemd/proxy", "FileDescriptorName=proxy", "Service=modemd.service", "SocketMode=0666",
      ]))
    let service = try #require(File.read("\(Tool.repository)/systemd/modemd.service"))
    let settings = Set(service.split(separator: "\n").map(String.init))
    // Without it the service works all the same. After it, or systemd would not pass the socket.
    #expect(settings.contains("Wants=modemd-bearer-proxy.socket"))
    #expect(settings.contains { $0.hasPrefix("After=") && $0.contains(" modemd-bearer-proxy.socket ") })
    let rules = try #require(File.read("\(Tool.repository)/debian/rules"))
    #expect(rules.contains("--name=modemd-bearer-proxy --no-restart-after-upgrade --no-stop-on-upgrade\n"))
  }

  @Test("the figures' sockets are for root and their own group, and start with modemd.service")
  func figureSockets() throws {
    let lines = { (unit: String) in
      Set(try #require(File.read("\(Tool.repository)/systemd/\(unit)")).split(separator: "\n").map(String.init))
    }
    for socket in ["modemd-metrics.socket", "modemd-metrics-http.socket"] {
      #expect(
        try lines(socket).isSuperset(of: ["Service=modemd.service", "SocketMode=0660", "SocketGroup=modemd-metrics"]))
      #expect(try lines("modemd.service").contains { $0.hasPrefix("After=") && $0.contains(" \(socket) ") })
      #expect(try lines("modemd.service").contains { $0.hasPrefix("Wants=") && $0.contains(socket) })
    }
    let varlink = try lines("modemd-metrics.socket")
    #expect(varlink.isSuperset(of: ["FileDescriptorName=varlink-metrics", "Symlinks=/run/systemd/report/org.modemd"]))
    #expect(try lines("modemd-metrics-http.socket").contains("FileDescriptorName=metrics-http"))
    #expect(try lines("modemd.sysusers").contains("g modemd-metrics - - -"))
    // A member of the callers' group is no reader.
    #expect(try !lines("modemd.sysusers").contains { $0.hasPrefix("m ") })
  }

  @Test("the example for node_exporter is a unit that systemd accepts")
  func textfileUnits() async throws {
    guard Tool.exists("systemd-analyze") else { return }
    try await Scratch.with { scratch in
      let root = "\(scratch.path)/root"
      for folder in ["bin", "usr/bin", "usr/lib/systemd/system"] { File.makeFolder("\(root)/\(folder)") }
      for program in ["bin/sh", "usr/bin/modemctl"] { File.write("", to: "\(root)/\(program)", mode: 0o755) }
      for unit in ["modemd-textfile.service", "modemd-textfile.timer"] {
        let text = try #require(File.read("\(Tool.repository)/systemd/examples/\(unit)"))
        File.write(text, to: "\(root)/usr/lib/systemd/system/\(unit)", mode: 0o644)
      }
      let result = try await Tool.run(
        "systemd-analyze",
        [
          "verify", "--root=\(root)", "--man=no", "--recursive-errors=no", "modemd-textfile.timer",
          "modemd-textfile.service",
        ])
      #expect(result.status == 0)
      #expect(result.output + result.error == "")
    }
  }

  @Test("the ports' folder and sockets are for root and modemd.service alone, not for the group of callers")
  func portsArePrivate() throws {
    let lines = { (unit: String) in
      Set(try #require(File.read("\(Tool.repository)/systemd/\(unit)")).split(separator: "\n").map(String.init))
    }
    let (port, service) = (try lines("modemd-port@.service"), try lines("modemd.service"))
    #expect(port.contains("Group=modemd-port") && port.contains("RuntimeDirectoryMode=0750"))
    #expect(service.contains("Group=modemd-port") && service.contains("User=modemd"))
    #expect(!(try lines("modemd.socket")).contains { $0.contains("Group") && $0.contains("modemd-port") })
    // Root's user owns the folder and the sockets: the group adds nothing for a proxy.
    for unit in ["modemd-mbim-proxy.service", "modemd-qmi-proxy.service"] {
      #expect(try lines(unit).isSuperset(of: ["User=root", "Group=modemd-port", "CapabilityBoundingSet="]))
    }
  }

  @Test("modemd-web is a caller of modemd without rights of its own, and nothing enables it")
  func web() throws {
    let text = try #require(File.read("\(Tool.repository)/systemd/modemd-web.service"))
    let lines = Set(text.split(separator: "\n").map(String.init))
    #expect(
      lines.isSuperset(of: ["User=modemd-web", "Group=modemd-web", "CapabilityBoundingSet=", "ProtectSystem=strict"]))
    // It keeps nothing, and its only folder has the inspector's socket.
    let folders = lines.filter { $0.contains("Directory=") }
    #expect(folders == ["RuntimeDirectory=modemd-web"], "\(folders)")
    let users = try #require(File.read("\(Tool.repository)/systemd/modemd-web.sysusers"))
    #expect(users.split(separator: "\n").contains("m modemd-web modemd"))
    let rules = try #require(File.read("\(Tool.repository)/debian/rules"))
    #expect(rules.contains("dh_installsystemd -pmodemd-web --name=modemd-web --no-enable --no-start\n"))
  }

  @Test("modemd-fleet is a caller of modemd without rights of its own, and nothing enables it")
  func fleet() throws {
    let text = try #require(File.read("\(Tool.repository)/systemd/modemd-fleet.service"))
    let lines = Set(text.split(separator: "\n").map(String.init))
    #expect(
      lines.isSuperset(of: [
        "User=modemd-fleet", "Group=modemd-fleet", "CapabilityBoundingSet=", "NoNewPrivileges=yes",
        "ProtectSystem=strict", "MemoryMax=128M", "StateDirectoryMode=0700",
      ]))
    let folders = lines.filter { $0.contains("Directory=") }
    #expect(folders == ["RuntimeDirectory=modemd-fleet", "StateDirectory=modemd-fleet"], "\(folders)")
    // modemd and its modems are not needed for it to run: the fleet is told that they are missing.
    for bond in ["Requires=", "BindsTo=", "PartOf="] { #expect(!lines.contains { $0.hasPrefix(bond) }) }
    let users = try #require(File.read("\(Tool.repository)/systemd/modemd-fleet.sysusers")).split(separator: "\n")
    #expect(
      users.filter { $0.hasPrefix("m ") } == ["m modemd-fleet modemd", "m modemd-fleet modemd-metrics"])
    let rules = try #require(File.read("\(Tool.repository)/debian/rules"))
    #expect(rules.contains("dh_installsystemd -pmodemd-fleet --name=modemd-fleet --no-enable --no-start\n"))
    // A purge takes all that it, and `modemctl fleet join`, can have made.
    let purge = try #require(File.read("\(Tool.repository)/debian/modemd-fleet.postrm"))
    for place in ["/etc/modemd/fleet.json", "/etc/modemd/fleet ", "/var/lib/modemd-fleet", "userdel modemd-fleet"] {
      #expect(purge.contains(place), "\(place)")
    }
  }

  @Test("the kiosk's instance has the lines of modemd-web.service but for its user's, and nothing enables it")
  func webFetch() throws {
    let settings = { (unit: String) in
      let text = try #require(File.read("\(Tool.repository)/systemd/\(unit)"))
      return Set(text.split(separator: "\n").filter { $0.contains("=") && !$0.hasPrefix("#") }.map(String.init))
    }
    let (fetch, web) = (try settings("modemd-web-fetch@.service"), try settings("modemd-web.service"))
    let own = ["Description", "ExecStart", "Environment", "User", "TimeoutStopSec"]
    let isOwn = { (line: String) in own.contains { line.hasPrefix("\($0)=") } }
    // Not %I, which makes a slash of a name's dash. Neither a group nor a folder of its own: the
    // groups are the user's. RemoveIPC= would take shared memory from the same user's browser.
    #expect(fetch.contains("User=%i"))
    let leftOut: Set = [
      "Group=modemd-web", "LoadCredential=modemd-web:/etc/modemd/web-credentials", "RuntimeDirectory=modemd-web",
      "RuntimeDirectoryMode=0755", "RemoveIPC=yes",
    ]
    let added: Set = ["IPAddressDeny=any", "IPAddressAllow=localhost"]
    #expect(Set(web.subtracting(fetch).filter { !isOwn($0) }) == leftOut)
    #expect(Set(fetch.subtracting(web).filter { !isOwn($0) }) == added)
    // debhelper does nothing with a template: there is no instance before the administrator's.
    let rules = try #require(File.read("\(Tool.repository)/debian/rules"))
    #expect(!rules.contains("modemd-web-fetch"))
    let files = try #require(File.read("\(Tool.repository)/debian/modemd-web.install")).split(separator: "\n")
    #expect(files.contains("${env:UNITDIR}/modemd-web-fetch@.service"))
    let removal = try #require(File.read("\(Tool.repository)/debian/modemd-web.prerm"))
    #expect(removal.contains("systemctl stop modemd-web.service 'modemd-web-fetch@*.service'"))
  }

  @Test(
    "the daemons are started again where they give no sign of life",
    arguments: ["modemd", "modemd-web", "modemd-web-fetch@", "modemd-fleet", "modemd-port@"])
  func watchdog(_ unit: String) throws {
    let text = try #require(File.read("\(Tool.repository)/systemd/\(unit).service"))
    let lines = Set(text.split(separator: "\n").map(String.init))
    #expect(lines.isSuperset(of: ["Type=notify", "WatchdogSec=60s", "Restart=on-failure"]))
  }

  @Test(
    "a proxy is a unit of its own, so that neither ModemManager's stop nor a port's ends it under the other",
    arguments: ["mbim-proxy", "qmi-proxy"])
  func proxies(_ proxy: String) throws {
    let text = try #require(File.read("\(Tool.repository)/systemd/modemd-\(proxy).service"))
    let lines = Set(text.split(separator: "\n").map(String.init))
    #expect(lines.contains("ExecStart=/usr/lib/modemd/modemd-proxy \(proxy)"))
    #expect(lines.contains("ExecStartPre=+-/usr/lib/modemd/modemd-proxy --free \(proxy)"))
    // Before ModemManager, which would start a proxy inside its own unit; for as long as anybody
    // wants it, whatever a modem does to it.
    #expect(
      lines.isSuperset(of: [
        "Before=ModemManager.service", "StopWhenUnneeded=yes", "Restart=always", "StartLimitIntervalSec=0",
      ]))
    for bond in ["PartOf=", "BindsTo=", "Requires=", "PrivateNetwork="] {
      #expect(!lines.contains { $0.hasPrefix(bond) })
    }
    let port = try #require(File.read("\(Tool.repository)/systemd/modemd-port@.service"))
    let settings = port.split(separator: "\n").map(String.init)
    // A port that needs a proxy waits for it by itself: its unit does not.
    #expect(settings.contains { $0.hasPrefix("Wants=") && $0.contains("modemd-\(proxy).service") })
    #expect(!settings.contains { $0.hasPrefix("After=") && $0.contains("modemd-\(proxy).service") })
    // None is started in a port's unit, and none is left there.
    #expect(settings.contains { $0.hasPrefix("InaccessiblePaths=") && $0.contains("-/usr/libexec/\(proxy)") })
    #expect(!settings.contains { $0.hasPrefix("KillMode=") })
  }

  @Test("ModemManager wants the proxies too, so that they do not end under it with the last port")
  func wants() async throws {
    try await Scratch.with { scratch in
      let (root, installed) = try await scratch.install()
      #expect(installed.status == 0, "\(installed.error)")
      for proxy in ["mbim-proxy", "qmi-proxy"] {
        let link = "\(root)/usr/lib/systemd/system/ModemManager.service.wants/modemd-\(proxy).service"
        #expect(File.read(link) == File.read("\(root)/usr/lib/systemd/system/modemd-\(proxy).service"))
      }
    }
  }

  @Test(
    "sysusers makes the user, tmpfiles its folders, as the units expect them", .enabled(if: getuid() == 0, "needs root")
  )
  func usersAndFolders() async throws {
    try await Scratch.with { scratch in
      let root = scratch.path + "/root"
      File.makeFolder(root + "/etc")
      let users = try await Tool.run(
        "systemd-sysusers", ["--root=\(root)", "\(Tool.repository)/systemd/modemd.sysusers"])
      #expect(users.status == 0, "\(users.error)")
      let passwd = try #require(File.read(root + "/etc/passwd"))
      let entry = try #require(passwd.split(separator: "\n").first { $0.hasPrefix("modemd:") })
      #expect(entry.hasSuffix("/nologin"))
      let folders = try await Tool.run(
        "systemd-tmpfiles", ["--root=\(root)", "--create", "\(Tool.repository)/systemd/modemd.tmpfiles"])
      #expect(folders.status == 0, "\(folders.error)")
      let groups = try #require(File.read(root + "/etc/group")).split(separator: "\n")
      let ports = try #require(groups.first { $0.hasPrefix("modemd-port:") })
      let fields = ports.split(separator: ":", omittingEmptySubsequences: false)
      // Who is in the group modemd is not in this one: nobody is.
      #expect(fields.count == 4 && fields[3].isEmpty)
      let gid = fields[2]
      let modes = try await Tool.run("stat", ["-c", "%a %u %g", "\(root)/run/modemd", "\(root)/run/modemd/ports"])
      #expect(modes.output == "755 0 0\n750 0 \(gid)\n")
    }
  }

  @Test(
    "No unit of ours leaves a core",
    arguments: [
      "modemd.service", "modemd-web.service", "modemd-web-fetch@.service", "modemd-fleet.service",
      "modemd-port@.service",
      "modemd-mbim-proxy.service", "modemd-qmi-proxy.service",
    ])
  func cores(unit: String) throws {
    let text = try #require(File.read("\(Tool.repository)/systemd/\(unit)"))
    #expect(text.split(separator: "\n").contains("LimitCORE=0"))
  }
}
