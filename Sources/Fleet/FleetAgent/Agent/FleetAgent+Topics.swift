import FleetSettings
import JSONTree
import LimitClock
import MQTTClient
import ModemModel

extension FleetAgent {
  /// What `status` says of the machine.
  enum Standing: String, Sendable {
    case online
    /// The agent ended in order.
    case offline
    /// The broker says it in the machine's place: the will.
    case lost
  }

  /// Where the agent's connection leads, with the will of its first connection.
  ///
  /// - Throws: `FleetMemoryError`.
  package static func broker(_ settings: FleetSettings, memory: any FleetMemory) async throws -> MQTTBroker {
    let next = StateFile(try await memory.read(.state)).session + 1
    return MQTTBroker(
      host: settings.host, port: settings.port, clientID: settings.machine, authorities: settings.authorities,
      certificate: settings.certificate, key: settings.key,
      will: will(FleetTopics(machine: settings.machine), session: next, time: .now()),
      keepAliveSeconds: settings.keepAliveSeconds, fleetSize: settings.fleetSize)
  }

  static func will(_ topics: FleetTopics, session: Int, time: Timestamp) -> MQTTMessage? {
    Payload.bytes(["state": .string(Standing.lost.rawValue)], time: time, session: session).map {
      MQTTMessage(
        topics("status"), $0, qos: .atLeastOnce, isRetained: true, contentType: Payload.contentType)
    }
  }

  func statusBody(_ standing: Standing) -> [String: JSONValue] {
    let modemd =
      switch presence {
      case .unknown: "unknown"
      case .present: "present"
      case .absent: "absent"
      }
    return [
      "state": .string(standing.rawValue), "modemd": .string(modemd), "since": .string(linkSince.description),
    ]
  }

  var aboutBody: [String: JSONValue] {
    let modemd: String? = if case .present(let version) = presence { version } else { nil }
    let allowed = Set(settings.commands.requesters.values.joined())
    return JSONValue.fields([
      "modemdFleet": .string(Product.version), "modemd": modemd.json, "started": .string(began.description),
      "modems": .array(modems.keys.map { discretion.name($0) }.sorted().map { .string($0) }),
      "commands": .array(allowed.sorted().map { .string($0) }),
      "metricsSeconds": .int(settings.metricsSeconds), "keepAliveSeconds": .int(settings.keepAliveSeconds),
      "certificateExpires": certificateExpires.map { .string($0.description) },
    ])
  }

  /// Sends what is due, as long as the connection takes it.
  func send(_ now: LimitClock.Instant) {
    for item in replies.expire(now) + events.expire(now) { forgetAudit(item) }
    guard link == .connected, retryDue == nil, let session else { return }
    do {
      try sendTopics(now, session)
      try sendQueues(now, session)
    } catch {
      // Acknowledgements make room, and an end is told as an event.
      retryDue = now + .seconds(1)
    }
  }

  private func sendTopics(_ now: LimitClock.Instant, _ session: Int) throws(MQTTRefusal) {
    let due = board.due(now)
    // Whoever reads a state wants to know first whose it is.
    for topic in due.filter({ $0 == "status" }) + due.filter({ $0 != "status" }) {
      var payload: [UInt8] = []
      if let body = board[topic] {
        guard let bytes = Payload.bytes(body, time: clocks.now(), session: session) else {
          logger.error("\(topic) would have more than 16 KiB, and is not told")
          board.told(topic, now: now)
          continue
        }
        payload = bytes
      }
      let token = try connection.publish(
        MQTTMessage(
          topics(topic), payload, qos: .atLeastOnce, isRetained: true, contentType: Payload.contentType))
      retainedTokens.insert(token)
      board.told(topic, now: now)
    }
  }

  private func sendQueues(_ now: LimitClock.Instant, _ session: Int) throws(MQTTRefusal) {
    while let item = replies.next(now) {
      guard let token = try publish(item, now, session) else {
        replies.remove(item.id)
        continue
      }
      replies.sent(item.id, as: token)
    }
    while let item = events.next(now) {
      guard let token = try publish(item, now, session) else {
        events.remove(item.id)
        forgetAudit(item)
        continue
      }
      events.sent(item.id, as: token)
    }
  }

  /// - Returns: the connection's number of the message; nil if it cannot be sent at all.
  private func publish(
    _ item: SendQueue.Item, _ now: LimitClock.Instant, _ session: Int
  ) throws(MQTTRefusal) -> UInt64? {
    guard let payload = Payload.bytes(item.body, time: item.time, session: session) else { return nil }
    let left = max(1, ((item.expires - now) / .seconds(1)).rounded(.down))
    return try connection.publish(
      MQTTMessage(
        topics(item.topic), payload, qos: .atLeastOnce, contentType: Payload.contentType,
        correlation: item.correlation, expirySeconds: UInt32(clamping: Int(left))))
  }

  /// The machine tells an event, unless the settings want none.
  func tell(_ type: String, _ body: [String: JSONValue]) {
    guard settings.sendsEvents else { return }
    let now = clocks.waits.now
    for item in events.add("event/\(type)", body, time: clocks.now(), expires: now + .seconds(3600)) {
      forgetAudit(item)
    }
  }

  /// Tells how many messages were left out while there was no connection.
  func tellDrops() {
    guard replies.dropped + events.dropped > toldDrops else { return }
    for item in events.makeRoom() { forgetAudit(item) }
    let dropped = replies.dropped + events.dropped
    tell("dropped", ["count": .int(dropped - toldDrops)])
    toldDrops = dropped
  }
}
