import GLibBridge

/// The modem's end of a pseudoterminal that answers QMI messages with the very bytes a test gives
/// it.
actor ScriptedQMIModem {
  typealias Fields = [UInt8: [UInt8]]

  /// A message of a host.
  struct Request: Hashable, Sendable {
    let service: UInt8
    let client: UInt8
    let message: UInt16
    let fields: Fields
    /// How many messages with the same service and number came before it.
    let earlier: Int
  }

  /// What the modem does about a message.
  enum Act: Sendable {
    case reply(Fields = [:])
    /// A whole frame, with the message's client and transaction in place of its own.
    case raw([UInt8])
    /// A reply with an error, and its TLVs.
    case refuse(UInt16, Fields = [:])
    /// To one client of a service, or to all of them (255).
    case indicate(service: UInt8, client: UInt8 = 255, message: UInt16, Fields = [:])
    /// What the modem does when the script has no word on a message.
    case usual
    case hangUp
  }

  nonisolated let glib: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }
  /// The control port for the backend.
  nonisolated let path: String
  /// The messages that arrived, in order, without those of the control service.
  nonisolated let requests: AsyncStream<Request>

  private nonisolated let arrived: AsyncStream<Request>.Continuation
  private let script: @Sendable (Request) -> [Act]
  private let port: ScriptedPort
  private var received: [UInt8] = []
  private var counts: [[UInt16]: Int] = [:]
  /// Services and ids of the clients that hosts hold.
  private(set) var clients: Set<[UInt8]> = []
  /// Those that were given back, in order.
  private(set) var released: [[UInt8]] = []
  /// The numbers of the messages to the control service.
  private(set) var controlMessages: [UInt16] = []
  private var lastClient: UInt8 = 0

  /// Starts a modem.
  /// - Parameter script: What it does about a message; nothing leaves it without an answer.
  init(script: @escaping @Sendable (Request) -> [Act] = { _ in [.usual] }) async {
    libqmiIsQuiet
    self.script = script
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
  func indicate(service: UInt8, client: UInt8 = 255, message: UInt16, _ fields: Fields = [:]) {
    send(service, client, kind: service == 0 ? 2 : 4, transaction: 0, message, fields)
  }

  /// Says a whole frame unasked, to all clients.
  func say(_ frame: [UInt8]) { port.send(frame[..<5] + [frame[4] == 0 ? 0 : 255] + frame[6...]) }

  /// Says bytes unasked, whatever they are.
  func say(bytes: [UInt8]) { port.send(bytes) }

  private func read(_ bytes: [UInt8]) {
    received += bytes
    while port.isOpen, received.count >= 3 {
      let length = Int(received.short(at: 1)) + 1
      guard received.count >= length else { return }
      handle(Array(received.prefix(length)))
      received.removeFirst(length)
    }
  }

  private func handle(_ frame: [UInt8]) {
    let (service, client) = (frame[4], frame[5])
    let head = service == 0 ? 8 : 9
    let transaction = service == 0 ? UInt16(frame[7]) : frame.short(at: 7)
    let message = frame.short(at: head)
    var fields: Fields = [:]
    var rest = frame.dropFirst(head + 4)
    while rest.count >= 3 {
      let length = Int(Array(rest).short(at: 1))
      fields[rest.first!] = Array(rest.dropFirst(3).prefix(length))
      rest = rest.dropFirst(3 + length)
    }
    let request = Request(
      service: service, client: client, message: message, fields: fields,
      earlier: counts[[UInt16(service), message], default: 0])
    counts[[UInt16(service), message], default: 0] += 1
    if service == 0 { controlMessages.append(message) } else { arrived.yield(request) }
    for act in script(request) { perform(act, request, transaction) }
  }

  private func perform(_ act: Act, _ request: Request, _ transaction: UInt16) {
    func reply(_ status: UInt16, _ error: UInt16, _ fields: Fields) {
      send(
        request.service, request.client, kind: request.service == 0 ? 1 : 2, transaction: transaction,
        request.message, fields.merging([2: [status, error].shortBytes]) { own, _ in own })
    }
    switch act {
    case .reply(let fields): reply(0, 0, fields)
    case .raw(let frame):
      let number = request.service == 0 ? [UInt8(transaction)] : [transaction].shortBytes
      port.send(frame[..<5] + [request.client, frame[6]] + number + frame[(7 + number.count)...])
    case .refuse(let error, let fields): reply(1, error, fields)
    case .indicate(let service, let client, let message, let fields):
      indicate(service: service, client: client, message: message, fields)
    case .hangUp: hangUp()
    case .usual:
      switch (request.service, request.message) {
      case (0, 0x22): reply(0, 0, [1: allocate(request.fields[1]!)])
      case (0, 0x23):
        released.append(request.fields[1]!)
        reply(0, clients.remove(request.fields[1]!) == nil ? 7 : 0, [1: request.fields[1]!])
      // Registering for indications.
      case (3, 0x03), (11, 0x2e): reply(0, 0, [:])
      default: reply(1, 71, [:])
      }
    }
  }

  private func allocate(_ service: [UInt8]) -> [UInt8] {
    lastClient += 1
    clients.insert(service + [lastClient])
    return service + [lastClient]
  }

  private func send(
    _ service: UInt8, _ client: UInt8, kind: UInt8, transaction: UInt16, _ message: UInt16, _ fields: Fields
  ) {
    let body = fields.sorted { $0.key < $1.key }.flatMap { [$0.key] + [UInt16($0.value.count)].shortBytes + $0.value }
    let number = service == 0 ? [UInt8(transaction)] : [transaction].shortBytes
    let data = [kind] + number + [message, UInt16(body.count)].shortBytes + body
    port.send([1] + [UInt16(data.count + 5)].shortBytes + [0x80, service, client] + data)
  }
}

extension [UInt16] {
  /// Little-endian, as QMI has it.
  var shortBytes: [UInt8] { flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] } }
}

extension [UInt8] {
  fileprivate func short(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }
}
