import Glibc
import MBIMBackend
import ModemModel
import NetworkAddress
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An MBIM session that is there already` {
  private typealias Bearer = `An MBIM bearer`

  private static func scratch() -> String {
    var template = Array("/tmp/modemd-session-XXXXXX".utf8CString)
    return String(cString: mkdtemp(&template))
  }

  @Test(arguments: [false, true]) func `and is another program's is left alone`(hasStateFile: Bool) async throws {
    let folder = Self.scratch()
    defer { rmdir(folder) }
    let file = hasStateFile ? "\(folder)/session" : nil
    let asked = try await withMBIM(stateFile: file, script: Bearer.modem(active: true)) { backend, modem in
      let error = await modemError { try await backend.connect(BearerRequest()) }
      #expect(error?.code == .busy)
      #expect(error?.message.contains("another program") == true)
      return await Bearer.asked(modem)
    }
    #expect(asked == ["query"])
  }

  @Test func `and was left behind by a crash of this one is ended first`() async throws {
    let folder = Self.scratch()
    let file = "\(folder)/session"
    defer { for path in [file, folder] { remove(path) } }
    let modem = await ScriptedModem(script: Bearer.modem())
    let crashed = MBIMBackend(MBIMConfiguration(path: modem.path, stateFile: file))
    try await crashed.open()
    _ = try await crashed.connect(BearerRequest())
    #expect(access(file, F_OK) == 0)
    // What a crash leaves: the file, and not the backend. The device node must be the same one.
    var text = [UInt8](repeating: 0, count: 64)
    let descriptor = open(file, O_RDONLY)
    let count = read(descriptor, &text, text.count)
    close(descriptor)
    await crashed.close()
    #expect(access(file, F_OK) != 0)
    let second = await ScriptedModem(script: Bearer.modem(active: true))
    var status = stat()
    #expect(stat(second.path, &status) == 0)
    #expect(count > 0)
    let line = "port \(status.st_rdev) \(status.st_ino) session 0\n"
    #expect(String(decoding: text.prefix(count), as: UTF8.self).hasPrefix("port "))
    let stale = open(file, O_WRONLY | O_CREAT, 0o600)
    #expect(write(stale, line, line.utf8.count) == line.utf8.count)
    close(stale)
    let backend = MBIMBackend(MBIMConfiguration(path: second.path, stateFile: file))
    try await backend.open()
    _ = try await backend.connect(BearerRequest())
    #expect(await Bearer.asked(second) == ["query", "deactivate", "activate"])
    await backend.close()
    await second.hangUp()
    await modem.hangUp()
  }

  @Test func `because its activation took too long is ended before the next one`() async throws {
    let limits = MBIMConfiguration.Limits(query: .seconds(20), connect: .seconds(2))
    // Never answered, and active all the same.
    let script = Bearer.modem { request, activate in
      if activate, request.earlier == 0 { return [] }
      return [.reply(Information.connect(activate ? 1 : 3))]
    }
    try await withMBIM(limits: limits, script: script) { backend, modem in
      #expect(await modemError { try await backend.connect(BearerRequest()) }?.code == .timeout)
      var deactivations = 0
      for await request in modem.requests where request.isSet && request.information.number(at: 4) == 0 {
        deactivations += 1
        break
      }
      #expect(deactivations == 1)
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `An MBIM bearer without addresses from the modem` {
  private typealias Bearer = `An MBIM bearer`

  private static func connected(type: UInt32, cause: UInt32 = 0) -> [UInt8] {
    var information = Information.connect(1, cause: cause)
    information.replaceSubrange(12..<16, with: [type].bytes)
    return information
  }

  private static func settings(
    _ configuration: [UInt8], type: UInt32, cause: UInt32 = 0, asked: BearerRequest.IPType = .ipv4v6,
    within limit: Duration = .milliseconds(100)
  ) async throws -> BearerSettings {
    let limits = MBIMConfiguration.Limits(query: .seconds(20), addresses: limit)
    let script = Bearer.modem(settings: [configuration]) { _, activate in
      [.reply(activate ? connected(type: type, cause: cause) : Information.connect(3))]
    }
    return try await withMBIM(limits: limits, script: script) { backend, _ in
      try await backend.connect(BearerRequest(ipType: asked))
    }
  }

  private static let nothing = Information.ipConfiguration()
  private static let linkLocal = Information.ipConfiguration(
    ipv6: .init(available: 1, addresses: [(64, [0xfe, 0x80] + [UInt8](repeating: 0, count: 12) + [0xab, 0xcd])]))

  @Test(
    arguments: [
      (1, 0, .ipv4v6, true, false), (2, 0, .ipv4v6, false, true), (3, 0, .ipv4v6, true, true),
      (4, 0, .ipv4v6, true, true), (0, 0, .ipv4, true, false), (0, 0, .ipv6, false, true),
      (3, 50, .ipv4v6, true, false), (0, 51, .ipv4v6, false, true),
    ] as [(UInt32, UInt32, BearerRequest.IPType, Bool, Bool)])
  func `leaves to the link what the network granted`(
    type: UInt32, cause: UInt32, asked: BearerRequest.IPType, dhcp: Bool, advertisements: Bool
  ) async throws {
    let settings = try await Self.settings(Self.nothing, type: type, cause: cause, asked: asked)
    #expect(!settings.hasAddress)
    #expect(settings.onLink == .init(usesDHCP: dhcp, usesAdvertisements: advertisements))
  }

  @Test func `takes its interface identifier from the link-local address`() async throws {
    let settings = try await Self.settings(Self.linkLocal, type: 2, within: .seconds(2))
    #expect(settings.onLink == .init(usesAdvertisements: true, interfaceID: 0xabcd))
  }

  @Test func `has nothing left to ask for when both families are there`() async throws {
    let settings = try await Self.settings(`An MBIM bearer`.both, type: 3, within: .seconds(20))
    #expect(settings.onLink == .nothing)
  }
}
