import FoundationEssentials
import LimitClock
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore

/// Reloads of a real modemd, as `modemctl provider` waits for them.
@Suite("Reloads are waited for", .timeLimit(.minutes(3)))
struct ReloadTests {
  private static let good = #"{ "kind": "truID", "backend": { "url": "https://app.invalid" } }"#
  private static let typo = "{ \"kind\": \"truID\",\n  \"clientid\": \"x\" }"

  private static func session(_ modemd: ModemdProcess, clock: LimitClock = .machine) -> Session {
    var options = CommonOptions()
    options.socket = modemd.socket
    return Session(options: options, console: RecordingConsole().console(), clock: clock)
  }

  private static func write(_ text: String, _ name: String, _ modemd: ModemdProcess) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(modemd.providers)/\(name).json"))
  }

  private static func list(_ modemd: ModemdProcess) async -> String {
    await RecordingConsole.run(["provider", "list", "--socket", modemd.socket]).output
  }

  @Test("A reload that would lose a serving provider changes nothing, and the caller learns why")
  func lost() async throws {
    try await ModemdProcess.with(["serving.json": Self.good]) { modemd in
      try await modemd.run { askForReload in
        try Self.write(Self.typo, "serving", modemd)
        try Self.write(Self.good, "later", modemd)
        let failing = await ReloadWait(Self.session(modemd))
        askForReload()
        let error = await #expect(throws: ModemctlError.self) { try await failing.end() }
        #expect(error?.status == .misconfigured)
        #expect(error?.message.contains("serving.json:2: there is no key clientid") == true, "\(error?.message ?? "-")")
        // Neither the one with the mistake nor the others have changed.
        let kept = await Self.list(modemd)
        #expect(kept.contains("serving  truID") && !kept.contains("later") && !kept.contains("disabled"), "\(kept)")

        // The provider itself may go, and one that did not serve may have a mistake.
        try FileManager.default.removeItem(atPath: "\(modemd.providers)/serving.json")
        try Self.write(Self.typo, "wrong", modemd)
        let changing = await ReloadWait(Self.session(modemd))
        askForReload()
        try await changing.end()
        let changed = await Self.list(modemd)
        #expect(changed.contains("later  truID") && changed.contains("wrong is disabled: "), "\(changed)")
        #expect(!changed.contains("serving"), "\(changed)")
      }
    }
  }

  @Test("A reload that does not end is waited for no longer than the limit")
  func endless() async throws {
    try await ModemdProcess.with { modemd in
      try await modemd.run {
        // Pauses take no time; the limit of a call does.
        let clock = LimitClock { duration in
          if duration >= .seconds(1) { try await LimitClock.machine.pause(for: duration) }
        }
        let wait = await ReloadWait(Self.session(modemd, clock: clock))
        // Nobody asks for one.
        let error = await #expect(throws: ModemctlError.self) { try await wait.end() }
        #expect(error?.message.contains("within 20 s") == true, "\(error?.message ?? "-")")
      }
    }
  }
}
