import GLibBridge

/// The modem's end of a pseudoterminal that answers MBIM commands with the very bytes a test gives
/// it.
///
/// The simulated modem of `ModemSimulator` behaves; this one does what it is told: it lies about
/// counts, stays silent, hangs up in mid-command.
actor ScriptedModem {
  /// A command.
  struct Request: Hashable, Sendable {
    /// The UUID of the service.
    let service: [UInt8]
    let cid: UInt32
    let isSet: Bool
    let information: [UInt8]
    /// How many commands with the same id and kind came before it.
    let earlier: Int
  }

  /// What the modem does about a command.
  enum Act: Sendable {
    case reply(status: UInt32 = 0, [UInt8] = [])
    /// A whole message, with the command's transaction in place of its own.
    case raw([UInt8])
    case indicate(cid: UInt32, [UInt8])
    /// An indication of another service than the basic one.
    case indicateAs(service: [UInt8], cid: UInt32, [UInt8])
    /// MBIM_FUNCTION_ERROR_MSG.
    case functionError(UInt32)
    case hangUp
  }

  nonisolated let glib: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }
  /// The control port for the backend.
  nonisolated let path: String
  /// The commands that arrived, in order.
  nonisolated let requests: AsyncStream<Request>

  private nonisolated let arrived: AsyncStream<Request>.Continuation
  private let script: @Sendable (Request) -> [Act]
  private let openStatus: UInt32?
  private let port: ScriptedPort
  private var received: [UInt8] = []
  private var counts: [[UInt32]: Int] = [:]
  /// The types of all messages that arrived.
  private(set) var messageTypes: [UInt32] = []

  /// Starts a modem.
  /// - Parameters:
  ///   - openStatus: What it answers to OPEN; nil leaves OPEN without an answer.
  ///   - script: What it does about a command; nothing leaves it without an answer.
  init(openStatus: UInt32? = 0, script: @escaping @Sendable (Request) -> [Act]) async {
    self.script = script
    self.openStatus = openStatus
    (requests, arrived) = AsyncStream.makeStream()
    glib = GLibExecutor(name: "scripted")
    port = ScriptedPort()
    path = port.path
    port.listen(on: glib) { [weak self] bytes in self?.assumeIsolated { $0.read(bytes) } }
  }

  deinit { arrived.finish() }

  /// Ends the port, as when a modem is unplugged.
  func hangUp() { port.hangUp() }

  /// Ends `requests`.
  func stopListening() { arrived.finish() }

  /// Says something unasked.
  func indicate(cid: UInt32, _ information: [UInt8]) {
    perform(.indicate(cid: cid, information), transaction: 0, request: nil)
  }
  func indicate(service: [UInt8], cid: UInt32, _ information: [UInt8]) {
    perform(.indicateAs(service: service, cid: cid, information), transaction: 0, request: nil)
  }
  /// Says bytes unasked, whatever they are.
  func say(_ bytes: [UInt8]) { port.send(bytes) }
  func functionError(_ code: UInt32) { perform(.functionError(code), transaction: 0, request: nil) }

  private func read(_ bytes: [UInt8]) {
    received += bytes
    while port.isOpen, received.count >= 12, received.count >= Int(received.number(at: 4)) {
      let message = Array(received.prefix(Int(received.number(at: 4))))
      received.removeFirst(message.count)
      handle(message)
    }
  }

  private func handle(_ message: [UInt8]) {
    let (type, transaction) = (message.number(at: 0), message.number(at: 8))
    messageTypes.append(type)
    switch type {
    case 1: if let openStatus { send(0x8000_0001, transaction, [openStatus].bytes) }
    case 2: send(0x8000_0002, transaction, [0].bytes)
    case 3:
      let (cid, kind) = (message.number(at: 36), message.number(at: 40))
      let request = Request(
        service: Array(message[20..<36]), cid: cid, isSet: kind == 1, information: Array(message.dropFirst(48)),
        earlier: counts[[cid, kind], default: 0])
      counts[[cid, kind], default: 0] += 1
      arrived.yield(request)
      var acts = script(request)
      // A script without a word on Device Services is for a modem that refuses them.
      if acts.isEmpty, request.service == basicConnect, cid == 16 { acts = [.reply(status: 9)] }
      for act in acts { perform(act, transaction: transaction, request: request) }
    default: break
    }
  }

  private func perform(_ act: Act, transaction: UInt32, request: Request?) {
    let fragment = [1, 0].bytes
    switch act {
    case .reply(let status, let information):
      send(
        0x8000_0003, transaction,
        fragment + request!.service + [request!.cid, status, UInt32(information.count)].bytes + information)
    case .indicate(let cid, let information):
      send(0x8000_0007, 0, fragment + basicConnect + [cid, UInt32(information.count)].bytes + information)
    case .indicateAs(let service, let cid, let information):
      send(0x8000_0007, 0, fragment + service + [cid, UInt32(information.count)].bytes + information)
    case .raw(let message):
      port.send(Array(message.prefix(8)) + [transaction].bytes + message.dropFirst(12))
    case .functionError(let code): send(0x8000_0004, transaction, [code].bytes)
    case .hangUp: hangUp()
    }
  }

  private func send(_ type: UInt32, _ transaction: UInt32, _ rest: [UInt8]) {
    port.send([type, UInt32(12 + rest.count), transaction].bytes + rest)
  }
}

private let basicConnect: [UInt8] = [
  0xa2, 0x89, 0xcc, 0x33, 0xbc, 0xbb, 0x8b, 0x4f, 0xb6, 0xb0, 0x13, 0x3e, 0xc2, 0xaa, 0xe6, 0xdf,
]

extension [UInt32] {
  /// Little-endian, as MBIM has it.
  var bytes: [UInt8] { flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } } }
}

extension [UInt8] {
  func number(at offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(self[offset + $1]) << (8 * $1) } }
}
