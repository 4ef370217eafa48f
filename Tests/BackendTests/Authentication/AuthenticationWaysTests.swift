import ControlChannel
import Glibc
import ModemModel
import Testing

@Suite struct `The ways to a SIM` {
  private static func lack(_ way: AuthenticationWay) -> ModemError { ModemError(.notSupported, "\(way) is missing") }

  /// Asks, and tells by which ways.
  private func ask(
    _ ways: AuthenticationWays, answers: [AuthenticationWay: Result<AKAAnswer, ModemError>]
  ) async -> (Result<AKAAnswer, ModemError>, asked: [AuthenticationWay]) {
    var asked: [AuthenticationWay] = []
    do throws(ModemError) {
      let answer = try await ways.ask("test") { way throws(ModemError) in
        asked.append(way)
        return .success(try (answers[way] ?? .failure(Self.lack(way))).get())
      }
      return (.success(answer), asked)
    } catch {
      return (.failure(error), asked)
    }
  }

  @Test func `are tried in order, and the one that worked is first from then on`() async {
    let ways = AuthenticationWays()
    #expect(await ask(ways, answers: [.channel: .success(.refused)]).asked == [.command, .channel])
    #expect(await ask(ways, answers: [.channel: .success(.refused)]).asked == [.channel])
    #expect(ways.known == .channel)
    // A firmware update, or another SIM.
    #expect(await ask(ways, answers: [.command: .success(.refused)]).asked == [.channel, .command])
    #expect(await ask(ways, answers: [.command: .success(.refused)]).asked == [.command])
  }

  @Test(arguments: [.timeout, .simLocked, .simNotReady, .badReply, .failed, .cancelled, .removed] as [ModemError.Code])
  func `are not tried one after the other once the SIM may have been asked`(code: ModemError.Code) async {
    let ways = AuthenticationWays()
    let (result, asked) = await ask(ways, answers: [.command: .failure(ModemError(code, "no"))])
    #expect(result == .failure(ModemError(code, "no")) && asked == [.command] && ways.known == nil)
  }

  @Test func `end with what the SIM says, whatever it is`() async {
    let ways = AuthenticationWays()
    var asked = 0
    let error = await modemError {
      try await ways.ask("test") { way throws(ModemError) in
        asked += 1
        return .failure(Self.lack(way))
      }
    }
    // The way worked; the SIM does not know such a challenge.
    #expect(error == Self.lack(.command) && asked == 1 && ways.known == .command)
  }

  @Test func `that are both missing are both named`() async {
    let ways = AuthenticationWays()
    guard case .failure(let error) = await ask(ways, answers: [:]).0 else { return #expect(Bool(false)) }
    #expect(error.code == .notSupported && ways.known == nil)
    #expect(error.cause == "command is missing; channel is missing")
  }

  @Test func `that are busy belong to a SIM that is not ready`() async {
    let (result, _) = await ask(.init(), answers: [.command: .failure(ModemError(.busy, "busy"))])
    #expect(result == .failure(ModemError(.simNotReady, "busy")))
  }

  @Test func `leave a note of an open channel, which another device's port does not read`() {
    let path = "/tmp/modemd-note-\(getpid())"
    defer { unlink(path) }
    let note = ChannelNote(path: path, device: "/dev/null")
    #expect(note.left() == nil)
    note.write(.unknown)
    #expect(note.left() == .unknown)
    note.write(.channel(slot: 2, number: 19))
    #expect(note.left() == .channel(slot: 2, number: 19))
    #expect(ChannelNote(path: path, device: "/dev/zero").left() == nil)
    note.erase()
    #expect(note.left() == nil && access(path, F_OK) != 0)
  }

  @Test(arguments: ["", "x", "port 1 1\nchannel 1 2\n", "channel 1 2"]) func `read only a note of their own`(
    text: String
  ) {
    let path = "/tmp/modemd-note-\(getpid())-\(text.utf8.count)"
    defer { unlink(path) }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = write(file, text, text.utf8.count)
    close(file)
    #expect(ChannelNote(path: path, device: "/dev/null").left() == nil)
  }
}
