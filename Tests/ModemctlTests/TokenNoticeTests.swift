import FoundationEssentials
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore

/// What a real modemd says of where it keeps the tokens of entitlement servers.
@Suite("The notice of tokens in memory", .timeLimit(.minutes(2)))
struct TokenNoticeTests {
  private static let provider = #"{ "kind": "ts43" }"#
  private static let words = "keeps tokens of logins in memory alone, as there is no credential identity-key"

  private static func reload(_ modemd: ModemdProcess, _ askForReload: () -> Void) async throws {
    var options = CommonOptions()
    options.socket = modemd.socket
    let wait = await ReloadWait(Session(options: options, console: RecordingConsole().console()))
    askForReload()
    try await wait.end()
  }

  private static func count(_ log: String) -> Int { log.ranges(of: words).count }

  @Test("Without the credential it is said once, at the start or with the first provider of the kind")
  func said() async throws {
    try await ModemdProcess.with(["operator.json": Self.provider]) { modemd in
      let log = try await modemd.run { try await Self.reload(modemd, $0) }
      #expect(Self.count(log) == 1 && log.contains("operator"), "\(log)")
    }
    try await ModemdProcess.with { modemd in
      let log = try await modemd.run { askForReload in
        try Data(Self.provider.utf8).write(to: URL(filePath: "\(modemd.providers)/later.json"))
        try await Self.reload(modemd, askForReload)
      }
      #expect(Self.count(log) == 1 && log.contains("later"), "\(log)")
    }
  }

  @Test("With the credential, or without a provider of the kind, it is not said, and no folder is made")
  func unsaid() async throws {
    let key = String(repeating: "k", count: 48)
    let cases: [(files: [String: String], secrets: [String: String])] = [
      (["operator.json": Self.provider], ["identity-key": key]), ([:], [:]),
    ]
    for (files, secrets) in cases {
      try await ModemdProcess.with(files, secrets: secrets) { modemd in
        let log = try await modemd.run {
          #expect(await RecordingConsole.run(["provider", "list", "--socket", modemd.socket]).status == .done)
        }
        #expect(Self.count(log) == 0, "\(log)")
        #expect(!FileManager.default.fileExists(atPath: "\(modemd.folder)/state/ts43"))
      }
    }
  }
}
