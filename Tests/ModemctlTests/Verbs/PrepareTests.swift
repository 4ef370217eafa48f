import ModemAPI
import ModemService
import Synchronization
import Testing

@testable import ModemctlCommands

@Suite("prepare and history", .timeLimit(.minutes(1))) struct PrepareTests {
  @Test("prepare brings the bearer up, and tells what was resolved")
  func prepares() async throws {
    let asked = Mutex<[Bool?]>([])
    try await MemoryService.run(prepareNames: { url, learns, _, bearer in
      asked.withLock { $0.append(learns) }
      return [
        .init(host: url.host, isResolved: bearer.interfaceIndex == 7), .init(host: "sso.example", isResolved: true),
      ]
    }) { service in
      let run = await service.modemctl("prepare", "https://check.example/x")
      #expect(run.status == .done && run.messages == "")
      #expect(run.output.contains("modem-0011aabb") && run.output.contains("10.64.0.2"))
      #expect(run.output.contains("check.example sso.example"))
      #expect(service.registry.modems[0].bearer.state.installed != nil)
      let json = await service.modemctl("prepare", "https://check.example/x", "--no-learn", "--json")
      #expect(json.output.contains("\"resolved\""))
      let alone = await service.modemctl("prepare")
      #expect(alone.status == .done && !alone.output.contains("Resolved"))
    }
    #expect(asked.withLock { $0 } == [nil, false])
  }

  @Test("A name without an address is a message and a status; a URL that cannot be opened is refused")
  func unresolved() async throws {
    try await MemoryService.run(prepareNames: { url, _, _, _ in [.init(host: url.host, isResolved: false)] }) {
      service in
      let run = await service.modemctl("prepare", "https://nowhere.example/")
      #expect(run.status == .chainFailed && run.messages.contains("nowhere.example"))
      #expect(await service.modemctl("prepare", "http://check.example/").status == .usage)
    }
    try await MemoryService.run(modems: []) { service in
      #expect(await service.modemctl("prepare").status == .noModem)
    }
    try await MemoryService.run(modems: [.sample(sim: .pinRequired)]) { service in
      #expect(await service.modemctl("prepare").status == .notReady)
    }
  }

  @Test("history shows the last checks, the latest first, with how they ended and how long they took")
  func history() async throws {
    try await MemoryService.run(chain: { request, _, _ in
      request.url.host == "bad.example"
        ? .failed(.init(.tlsFailed, hop: 2, "no")) : .redirectReached(uri: "app://x?code=geheim", parameters: [:])
    }) { service in
      #expect(await service.modemctl("history").output == "no check since modemd started\n")
      for host in ["bad.example", "good.example"] { _ = await service.modemctl("open", "https://\(host)/?t=geheim") }
      let lines = await service.modemctl("history").output.split(separator: "\n").map(String.init)
      #expect(lines.count == 3 && lines[0].hasPrefix("NUMBER  BEGAN"))
      #expect(lines[1].contains("good.example") && lines[1].hasSuffix("redirect URI reached"))
      #expect(lines[2].contains("bad.example") && lines[2].hasSuffix("tlsFailed at hop 2"))
      #expect(lines[1].contains("2023-11-14T22:13:20Z"))
      let one = await service.modemctl("history", "--limit", "1", "--json")
      #expect(
        one.output.contains("good.example") && !one.output.contains("bad.example") && !one.output.contains("geheim"))
      #expect(await service.modemctl("history", "--limit", "0").status == .usage)
    }
  }
}
