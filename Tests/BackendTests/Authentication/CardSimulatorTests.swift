import ControlChannel
import Glibc
import MBIMBackend
import Milenage
import ModemModel
import ModemSimulator
import QMIBackend
import Testing

/// The backends against a modem and a card that compute.
@Suite(.timeLimit(.minutes(1))) struct `A simulated SIM that is challenged` {
  /// A protocol, and a way to the card.
  struct Path: Hashable, Sendable, CustomTestStringConvertible {
    let language: ModemProtocol
    let way: SimulatedAuthentication.Way

    static let all = [ModemProtocol.mbim, .qmi].flatMap { language in
      SimulatedAuthentication.Way.allCases.map { Path(language: language, way: $0) }
    }
    static let channels = all.filter { $0.way == .channels }

    var testDescription: String { "\(language), \(way)" }
  }

  private static let sim = SimulatedSIM()
  private static let milenage = Milenage(key: sim.key, opc: sim.opc)

  private static func vector(_ sequence: UInt8, rand: [UInt8] = Known.rand) -> Milenage.Vector {
    milenage.vector(rand: rand, sequence: [0, 0, 0, 0, sequence, 0])
  }

  private static func challenge(_ vector: Milenage.Vector) -> AKAChallenge {
    AKAChallenge(rand: vector.rand, autn: vector.autn)!
  }

  private static func response(_ vector: Milenage.Vector, count: Int = 8) -> AKAAnswer {
    .response(
      AKAResponse(res: WipedBytes(vector.res.prefix(count)), ck: WipedBytes(vector.ck), ik: WipedBytes(vector.ik))!)
  }

  static func backend(
    _ language: ModemProtocol, _ path: String, channelFile: String? = nil, ways: AuthenticationWays = .init(),
    card: Duration = .seconds(30)
  ) -> any ModemBackend {
    switch language {
    case .mbim:
      var configuration = MBIMConfiguration(path: path, limits: .init(pin: card))
      (configuration.channelFile, configuration.ways) = (channelFile, ways)
      return MBIMBackend(configuration)
    case .qmi:
      libqmiIsQuiet
      var configuration = QMIConfiguration(path: path, limits: .init(pin: card))
      (configuration.channelFile, configuration.ways) = (channelFile, ways)
      return QMIBackend(configuration)
    }
  }

  /// Opens a backend on a modem, and leaves no channel of its card open.
  private func withModem(
    _ path: Path, _ change: (inout SimulatedModemConfiguration) -> Void = { _ in }, card: Duration = .seconds(30),
    _ body: (any ModemBackend, SimulatedModem) async throws -> Void
  ) async throws {
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = path.language == .mbim ? .mbim : .qmi
    configuration.authentication.ways = [path.way]
    change(&configuration)
    let modem = SimulatedModem(configuration)
    let backend = Self.backend(path.language, try modem.plugIn(), card: card)
    do {
      try await backend.open()
      try await body(backend, modem)
    } catch {
      Issue.record(error)
    }
    await backend.close()
    #expect(modem.snapshot.openChannels.isEmpty)
    modem.unplug()
  }

  @Test(arguments: Path.all) func `answers, falls behind, and catches up`(path: Path) async throws {
    try await withModem(path) { backend, modem in
      let vector = Self.vector(1)
      let answer = try await backend.authenticate(Self.challenge(vector))
      #expect(answer == Self.response(vector))
      // The same once more: the card has gone on.
      guard case .synchronise(let auts) = try await backend.authenticate(Self.challenge(vector)) else {
        Issue.record("no AUTS")
        return
      }
      #expect(Self.milenage.resynchronisation(auts: auts.bytes, rand: vector.rand) == [0, 0, 0, 0, 1, 0])
      let next = Self.vector(2)
      let later = try await backend.authenticate(Self.challenge(next))
      #expect(later == Self.response(next))
      #expect(modem.snapshot.challenges == 3 && modem.snapshot.openChannels.isEmpty)
    }
  }

  @Test(arguments: Path.all) func `refuses another home's challenge`(path: Path) async throws {
    try await withModem(path) {
      $0.authentication.card = .wrongKey
    } _: { backend, modem in
      let answer = try await backend.authenticate(Self.challenge(Self.vector(1)))
      #expect(answer == .refused)
      #expect(modem.snapshot.challenges == 1)
    }
  }

  @Test(arguments: Path.all, 4...8) func `may give a short RES`(path: Path, count: Int) async throws {
    try await withModem(path) {
      $0.sim?.responseLength = count
      $0.authentication.givesKc = true
    } _: { backend, _ in
      let vector = Self.vector(1)
      let answer = try await backend.authenticate(Self.challenge(vector))
      #expect(answer == Self.response(vector, count: count))
    }
  }

  @Test(arguments: Path.all, [0, 3, 17, 255]) func `that lies about RES is not believed`(path: Path, count: Int)
    async throws
  {
    try await withModem(path) {
      $0.authentication.claimedLength = count
    } _: { backend, modem in
      #expect(await modemError { try await backend.authenticate(Self.challenge(Self.vector(1))) }?.code == .badReply)
      #expect(modem.snapshot.challenges == 1)
    }
  }

  @Test(arguments: Path.all) func `that is out of step without AUTS is not believed`(path: Path) async throws {
    try await withModem(path) {
      $0.authentication.card = .neverInStep
      $0.authentication.leavesOutAUTS = true
    } _: { backend, _ in
      #expect(await modemError { try await backend.authenticate(Self.challenge(Self.vector(1))) }?.code == .badReply)
    }
  }

  @Test(arguments: Path.all) func `that waits for its PIN says so`(path: Path) async throws {
    try await withModem(path) {
      $0.sim?.pin = "1234"
    } _: { backend, _ in
      let error = await modemError { try await backend.authenticate(Self.challenge(Self.vector(1))) }
      #expect(error?.code == .simLocked && error?.message.contains("PIN") == true, "\(error?.message ?? "none")")
      try await backend.unlock(with: PIN("1234")!)
      let vector = Self.vector(1)
      let answer = try await backend.authenticate(Self.challenge(vector))
      #expect(answer == Self.response(vector))
    }
  }

  @Test(
    arguments: Path.all,
    [
      (0x6985, .simNotReady), (0x9864, .notSupported), (0x6d00, .notSupported), (0x6982, .simLocked),
      (0x6f00, .badReply),
    ]
      as [(UInt16, ModemError.Code)])
  func `answers with status words`(path: Path, answer: (words: UInt16, code: ModemError.Code)) async throws {
    // MBIM's service AUTH does not pass them on.
    if path == Path(language: .mbim, way: .direct) { return }
    try await withModem(path) {
      $0.authentication.statusWords = answer.words
    } _: { backend, modem in
      #expect(await modemError { try await backend.authenticate(Self.challenge(Self.vector(1))) }?.code == answer.code)
      #expect(modem.snapshot.challenges == 1)
    }
  }

  @Test(arguments: [ModemProtocol.mbim, .qmi]) func `is found on any way that the modem has`(language: ModemProtocol)
    async throws
  {
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = language == .mbim ? .mbim : .qmi
    configuration.authentication.ways = [.channels]
    let modem = SimulatedModem(configuration)
    let ways = AuthenticationWays()
    let path = try modem.plugIn()
    for sequence in 1...2 as ClosedRange<UInt8> {
      let backend = Self.backend(language, path, ways: ways)
      try await backend.open()
      let vector = Self.vector(sequence)
      let answer = try await backend.authenticate(Self.challenge(vector))
      #expect(answer == Self.response(vector))
      await backend.close()
      #expect(ways.known == .channel)
    }
    // The modem has lost this way, and has got the other.
    var authentication = SimulatedAuthentication()
    authentication.ways = [.direct]
    modem.setAuthentication(authentication)
    let backend = Self.backend(language, path, ways: ways)
    try await backend.open()
    let vector = Self.vector(3)
    let later = try await backend.authenticate(Self.challenge(vector))
    #expect(later == Self.response(vector))
    #expect(ways.known == .command)
    authentication.ways = []
    modem.setAuthentication(authentication)
    let error = await modemError { try await backend.authenticate(Self.challenge(Self.vector(4))) }
    #expect(error?.code == .notSupported && error?.message.contains("no way to ask its SIM") == true)
    #expect(modem.snapshot.challenges == 3)
    await backend.close()
    modem.unplug()
  }

  // MARK: Channels

  @Test(arguments: Path.channels) func `may have its answer fetched`(path: Path) async throws {
    try await withModem(path) {
      $0.authentication.usesGetResponse = true
    } _: { backend, modem in
      let vector = Self.vector(1)
      let answer = try await backend.authenticate(Self.challenge(vector))
      #expect(answer == Self.response(vector))
      #expect(modem.snapshot.challenges == 1)
    }
  }

  @Test(arguments: Path.channels) func `whose channels are taken is not asked`(path: Path) async throws {
    try await withModem(path) {
      $0.authentication.takenChannels = 3
    } _: { backend, modem in
      let error = await modemError { try await backend.authenticate(Self.challenge(Self.vector(1))) }
      #expect(
        error?.code == .simNotReady && error?.message.contains("no free channel") == true, "\(error?.message ?? "none")"
      )
      #expect(modem.snapshot.challenges == 0)
    }
  }

  @Test(arguments: Path.channels, [1, 2]) func `may give any free channel`(path: Path, taken: Int) async throws {
    try await withModem(path) {
      $0.authentication.takenChannels = taken
    } _: { backend, _ in
      let vector = Self.vector(1)
      let answer = try await backend.authenticate(Self.challenge(vector))
      #expect(answer == Self.response(vector))
    }
  }

  @Test(arguments: Path.all) func `that is slow is waited for`(path: Path) async throws {
    try await withModem(path) {
      $0.authentication.delay = .milliseconds(400)
    } _: { backend, modem in
      let vector = Self.vector(1)
      let answer = try await backend.authenticate(Self.challenge(vector))
      #expect(answer == Self.response(vector))
      #expect(modem.snapshot.challenges == 1)
    }
  }

  /// `withModem` sees that no channel is left.
  @Test(arguments: Path.all) func `that is too slow is not asked twice`(path: Path) async throws {
    try await withModem(path, { $0.authentication.delay = .seconds(1) }, card: .milliseconds(100)) { backend, modem in
      #expect(await modemError { try await backend.authenticate(Self.challenge(Self.vector(1))) }?.code == .timeout)
      #expect(modem.snapshot.challenges == 1)
    }
  }

  @Test(arguments: Path.all) func `is asked once for a caller who leaves`(path: Path) async throws {
    try await withModem(path, { $0.authentication.delay = .milliseconds(400) }) { backend, modem in
      let call = Task { try await backend.authenticate(Self.challenge(Self.vector(1))) }
      while modem.snapshot.challenges == 0 { await Task.yield() }
      call.cancel()
      #expect(await modemError { try await call.value }?.code == .cancelled)
      // It comes after the call that nobody waits for.
      let vector = Self.vector(2)
      let answer = try await backend.authenticate(Self.challenge(vector))
      #expect(answer == Self.response(vector))
      #expect(modem.snapshot.challenges == 2 && modem.snapshot.openChannels.isEmpty)
    }
  }

  /// A process that waits for a card is killed; the next port closes its channel, before anything
  /// is asked.
  @Test(arguments: [ModemProtocol.mbim, .qmi]) func `has no channel left after a killed port`(language: ModemProtocol)
    async throws
  {
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = language == .mbim ? .mbim : .qmi
    configuration.authentication.ways = [.channels]
    configuration.authentication.delay = .seconds(600)
    let modem = SimulatedModem(configuration)
    let path = try modem.plugIn()
    let note = "/tmp/modemd-channel-\(getpid())-\(language)-killed"
    defer { unlink(note) }
    let asker = try Self.start([Self.asker, language.rawValue, path, note])
    var end: Int32 = 0
    while modem.snapshot.challenges == 0 {
      try #require(waitpid(asker, &end, WNOHANG) == 0)
      await Task.yield()
    }
    #expect(modem.snapshot.openChannels == [1])
    kill(asker, SIGKILL)
    #expect(waitpid(asker, &end, 0) == asker && end & 0x7f == SIGKILL)
    #expect(modem.snapshot.openChannels == [1] && access(note, F_OK) == 0)
    let backend = Self.backend(language, path, channelFile: note)
    try await backend.open()
    #expect(modem.snapshot.openChannels.isEmpty && access(note, F_OK) != 0)
    #expect(modem.snapshot.challenges == 1)
    await backend.close()
    modem.unplug()
  }

  private static func start(_ words: [String]) throws -> pid_t {
    let copies = words.map { (word: String) in strdup(word) }
    defer { for copy in copies { free(copy) } }
    var process: pid_t = 0
    try #require(posix_spawn(&process, words[0], nil, nil, copies + [nil], environ) == 0)
    return process
  }

  /// The program beside the one that runs the tests.
  private static let asker: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/sim-asker"
  }()

  // MARK: Group identifier

  @Test(
    arguments: [ModemProtocol.mbim, .qmi], [([0x12, 0x34], [0x12, 0x34]), (nil, nil)] as [([UInt8]?, [UInt8]?)])
  func `has a group identifier where it has one`(language: ModemProtocol, file: ([UInt8]?, [UInt8]?)) async throws {
    try await withModem(Path(language: language, way: .direct)) {
      $0.sim?.groupIdentifier = file.0 ?? []
    } _: { backend, _ in
      let answer = try await backend.groupIdentifier()
      #expect(answer == file.1)
    }
  }
}
