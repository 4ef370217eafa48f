import CQMI
import ModemModel

/// A bearer whose packets carry a multiplexing id, alone or beside others on the same data port
/// (QMAP).
extension QMIBackend {
  /// Limits of an aggregate from the modem in bytes and in packets.
  private static let largestAggregate: UInt32 = 16384
  private static let mostPackets: UInt32 = 32

  /// Makes the data port aggregate packets with multiplexing ids (WDA Set Data Format), unless it
  /// already does.
  ///
  /// - Returns: nil if the modem does not support it, or no id is configured.
  /// - Throws: `ModemError`: `noSession` if it is required and the modem does not support it,
  ///   `busy` if it would break another program's bearer.
  func multiplexedFormat(insteadOf format: WireFormat) async throws(ModemError) -> LinkFormat? {
    guard configuration.muxID != nil else { return nil }
    if let agreed = multiplexed(format) { return agreed }
    try requireFreedom()
    let version = Multiplexing.Version.v1.rawValue
    let request = QMIRequest(0x20).with(0x11, word: 2).with(0x12, word: version).with(0x13, word: version)
      .with(0x15, word: Self.mostPackets).with(0x16, word: Self.largestAggregate)
    let reply = try await dataFormat("set link format", request, endpoint: 0x17)
    if let refusal = try reply.refusal {
      if configuration.aggregation == .preferred { return nil }
      guard refusal.isUnknownCommand || refusal == QMI_PROTOCOL_ERROR_INVALID_ARGUMENT else {
        throw ModemError(refusal, during: reply.name)
      }
      throw noMultiplexing(during: reply.name, "QMI error \(refusal.rawValue)")
    }
    hasSetMultiplexing = true
    return multiplexed(try WireFormat(reply))
  }

  func noMultiplexing(during name: String, _ refusal: String) -> ModemError {
    .noSession(Int(configuration.muxID ?? 0), during: name, refusal)
  }

  /// Restores the data port to bare IP packets, if this backend changed that and no other program
  /// relies on it. A program that connects later without multiplexing may not check the format.
  func restoreFormat(in opened: OpenDevice, within limit: Duration) async {
    guard hasSetMultiplexing, let client = clients[.wda], await configuration.mayRestoreFormat() else { return }
    hasSetMultiplexing = false
    let request = QMIRequest(0x20).with(0x11, word: 2).with(0x12, word: 0).with(0x13, word: 0)
    let reply = try? await send("set link format", request, as: client, to: opened, in: nil, within: limit)
    guard let refusal = try? reply?.refusal, refusal == QMI_PROTOCOL_ERROR_MISSING_ARGUMENT, let known = knownEndpoint
    else { return }
    _ = try? await send(
      "set link format", request.with(0x17, known.field), as: client, to: opened, in: nil, within: limit)
  }

  /// Tests whether a client can be bound to a multiplexing id (WDS Bind Mux Data Port), with a
  /// client that starts no session.
  ///
  /// - Returns: 1 if the modem does not support it, else the number of ids (1 to 254). Whether the
  ///   data port accepts the format shows when it is set.
  package func sessionLimit() async throws(ModemError) -> Int? {
    let opened = try openDevice(for: "sessions")
    let client = try await allocateClient(.wds, in: opened)
    do throws(ModemError) {
      let reply = try await send(
        "sessions", Self.bind(77, to: knownEndpoint), as: client, to: opened, in: commands,
        within: configuration.limits.query)
      abandon([DataSession(client: client, family: .ipv4, handle: nil)])
      guard let refusal = try reply.refusal else { return 254 }
      return refusal.isUnknownCommand ? 1 : nil
    } catch {
      abandon([DataSession(client: client, family: .ipv4, handle: nil)])
      throw error
    }
  }

  /// The meaning of a modem's format for the configured id; nil without an id, or if packets are
  /// not multiplexed.
  func multiplexed(_ format: WireFormat) -> LinkFormat? {
    guard let id = configuration.muxID, let versions = format.versions else { return nil }
    return .multiplexed(
      Multiplexing(
        id: Int(id), up: versions.up, down: versions.down,
        largestAggregate: format.largestAggregate ?? Int(Self.largestAggregate)))
  }

  /// A change of the format would stop the traffic of any program that uses the data port.
  func requireFreedom() throws(ModemError) {
    guard configuration.mayChangeFormat else {
      throw ModemError(
        .busy,
        "link format: ModemManager is connected in a format that leaves no room for another bearer; use its bearer "
          + "(`sharing` set to follow), or disconnect it")
    }
  }

  /// Tells a client the multiplexing id of its sessions (WDS Bind Mux Data Port), before it starts
  /// one.
  func bindDataPort(as client: QMIClient, in opened: OpenDevice) async throws(ModemError) {
    guard let id = multiplexing.flatMap({ UInt8(exactly: $0.id) }) else { return }
    let reply = try await send(
      "bind data port", Self.bind(id, to: knownEndpoint), as: client, to: opened, in: commands,
      within: configuration.limits.query)
    if let refusal = try reply.refusal, refusal.isUnknownCommand {
      throw noMultiplexing(during: reply.name, "QMI error \(refusal.rawValue)")
    }
    try reply.check()
  }

  /// If nothing is known about the data port, it is the chip's own.
  static func bind(_ id: UInt8, to endpoint: DataEndpoint?) -> QMIRequest {
    QMIRequest(0xa2).with(0x10, (endpoint ?? .embedded).field).with(0x11, byte: id)
  }
}
