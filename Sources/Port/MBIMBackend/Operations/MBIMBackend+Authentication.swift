import CMBIM
import CardCommands
import ControlChannel
import GLibBridge
import ModemModel
import ReplyCheck

/// Challenges for the SIM: by the service AUTH where the modem lists it, else as a card command on
/// a channel to the USIM.
extension MBIMBackend {
  private static let name = "SIM authentication"
  private static let aka = MBIMFrame.Subject(.auth, 1)

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
      return .success(
        try await configuration.ways.ask(Self.name) { way throws(ModemError) in
          switch way {
          case .command: try await self.command(challenge, to: opened)
          case .channel: try await self.command(onChannel: challenge, to: opened)
          }
        })
    } catch {
      return .failure(error)
    }
  }

  private func command(
    _ challenge: AKAChallenge, to opened: OpenDevice
  ) async throws(ModemError) -> Result<AKAAnswer, ModemError> {
    guard let services = try await serviceList(), services.contains(Self.aka) else {
      throw ModemError(.notSupported, "AUTH: the modem does not list this service")
    }
    let reply = try await send(Self.name, to: opened, in: commands, within: configuration.limits.pin) { error in
      mbim_message_auth_aka_query_new(challenge.rand, challenge.autn, error)
    }
    return .success(try AuthenticationReply.answer(reply))
  }

  private func command(
    onChannel challenge: AKAChallenge, to opened: OpenDevice
  ) async throws(ModemError) -> Result<AKAAnswer, ModemError> {
    try await withChannel(Self.name, to: opened) { channel throws(ModemError) in
      var answer = AuthenticateAnswer(Self.name)
      // The modem replaces the class byte by that of the channel.
      var command = CardCommand.authenticate(challenge, on: .basic)
      while true {
        let (data, words) = try await self.send(command, on: channel, Self.name, to: opened)
        switch answer.take(data, words) {
        case .success(.answered(let answer)): return .success(answer)
        case .success(.fetch(let count)): command = .getResponse(count, on: .basic)
        case .failure(let error): return .failure(error)
        }
      }
    }
  }
}
