import FoundationEssentials
import Glibc
import ModemAPI
import ModemModel
import Testing

@testable import ModemctlCommands

extension MemoryModem {
  func slots() async throws -> SIMSlots {
    guard id != "modem-single" else { throw ModemError(.notSupported, "this modem does not report its slots") }
    return SIMSlots(
      [
        SIMSlot(number: 1, isActive: true, card: .present, iccid: ICCID("8949000000000000017"), isESIM: false),
        SIMSlot(number: 2, isActive: false, card: .absent),
      ], canSwitch: true)
  }

  func switchSlot(to slot: Int) async throws -> ModemState {
    guard var modem = registry.state(of: name) else { throw ModemError(.removed, "the modem is gone") }
    try checkPort(modem)
    guard id != "modem-single" else { throw ModemError(.notSupported, "this modem cannot change its slot") }
    guard modem.bearer.state.installed == nil else { throw ModemError(.inUse, "the bearer uses the SIM") }
    guard slot <= 2 else { throw ModemError(.noSuchSlot, "the modem has 2 slots, counted from 1") }
    modem.sim = SIMStatus(state: .initialising, slot: slot)
    registry.update(modem, from: self)
    return modem
  }
}

@Suite("modemctl's verbs for SIMs", .timeLimit(.minutes(1))) struct SIMVerbTests {
  @Test("sim shows lock, numbers and slots, and masks them unless --reveal is given")
  func sim() async throws {
    try await MemoryService.run { service in
      let masked = await service.modemctl("sim")
      #expect(masked.status == .done && masked.messages == "")
      #expect(masked.output.contains("ready") && masked.output.contains("SLOT  IN USE  CARD"))
      for digits in personalData { #expect(!masked.output.contains(digits)) }
      let revealed = await service.modemctl("sim", "--reveal")
      #expect(revealed.output.contains("+447700900123 (from the modem)"))
      #expect(revealed.output.contains("   1  yes     present  no    8949000000000000017"))
      let json = await service.modemctl("sim", "--json", "--reveal").output
      let document = try JSONDecoder().decode(SIM.Document.self, from: Data(json.utf8))
      #expect(document.switchable && document.slots?.map(\.slot) == [1, 2])
      #expect(document.sim.numbers.first?.normalised == true)
      let hidden = await service.modemctl("sim", "--json").output
      for digits in personalData { #expect(!hidden.contains(digits)) }
    }
  }

  @Test("sim shows what is known of a modem that does not report its slots, and of a SIM without a number")
  func withoutSlots() async throws {
    var modem = ModemState.sample("modem-single")
    modem.sim.numbers = []
    try await MemoryService.run(modems: [modem]) { service in
      let run = await service.modemctl("sim")
      #expect(run.status == .done && !run.output.contains("SLOT") && run.output.contains("none on the SIM"))
      let json = await service.modemctl("sim", "--json").output
      let document = try JSONDecoder().decode(SIM.Document.self, from: Data(json.utf8))
      #expect(document.slots == nil && !document.switchable)
      #expect(await service.modemctl("switch-slot", "2").status == .modemFailed)
    }
  }

  @Test("switch-slot says what became of it, and what stands in its way")
  func switchSlot() async throws {
    try await MemoryService.run { service in
      #expect(await service.modemctl("connect").status == .done)
      let used = await service.modemctl("switch-slot", "2")
      #expect(used.status == .notReady && used.messages.contains("`modemctl disconnect`"))
      #expect(await service.modemctl("disconnect").status == .done)
      let done = await service.modemctl("switch-slot", "2")
      #expect(done.status == .done && done.output == "modem-0011aabb: slot 2, SIM initialising\n")
      #expect(await service.modemctl("switch-slot", "3").status == .usage)
      for bad in ["0", "x", "-1", "1.5"] { #expect(await service.modemctl("switch-slot", bad).status == .usage) }
      #expect(await service.modemctl("switch-slot").status == .usage)
    }
  }

  @Test("unlock takes the PIN from a credential of its unit")
  func credential() async throws {
    var template = Array("/tmp/modemctl-credentials-XXXXXX".utf8CString)
    let folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    defer {
      unlink("\(folder)/sim-pin")
      rmdir(folder)
    }
    let file = try #require(fopen("\(folder)/sim-pin", "w"))
    fputs("1234\n", file)
    fclose(file)
    try await MemoryService.run(modems: [.sample(sim: .pinRequired)]) { service in
      let none = await service.modemctl("unlock", "--credential", "sim-pin")
      #expect(none.status == .usage && none.messages.contains("CREDENTIALS_DIRECTORY"))
      let recorder = RecordingConsole()
      let console = recorder.console(
        variables: ["MODEMD_SOCKET": service.path, "CREDENTIALS_DIRECTORY": folder])
      for bad in ["other", "../sim-pin", "", "."] {
        #expect(await Modemctl.run(["unlock", "--credential", bad], on: console) == Ending.usage.rawValue)
      }
      #expect(await Modemctl.run(["unlock", "--credential", "sim-pin"], on: console) == Ending.done.rawValue)
      #expect(recorder.output == "modem-0011aabb: SIM ready\n")
    }
  }
}
