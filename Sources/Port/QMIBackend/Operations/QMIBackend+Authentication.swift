import CQMI
import CardCommands
import ControlChannel
import GLibBridge
import ModemModel

/// Challenges for the SIM: by UIM Authenticate where the modem knows it, else as a card command on
/// a channel to the USIM. libqmi 1.32 has none of these messages.
extension QMIBackend {
  private static let name = "SIM authentication"
  /// The 3G security context of UIM Authenticate.
  private static let context: UInt8 = 3

  package func authenticate(_ challenge: AKAChallenge) async throws(ModemError) -> AKAAnswer {
    let number = try simCalls.enter(Self.name)
    let before = simCalls.last
    simCalls.follow(
      Task {
        await before?.value
        let answer = simCalls.isWanted(number) ? await ask(challenge) : nil
        simCalls.ended(number, answer)
      })
    let answer: Result<AKAAnswer, ModemError>
    do throws(GLibBridgeError) {
      answer = try await glib.expect(of: commands) { simCalls.wait(number, $0) }
    } catch {
      simCalls.leave(number)
      throw failure(error, during: Self.name)
    }
    return try answer.get()
  }

  /// Runs without the caller, whose end would else leave a channel open.
  private func ask(_ challenge: AKAChallenge) async -> Result<AKAAnswer, ModemError> {
    do throws(ModemError) {
      let opened = try openDevice(for: Self.name)
      guard let client = clients[.uim] else {
        throw ModemError(.notSupported, "\(Self.name): this modem has no way to ask its SIM (it lacks the service UIM)")
      }
      return .success(
        try await configuration.ways.ask(Self.name) { way throws(ModemError) in
          switch way {
          case .command: try await self.command(challenge, as: client, to: opened)
          case .channel: try await self.command(onChannel: challenge, as: client, to: opened)
          }
        })
    } catch {
      return .failure(error)
    }
  }

  private func command(
    _ challenge: AKAChallenge, as client: QMIClient, to opened: OpenDevice
  ) async throws(ModemError) -> Result<AKAAnswer, ModemError> {
    let data = CardCommand.authenticationData(challenge)
    let request = QMIRequest(0x34)
      .with(0x01, Self.session)
      .with(0x02, [Self.context] + UInt16(data.count).littleEndianBytes + data)
    // Without a token (0x10), the answer comes as the reply and not as an indication.
    let reply = try await send(
      Self.name, request, as: client, to: opened, in: commands, within: configuration.limits.pin)
    return try CardReply.answer(reply)
  }

  private func command(
    onChannel challenge: AKAChallenge, as client: QMIClient, to opened: OpenDevice
  ) async throws(ModemError) -> Result<AKAAnswer, ModemError> {
    try await withChannel(Self.name, as: client, in: opened) { slot, channel throws(ModemError) in
      var answer = AuthenticateAnswer(Self.name)
      var command = CardCommand.authenticate(challenge, on: channel)
      while true {
        let request = QMIRequest(0x3b)
          .with(0x01, byte: slot)
          .with(0x02, UInt16(command.bytes.count).littleEndianBytes + command.bytes)
          .with(0x10, byte: channel.number)
        let reply = try await self.send(
          Self.name, request, as: client, to: opened, in: self.commands, within: self.configuration.limits.pin)
        let (data, words) = try CardReply.content(reply)
        switch answer.take(data, words) {
        case .success(.answered(let answer)): return .success(answer)
        case .success(.fetch(let count)): command = .getResponse(count, on: channel)
        case .failure(let error): return .failure(error)
        }
      }
    }
  }
}
