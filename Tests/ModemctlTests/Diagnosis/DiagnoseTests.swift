import FoundationEssentials
import Glibc
import ModemModel
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore

/// A machine that is a folder: files, and programs that print what a test wants.
struct FolderMachine {
  let path: String

  static func with(_ body: (FolderMachine) async throws -> Void) async throws {
    var template = Array("/tmp/diagnose-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    let machine = FolderMachine(path: String(cString: try #require(made)))
    defer { try? FileManager.default.removeItem(atPath: machine.path) }
    try await body(machine)
  }

  func write(_ text: String, to file: String, mode: mode_t = 0o600) throws {
    let folder = file.split(separator: "/").dropLast().reduce(path) { "\($0)/\($1)" }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path + file))
    chmod(path + file, mode)
  }

  /// A program that prints a text, whatever its arguments are.
  func program(_ name: String, printing text: String) throws {
    try write(text, to: "/output/\(name)")
    try write("#!/bin/sh\nexec /bin/cat '\(path)/output/\(name)'\n", to: "/bin/\(name)", mode: 0o700)
  }

  func link(_ target: String, at file: String) throws {
    let folder = file.split(separator: "/").dropLast().reduce(path) { "\($0)/\($1)" }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(symlink(target, path + file) == 0)
  }

  var machine: Machine {
    var machine = Machine()
    machine.root = path
    machine.folders = [path + "/bin"]
    machine.userID = 0
    return machine
  }
}

@Suite("modemctl diagnose", .timeLimit(.minutes(2)))
struct DiagnoseTests {
  /// What must not stand in any report.
  private static let secrets =
    personalData + [
      "hunter2hunter2", "opensesame", "LF9876543210", "0a:1b:2c:3d:4e:5f", "203.0.113.77", "2001:db8:64::2", "carol",
      "482915",
      "eyJhbGciOiJIUzI1NiIsInR5cCI6", "7700900123", "zCfRsealed", "AiIAKBcBAAADAwBA", "0b0a3f5e", "sealedtoken",
    ]

  /// Runs the verb as `modemctl` would, on that machine.
  private static func run(
    _ machine: Machine, socket: String, _ arguments: String...
  ) async throws -> Run {
    let recorder = RecordingConsole()
    let words = ["diagnose", "--socket", socket] + arguments
    let verb = try #require(try Modemctl.parseAsRoot(words) as? Diagnose)
    let session = Session(options: verb.common, console: recorder.console(variables: ["SUDO_USER": "carol"]))
    do {
      let status = try await verb.run(in: session, on: machine)
      return Run(status: status, output: recorder.output, messages: recorder.messages)
    } catch let error as ModemctlError {
      return Run(status: error.status, output: recorder.output, messages: error.message)
    }
  }

  /// Puts secrets into everything that is read.
  private static func plant(_ machine: FolderMachine) throws {
    try machine.program(
      "journalctl",
      printing: """
        2026-11-23T08:19:54+0000 modemd[12]: for carol: GET https://op.example/x?token=opensesame from 203.0.113.77
        2026-11-23T08:19:55+0000 modemd-port[13]: IMSI 001010123456789, ICCID 8949000000000000017, +447700900123, 490154203237518
        2026-11-23T08:19:56+0000 modemd-port[13]: cdc_mbim password=hunter2hunter2 serial LF9876543210 code=482915
        2026-11-23T08:19:57+0000 modemd[12]: GET https://aes.example/?EAP_ID=0001010123456789@nai.example&token=zCfRsealed
        2026-11-23T08:19:57+0000 modemd[12]: {"eap-relay-packet": "AiIAKBcBAAADAwBA"} terminal_id=0b0a3f5e-0d6c
        2026-11-23T08:19:57+0000 modemd[12]: Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6

        """)
    try machine.program(
      "systemctl",
      printing: "Id=modemd.service\nLoadState=loaded\nActiveState=active\nResult=success\nNRestarts=0\n"
        + "Environment=MODEMD_OPTIONS=--configuration /etc/other/modemd.json\n\n"
        + "Id=modemd.socket\nLoadState=loaded\nActiveState=active\n\n"
        + "Id=modemd-port@cdc\\x2dwdm0.service\nLoadState=loaded\nActiveState=active\n")
    try machine.program(
      "ip",
      printing:
        "0:\tfrom all lookup local\n3: wwan0: inet 203.0.113.77/32 inet6 2001:db8:64::2/64 link/ether 0a:1b:2c:3d:4e:5f\n"
    )
    try machine.write(
      #"{"bearer":{"user":"carol","apn":"internet","password":"hunter2hunter2"},"sim":{"numbers":["+447700900123"]}}"#,
      to: "/etc/other/modemd.json")
    try machine.write(#"{"kind":"truID","clientSecret":"opensesame"}"#, to: "/etc/modemd/providers/p.json")
    // Nothing of the service's state is read.
    try machine.write(#"{"sealed":"aes-256-gcm","content":"sealedtoken"}"#, to: "/var/lib/modemd/ts43/00.token")
    try machine.write("180:0\n", to: "/sys/class/usbmisc/cdc-wdm0/dev")
    try machine.link("../../../bus/usb/drivers/cdc_mbim", at: "/sys/class/usbmisc/cdc-wdm0/device/driver")
    try machine.write(
      "G:systemd\nE:MODEMD_PROTOCOL=mbim\nE:ID_SERIAL_SHORT=LF9876543210\nE:ID_MM_PORT=1\nE:DEVLINKS=/dev/by-id/LF9876543210\n",
      to: "/run/udev/data/c180:0")
  }

  @Test("No secret that was planted stands in the file, and what a maintainer asks for does")
  func planted() async throws {
    try await FolderMachine.with { folder in
      try Self.plant(folder)
      try await MemoryService.run { service in
        let file = folder.path + "/report.txt"
        let run = try await Self.run(folder.machine, socket: service.path, "--output", file)
        #expect(run.status == .done, "\(run.messages)")
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        for secret in Self.secrets { #expect(!text.contains(secret), "\(secret)") }
        for word in [
          "modem-0011aabb", "imsi#1", "msisdn#1", "MODEMD_PROTOCOL=mbim", "\"apn\" : \"internet\"", "driver cdc_mbim",
          "LTE".lowercased(),
          "modemd-port@cdc\\x2dwdm0.service", "End of the report.", "ipv4#", "mac#1",
        ] {
          #expect(text.contains(word), "\(word)")
        }
        #expect(run.output.contains("\(file) has the report"))
        for secret in Self.secrets { #expect(!run.output.contains(secret), "\(secret)") }
      }
    }
  }

  @Test("As JSON, to standard output: findings, what was looked at, sections; and no secret either")
  func json() async throws {
    try await FolderMachine.with { folder in
      try Self.plant(folder)
      try await MemoryService.run { service in
        let run = try await Self.run(folder.machine, socket: service.path, "--output", "-", "--json")
        #expect(run.status == .done)
        let report = try JSONDecoder().decode(DiagnosisReport.self, from: Data(run.output.utf8))
        #expect(report.file == nil && report.lookedAt == report.sections.map(\.title))
        #expect(report.lookedAt.contains("Journal of modemd and its ports"))
        for secret in Self.secrets { #expect(!run.output.contains(secret), "\(secret)") }
      }
    }
  }

  @Test("With --reveal the numbers stand in it, and secrets do not")
  func revealed() async throws {
    try await FolderMachine.with { folder in
      try Self.plant(folder)
      try await MemoryService.run { service in
        let run = try await Self.run(folder.machine, socket: service.path, "--output", "-", "--reveal")
        for number in ["+447700900123", "001010123456789", "203.0.113.77"] { #expect(run.output.contains(number)) }
        for secret in ["hunter2hunter2", "opensesame", "LF9876543210", "carol", "eyJhbGciOiJIUzI1NiIsInR5cCI6"] {
          #expect(!run.output.contains(secret), "\(secret)")
        }
      }
    }
  }

  @Test("Without modemd, a modem, systemd and any program it says so and makes its file all the same")
  func bare() async throws {
    try await FolderMachine.with { folder in
      let file = folder.path + "/report.txt"
      let run = try await Self.run(folder.machine, socket: folder.path + "/nobody", "--output", file)
      #expect(run.status == .done, "\(run.messages)")
      #expect(run.output.contains("There is no control port"))
      #expect(run.output.contains("modemd's socket does not exist"))
      #expect(run.output.contains("Not everything could be read"))
      #expect(FileManager.default.fileExists(atPath: file))
    }
  }

  @Test("A file that exists, a link and a folder that is not there are left alone")
  func files() async throws {
    try await FolderMachine.with { folder in
      try folder.write("mine", to: "/there")
      try folder.link(folder.path + "/victim", at: "/link")
      for (name, status) in [("there", Ending.usage), ("link", .usage), ("none/x", .failed)] {
        let run = try await Self.run(
          folder.machine, socket: "/nonexistent", "--output", "\(folder.path)/\(name)")
        #expect(run.status == status, "\(name): \(run.messages)")
        #expect(run.messages.contains("--output"))
      }
      #expect(String(decoding: try Data(contentsOf: URL(filePath: folder.path + "/there")), as: UTF8.self) == "mine")
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/victim"))
    }
  }

  @Test("A program that hangs, and one that writes without end, cost their limits and no more")
  func bounded() async throws {
    try await FolderMachine.with { folder in
      try folder.write("#!/bin/sh\nexec /bin/sleep 1000\n", to: "/bin/journalctl", mode: 0o700)
      try folder.write("#!/bin/sh\nwhile :; do echo more; done\n", to: "/bin/ip", mode: 0o700)
      // Closes its output, and goes on.
      try folder.write("#!/bin/sh\nexec >/dev/null 2>&1\nexec /bin/sleep 1000\n", to: "/bin/nft", mode: 0o700)
      var machine = folder.machine
      machine.seconds = 1
      let run = try await Self.run(machine, socket: "/nonexistent", "--output", "-")
      #expect(run.status == .done)
      #expect(run.output.contains("(journalctl took longer than 1 s and was ended)"))
      #expect(run.output.contains("more lines are left out)"))
      #expect(run.output.utf8.count < 2 << 20)
    }
  }

  @Test("Once the time for the report is used up no program is started")
  func deadline() async throws {
    try await FolderMachine.with { folder in
      try folder.program("ip", printing: "0:\tfrom all lookup local\n")
      var machine = folder.machine
      machine.deadline = machine.clock.now
      let run = try await Self.run(machine, socket: "/nonexistent", "--output", "-")
      #expect(run.output.contains("the time for this report is over"))
      #expect(!run.output.contains("lookup local"))
    }
  }

  @Test("One modem of several, and a name that none has")
  func chosen() async throws {
    try await FolderMachine.with { folder in
      try await MemoryService.run(modems: [.sample("modem-a"), .sample("modem-b")]) { service in
        let one = try await Self.run(folder.machine, socket: service.path, "--output", "-", "--modem", "modem-b")
        #expect(one.output.contains("modem-b") && !one.output.contains("modem-a"))
        let none = try await Self.run(folder.machine, socket: service.path, "--output", "-", "--modem", "modem-c")
        #expect(none.output.contains("the modem modem-c: no modem has that name"))
        #expect(!none.output.contains("modemd knows no modem"))
      }
    }
  }

  @Test("What a terminal obeys is not passed on")
  func terminal() {
    #expect(printable("a\u{1b}[2Jb\r\u{202e}c\td\n") == "a\u{fffd}[2Jb\u{fffd}\u{fffd}c\td\n")
  }
}
