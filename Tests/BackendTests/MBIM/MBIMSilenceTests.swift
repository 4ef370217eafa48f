import ModemModel
import ReplyCheck
import Testing

@testable import MBIMBackend

/// A message whose length is wrong makes libmbim wait for bytes that never come. The modem answers,
/// and nobody hears it.
@Suite(.timeLimit(.minutes(1))) struct `An MBIM modem that is not heard any more` {
  static let caps = Information.deviceCaps(id: "356938035643809")

  /// So short that a busy machine may take a modem that is heard for one that is not: for tests in
  /// which it is not.
  static let short = SilenceWatch.Patience(
    command: .milliseconds(50), question: .milliseconds(200), idle: .milliseconds(100), longCommand: .milliseconds(500))

  /// Commands end at these limits after the suite's own.
  static let long = MBIMConfiguration.Limits(query: .seconds(600), connect: .seconds(1200))

  /// A reply of the basic service whose header claims that it is so much longer than it is.
  static func reply(_ cid: UInt32, longer: UInt32) -> [UInt8] {
    let head = [0x8000_0003, 48 &+ longer, 0, 1, 0].bytes + MBIMServiceID.basicConnect.bytes
    return head + [cid, 0, 0].bytes
  }

  /// An indication whose header claims that it is so much longer than it is.
  static func indication(longer: UInt32) -> [UInt8] {
    let head = [0x8000_0007, 44 &+ longer, 0, 1, 0].bytes + MBIMServiceID.basicConnect.bytes
    return head + [CID.signalState, 0].bytes
  }

  @Test(arguments: [0x4000, 0x7fff_ff00] as [UInt32])
  func `ends the command that waits, and the next port hears it`(longer: UInt32) async throws {
    try await withMBIM(limits: Self.long, patience: Self.short) { request in
      if request.cid == CID.deviceCaps { return [.reply(Self.caps)] }
      return request.cid == CID.subscriberReady ? [.raw(Self.reply(CID.subscriberReady, longer: longer))] : []
    } _: { backend, modem in
      let error = await modemError { try await backend.simStatus() }
      #expect(error?.code == .timeout)
      #expect(error?.message.contains("its port is opened anew") == true, "\(error?.message ?? "")")
      var events = backend.events.makeAsyncIterator()
      #expect(await events.next() == .unresponsive)
      // What comes later ends at once.
      #expect(await modemError { try await backend.identity() }?.code == .timeout)
      await backend.close()
      let next = MBIMBackend(MBIMConfiguration(path: modem.path, limits: Self.long))
      try await next.open()
      let imei = try await next.identity().imei
      #expect(imei == "356938035643809")
      await next.close()
    }
  }

  @Test func `is noticed while nobody asks anything`() async throws {
    try await withMBIM(limits: Self.long, patience: Self.short) { request in
      request.cid == CID.deviceCaps ? [.reply(Self.caps)] : []
    } _: { backend, modem in
      var requests = modem.requests.makeAsyncIterator()
      // Looked after, and heard.
      for _ in 0..<2 { #expect(await requests.next()?.cid == CID.deviceCaps) }
      await modem.say(Self.indication(longer: 0x7fff_ff00))
      var events = backend.events.makeAsyncIterator()
      #expect(await events.next() == .unresponsive)
    }
  }

  @Test func `is opened anew as often as that happens`() async throws {
    let modem = await ScriptedModem { $0.cid == CID.deviceCaps ? [.reply(Self.caps)] : [] }
    for longer in [16, 4096, 0x7fff_ff00, 0x10_0000] as [UInt32] {
      var configuration = MBIMConfiguration(path: modem.path, limits: Self.long)
      configuration.patience = Self.short
      let backend = MBIMBackend(configuration)
      try await backend.open()
      _ = try await backend.identity()
      await modem.say(Self.indication(longer: longer))
      await modem.say(Self.indication(longer: longer))
      // The first one may come through, with a part of the second.
      var last: ModemEvent?
      for await event in backend.events {
        last = event
        if event != .signalChanged { break }
      }
      #expect(last == .unresponsive)
      await backend.close()
    }
    await modem.hangUp()
  }

  /// The answer to the first question fills what libmbim waits for.
  @Test(arguments: [4, 40] as [UInt32])
  func `is heard again where little is missing, and its port stays`(longer: UInt32) async throws {
    let limits = MBIMConfiguration.Limits(query: .seconds(8))
    let patience = SilenceWatch.Patience(command: .milliseconds(50), question: .seconds(2))
    try await withMBIM(limits: limits, patience: patience) { request in
      switch request.cid {
      case CID.deviceCaps: [.reply(Self.caps)]
      case CID.subscriberReady where request.earlier == 0: [.raw(Self.reply(CID.subscriberReady, longer: longer))]
      default: [.reply(status: 2)]
      }
    } _: { backend, modem in
      let error = await modemError { try await backend.simStatus() }
      #expect([.timeout, .badReply].contains(error?.code))
      #expect(await modemError { try await backend.simStatus() }?.code == .failed)
      await modem.stopListening()
      // It was asked, and not given up.
      var questions = 0
      for await request in modem.requests where request.cid == CID.deviceCaps { questions += 1 }
      #expect(questions >= 1)
    }
  }

  /// libmbim throws away what begins with no type that it knows.
  @Test(arguments: [0, 1, 12, 20, 44] as [UInt32])
  func `is not what comes of too short a length`(length: UInt32) async throws {
    try await withMBIM(limits: .init(query: .seconds(8)), patience: .init(command: .milliseconds(50))) { request in
      guard request.cid != CID.deviceCaps else { return [.reply(Self.caps)] }
      return request.earlier == 0
        ? [.raw(Self.reply(CID.subscriberReady, longer: length &- 48))] : [.reply(status: 2)]
    } _: { backend, _ in
      let error = await modemError { try await backend.simStatus() }
      #expect([.timeout, .badReply].contains(error?.code))
      #expect(await modemError { try await backend.simStatus() }?.code == .failed)
    }
  }

  @Test func `is not one that leaves a command without an answer`() async throws {
    try await withMBIM(limits: .init(query: .milliseconds(500)), patience: .init(command: .milliseconds(20))) {
      request in
      request.cid == CID.deviceCaps ? [.reply(Self.caps)] : []
    } _: { backend, _ in
      let error = await modemError { try await backend.simStatus() }
      #expect(error?.message.contains("did not answer in time") == true)
      let imei = try await backend.identity().imei
      #expect(imei == "356938035643809")
    }
  }

  @Test func `is not asked a second time to connect, and is told to end what it may have begun`() async throws {
    let modem = await ScriptedModem { request in
      switch (request.cid, request.isSet) {
      case (CID.deviceCaps, _): [.reply(Self.caps)]
      case (CID.connect, false): [.reply(Information.connect(0))]
      case (CID.connect, true): [.raw(Self.reply(CID.connect, longer: 0x7fff_ff00))]
      default: []
      }
    }
    var configuration = MBIMConfiguration(path: modem.path, limits: Self.long)
    configuration.patience = Self.short
    let backend = MBIMBackend(configuration)
    try await backend.open()
    let error = await modemError { try await backend.connect(BearerRequest()) }
    #expect(error?.code == .timeout)
    await backend.close()
    // Whatever was written before this has arrived once a second port is open.
    let next = MBIMBackend(MBIMConfiguration(path: modem.path))
    try await next.open()
    _ = try await next.identity()
    await next.close()
    await modem.stopListening()
    // Connect: session 0, then the activation command (MBIM 1.0, 10.5.12).
    var commands: [UInt32] = []
    for await request in modem.requests where request.cid == CID.connect && request.isSet {
      commands.append(request.information.number(at: 4))
    }
    #expect(commands == [1, 0])
    await modem.hangUp()
  }
}
