/// The modem's MBIM function (MBIM 1.0): open and close, commands of its services, indications.
struct MBIMEndpoint: ControlEndpoint {
  /// The function's knowledge of the host between OPEN and CLOSE.
  struct Opened: Sendable {
    var maxTransfer: Int
    /// The indications that the host wants.
    var subscriptions = EventSubscriptions()
    var extensions = ExtensionsVersion.none
  }

  private var framer = MBIMFramer()
  var opened: Opened?
  var signalReporting = SignalReporting()
  private var qmi: QMIEndpoint
  /// QMI indications that a QMI command caused, to be sent after its answer.
  private var pendingQMI: [[UInt8]] = []

  init(_ configuration: SimulatedModemConfiguration) { qmi = QMIEndpoint(configuration) }

  var clientIDs: [UInt8: [UInt8]] { qmi.clientIDs }

  mutating func receive(_ bytes: [UInt8], engine: inout ModemEngine) -> [EndpointAction] {
    framer.receive(bytes).flatMap { output -> [EndpointAction] in
      switch output {
      case .error(let transaction, let error):
        [.send(MBIMEncoder.functionError(transaction: transaction, error), after: .zero)]
      case .request(let request):
        perform(request, engine: &engine)
      }
    }
  }

  private mutating func perform(_ request: MBIMRequest, engine: inout ModemEngine) -> [EndpointAction] {
    switch request {
    case .open(let transaction, let maxTransfer):
      return answer(engine.begin(.open), engine: &engine) { endpoint, engine, refusal in
        if refusal == nil { endpoint.open(maxTransfer: maxTransfer, engine: &engine) }
        return MBIMEncoder.openDone(transaction: transaction, status: refusal?.status ?? .success)
      }
    case .close(let transaction):
      return answer(engine.begin(.close), engine: &engine) { endpoint, engine, refusal in
        if refusal == nil { endpoint.close(engine: &engine) }
        return MBIMEncoder.closeDone(transaction: transaction, status: refusal?.status ?? .success)
      }
    case .command(let command):
      guard let opened else {
        return [.send(MBIMEncoder.functionError(transaction: command.transaction, .notOpened), after: .zero)]
      }
      return answer(engine.begin(operation(of: command)), engine: &engine) { endpoint, engine, refusal in
        let reply: MBIMReply =
          if case .network(let cause) = refusal, command.isActivation {
            endpoint.extended(Self.refusal(of: command, cause: cause), to: command, engine: engine)
          } else {
            refusal.map { .failed($0.status) } ?? endpoint.reply(to: command, engine: &engine)
          }
        return MBIMEncoder.commandDone(command, reply, maxTransfer: opened.maxTransfer)
      }
    case .hostError: return []
    }
  }

  /// Carries out a command as the fault requires, and appends the indications that it caused.
  private mutating func answer(
    _ fault: SimulatedFault.Action?, engine: inout ModemEngine,
    _ body: (inout MBIMEndpoint, inout ModemEngine, Treatment.Refusal?) -> [UInt8]
  ) -> [EndpointAction] {
    let message: [UInt8]
    switch Treatment(fault) {
    case .instead(let actions): return actions
    case .refused(let refusal): message = body(&self, &engine, refusal)
    case .done: message = body(&self, &engine, nil)
    }
    let caused = indications(for: engine.takeEvents(), engine: engine)
    return FaultyDelivery(action: fault, cardDelay: engine.takeCardDelay())(message, caused, MBIMDamage.self) {
      [engine] in
      indications(for: [$0], engine: engine)
    }
  }

  private mutating func open(maxTransfer: UInt32, engine: inout ModemEngine) {
    close(engine: &engine)
    // The host may not name less than 64 (MBIM 1.0, 9.3.1).
    opened = Opened(maxTransfer: Int(min(max(maxTransfer, 64), 65_535)))
  }

  /// Ends all sessions and forgets the host (MBIM 1.0, 9.3.2).
  private mutating func close(engine: inout ModemEngine) {
    opened = nil
    engine.endSessions(.hostAsked) { _ in true }
    qmi.reset()
  }

  mutating func restart() -> [[UInt8]] {
    opened = nil
    framer = MBIMFramer()
    _ = qmi.restart()
    return []
  }

  private func operation(of command: MBIMCommand) -> ModemOperation {
    switch command.service {
    case .basicConnect: BasicConnect(rawValue: command.cid)?.operation(of: command) ?? .other
    case .uicc where Self.channelCommands.contains(command.cid): .channel
    case .uicc: .simFile
    case .auth: .authenticate
    case .versions where command.cid == 15: .versions
    case .versions where command.cid == 6: .deviceCaps
    case .sms: .messages
    default: .other
    }
  }

  private mutating func reply(to command: MBIMCommand, engine: inout ModemEngine) -> MBIMReply {
    if let reply = versioned(command, engine: engine) { return reply }
    return extended(plainReply(to: plain(command), engine: &engine), to: command, engine: engine)
  }

  private mutating func plainReply(to command: MBIMCommand, engine: inout ModemEngine) -> MBIMReply {
    switch command.service {
    case .basicConnect: basicConnect(command, engine: &engine)
    case .uicc where Self.channelCommands.contains(command.cid): channels(command, engine: &engine)
    case .uicc: uicc(command, engine: engine)
    case .auth: authentication(command, engine: &engine)
    case .versions: slots(command, engine: &engine)
    case .sms: shortMessages(command, engine: &engine)
    case .qmi: passToQMI(command, engine: &engine)
    default: .failed(.noDeviceSupport)
    }
  }

  /// QMI over MBIM: the command's buffer is one QMUX frame, and so is the answer's.
  private mutating func passToQMI(_ command: MBIMCommand, engine: inout ModemEngine) -> MBIMReply {
    guard command.cid == 1, command.isSet else { return .failed(.noDeviceSupport) }
    let actions = qmi.receive(command.body, engine: &engine)
    var frames: [[UInt8]] = []
    for case .send(let frame, _) in actions { frames.append(frame) }
    guard let first = frames.first else { return .failed(.failure) }
    pendingQMI += frames.dropFirst()
    return .success(first)
  }

  mutating func indications(for events: [ModemEvent], engine: ModemEngine) -> [[UInt8]] {
    let frames = pendingQMI + qmi.indications(for: events, engine: engine)
    pendingQMI = []
    guard let opened else { return [] }
    let own = events.flatMap {
      indications(for: $0, engine: engine) + Self.messageIndications(for: $0, engine: engine)
    }
    .filter { opened.subscriptions.contains($0) }
    .map { extended($0, engine: engine) }
    let carried = frames.map { MBIMIndication(service: .qmi, cid: 1, body: $0) }
    return (own + carried).map { MBIMEncoder.indication($0, maxTransfer: opened.maxTransfer) }
  }
}

extension Treatment.Refusal {
  fileprivate var status: MBIMStatus {
    switch self {
    case .failure, .network: .failure
    case .status(let code): MBIMStatus(code: code)
    }
  }
}
