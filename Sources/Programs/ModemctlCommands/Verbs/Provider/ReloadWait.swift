import ModemAPI
import ModemctlCore

/// Waits for the end of a reload, as the service tells it: before systemd 253 `systemctl reload`
/// ends when the service has been asked.
struct ReloadWait {
  /// How long a reload may take.
  static let limit = Duration.seconds(20)
  private static let pause = Duration.milliseconds(100)

  private let session: Session
  /// How many reloads had ended before; nil if no service could tell.
  private let before: Int?

  /// Notes how many reloads have ended. Ask for the reload after that.
  init(_ session: Session) async {
    self.session = session
    before = try? await Self.state(session).reloads
  }

  /// Returns when the reload has ended.
  ///
  /// - Throws: `ModemctlError` if it changed nothing, or has not ended within the limit.
  func end() async throws {
    guard let before else { return }
    for _ in 0..<Int(Self.limit / Self.pause) {
      let state = try await Self.state(session)
      // A service that was started meanwhile counts from 0 again, and has read the files.
      guard let count = state.reloads, count == before else {
        guard let failure = state.reloadFailure else { return }
        throw ModemctlError(.misconfigured, "modemd changed nothing: \(ForeignText.visible(failure))")
      }
      try await session.clock.pause(for: Self.pause)
    }
    throw ModemctlError(
      .failed,
      "modemd has not read its files anew within \(Self.limit.components.seconds) s; look at `journalctl -u modemd`")
  }

  private static func state(_ session: Session) async throws -> VerifyInterface.Providers.Reply {
    try await session.call(VerifyInterface.Providers.self, .init(), within: .answer)
  }
}
