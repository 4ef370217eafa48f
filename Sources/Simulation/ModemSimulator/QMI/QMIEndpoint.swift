/// The modem's QMI services behind their control service.
struct QMIEndpoint: ControlEndpoint {
  /// A client id that the modem has given out, with what its holder set.
  struct Client: Hashable, Sendable {
    let service: QMIService
    let id: UInt8
    /// WDS: the family of the calls that the client starts and sees.
    var family = AddressFamily.ipv4
    /// WDS: the multiplexing id that its calls' packets carry; nil for the data port itself.
    var muxID: UInt8?
    /// NAS: serving system, system info, signal info.
    var wantsServingSystem = false
    var wantsSystemInfo = false
    var wantsSignalInfo = false
    /// UIM: card status, physical slots.
    var wantsCardStatus = false
    var wantsSlotStatus = false
    /// WMS: new messages.
    var wantsMessages = false
  }

  private var framer = QMUXFramer()
  var clients: [Client] = []
  /// The last allocated id, by service: ids are not reused at once.
  private var lastID: [QMIService: UInt8] = [:]
  private let clientLimit: Int
  private let initialRawIP: Bool
  let keepsLinkLayer: Bool
  var isRawIP: Bool
  /// How packets are aggregated, from and to the host: 0 for not at all, 5 for QMAP.
  var aggregation: (up: UInt32, down: UInt32)
  let insistsOnMultiplexing: Bool

  init(_ configuration: SimulatedModemConfiguration) {
    clientLimit = min(max(configuration.clientIDsPerService, 1), 254)
    initialRawIP = configuration.usesRawIP
    keepsLinkLayer = configuration.keepsLinkLayer
    isRawIP = initialRawIP
    insistsOnMultiplexing = configuration.insistsOnMultiplexing
    aggregation = Self.initialAggregation(insistsOnMultiplexing)
  }

  private static func initialAggregation(_ insists: Bool) -> (up: UInt32, down: UInt32) { insists ? (5, 5) : (0, 0) }

  var clientIDs: [UInt8: [UInt8]] {
    Dictionary(grouping: clients, by: \.service.rawValue).mapValues { $0.map(\.id).sorted() }
  }

  /// Forgets every client.
  mutating func reset() {
    clients = []
    isRawIP = initialRawIP
    aggregation = Self.initialAggregation(insistsOnMultiplexing)
    framer = QMUXFramer()
  }

  mutating func restart() -> [[UInt8]] {
    reset()
    return [QMUXFramer.indication(.ctl, client: 0, message: 0x27, QMITLVs())]
  }

  mutating func receive(_ bytes: [UInt8], engine: inout ModemEngine) -> [EndpointAction] {
    framer.receive(bytes).flatMap { perform($0, engine: &engine) }
  }

  private mutating func perform(_ request: QMIRequest, engine: inout ModemEngine) -> [EndpointAction] {
    guard let service = QMIService(rawValue: request.service) else {
      return [.send(Self.failure(request, .invalidServiceType), after: .zero)]
    }
    let operation = QMIOperations.operation(service, request.message)
    let fault = engine.begin(operation)
    let response: [UInt8]
    switch Treatment(fault) {
    case .instead(let actions): return actions
    case .refused(let refusal): response = Self.refused(request, refusal, operation)
    case .done: response = answer(request, service, engine: &engine)
    }
    let caused = indications(for: engine.takeEvents(), engine: engine)
    return FaultyDelivery(action: fault, cardDelay: engine.takeCardDelay())(response, caused, QMUXDamage.self) {
      [engine] in
      indications(for: [$0], engine: engine)
    }
  }

  private static func refused(
    _ request: QMIRequest, _ refusal: Treatment.Refusal, _ operation: ModemOperation
  ) -> [UInt8] {
    switch refusal {
    case .network(let cause) where operation == .connect:
      failure(request, .callFailed, CallEnd.network(cause: cause).fields)
    case .failure, .network: failure(request, .internal)
    case .status(let status): failure(request, QMIError(code: UInt16(truncatingIfNeeded: status)))
    }
  }

  private mutating func answer(_ request: QMIRequest, _ service: QMIService, engine: inout ModemEngine) -> [UInt8] {
    var details = QMITLVs()
    do {
      let fields = try reply(to: request, service, engine: &engine, details: &details)
      return Self.success(request, fields)
    } catch {
      return Self.failure(request, error, details)
    }
  }

  /// - Parameter details: sent together with an error.
  private mutating func reply(
    to request: QMIRequest, _ service: QMIService, engine: inout ModemEngine, details: inout QMITLVs
  ) throws(QMIError) -> QMITLVs {
    if service == .ctl { return try control(request, engine: &engine) }
    guard let index = clients.firstIndex(where: { $0.service == service && $0.id == request.client }) else {
      throw .invalidClientID
    }
    switch service {
    case .ctl: return QMITLVs()
    case .dms:
      if let fields = try Self.oldSIM(request, engine: &engine, details: &details) { return fields }
      return try deviceManagement(request, engine: &engine)
    case .nas: return try networkAccess(request, &clients[index], engine: &engine)
    case .uim: return try userIdentity(request, &clients[index], engine: &engine, details: &details)
    case .wds: return try wirelessData(request, &clients[index], engine: &engine, details: &details)
    case .wda: return try dataFormat(request, engine: engine)
    case .wms: return try messaging(request, &clients[index], engine: &engine)
    }
  }

  // MARK: Client ids

  mutating func allocate(_ service: QMIService) throws(QMIError) -> UInt8 {
    let used = Set(clients.filter { $0.service == service }.map(\.id))
    guard used.count < clientLimit else { throw .clientIDsExhausted }
    var id = lastID[service] ?? 0
    repeat { id = id >= 254 ? 1 : id + 1 } while used.contains(id)
    lastID[service] = id
    clients.append(Client(service: service, id: id))
    return id
  }

  /// A call ends with the client id that started it.
  mutating func release(_ service: QMIService, _ id: UInt8, engine: inout ModemEngine) throws(QMIError) {
    guard let index = clients.firstIndex(where: { $0.service == service && $0.id == id }) else {
      throw .invalidClientID
    }
    clients.remove(at: index)
    if service == .wds { engine.endSessions(.hostAsked) { $0.owner == .qmi(client: id) } }
  }

  // MARK: Frames

  private static func success(_ request: QMIRequest, _ fields: QMITLVs) -> [UInt8] {
    QMUXFramer.response(to: request, result(0, fields))
  }

  private static func failure(_ request: QMIRequest, _ error: QMIError, _ fields: QMITLVs = QMITLVs()) -> [UInt8] {
    QMUXFramer.response(to: request, result(error.code, fields))
  }

  private static func result(_ error: UInt16, _ fields: QMITLVs) -> QMITLVs {
    var all = QMITLVs()
    all.add(2, UInt16(error == 0 ? 0 : 1).littleEndianBytes + error.littleEndianBytes)
    for field in fields.fields { all.add(field.type, field.value) }
    return all
  }

  func indications(for events: [ModemEvent], engine: ModemEngine) -> [[UInt8]] {
    events.flatMap { event in clients.flatMap { Self.indications(for: event, to: $0, engine: engine) } }
  }

  private static func indications(for event: ModemEvent, to client: Client, engine: ModemEngine) -> [[UInt8]] {
    let send = { (message: UInt16, fields: QMITLVs) in
      QMUXFramer.indication(client.service, client: client.id, message: message, fields)
    }
    switch (client.service, event) {
    case (.uim, .sim):
      return (client.wantsSlotStatus && engine.cards.count > 1 ? [send(0x48, engine.qmiSlotStatus)] : [])
        + (client.wantsCardStatus ? [send(0x32, engine.qmiCardStatus)] : [])
    case (.nas, .registration), (.nas, .packetService):
      return (client.wantsServingSystem ? [send(0x24, engine.qmiServingSystem(isIndication: true))] : [])
        + (client.wantsSystemInfo ? [send(0x4e, engine.qmiSystemInfo)] : [])
    case (.nas, .signal): return client.wantsSignalInfo ? [send(0x51, engine.qmiSignalInfo)] : []
    case (.wds, _): return packetServiceStatus(for: event, to: client, engine: engine).map { [send(0x22, $0)] } ?? []
    case (.wms, _):
      return client.wantsMessages
        ? Self.messageIndication(for: event).map { [send($0.message, $0.fields)] } ?? [] : []
    default: return []
    }
  }
}
