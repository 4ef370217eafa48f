import CQMI
import ModemModel

/// A bearer whose packets carry a multiplexing id, beside others on the same data port or alone (QMAP).
extension QMIBackend {
  /// Bytes of an aggregate, and packets in it, that the host takes from the modem.
  private static let largestAggregate: UInt32 = 16384
  private static let mostPackets: UInt32 = 32

  /// Has the data port aggregate packets with multiplexing ids (WDA Set Data Format), unless it does.
  ///
  /// - Returns: nil where the modem has none of that, or no id is configured.
  /// - Throws: `ModemError`: `busy` where another program's bearer would break.
  func multiplexedFormat(insteadOf format: WireFormat) async throws(ModemError) -> LinkFormat? {
    guard configuration.muxID != nil else { return nil }
    if let agreed = multiplexed(format) { return agreed }
    try requireFreedom()
    let version = Multiplexing.Version.v1.rawValue
    let request = QMIRequest(0x20).with(0x11, word: 2).with(0x12, word: version).with(0x13, word: version)
      .with(0x15, word: Self.mostPackets).with(0x16, word: Self.largestAggregate)
    let reply = try await dataFormat("set link format", request, endpoint: 0x17)
    if let refusal = try reply.refusal {
      guard configuration.aggregation == .preferred else { throw ModemError(refusal, during: reply.name) }
      return nil
    }
    return multiplexed(try WireFormat(reply))
  }

  /// What a format of the modem's means for the configured id; nil where it has none, or packets are not multiplexed.
  func multiplexed(_ format: WireFormat) -> LinkFormat? {
    guard let id = configuration.muxID, let versions = format.versions else { return nil }
    return .multiplexed(
      Multiplexing(
        id: Int(id), up: versions.up, down: versions.down,
        largestAggregate: format.largestAggregate ?? Int(Self.largestAggregate)))
  }

  /// A change of the format would end the traffic of whoever uses the data port.
  func requireFreedom() throws(ModemError) {
    guard configuration.mayChangeFormat else {
      throw ModemError(
        .busy,
        "link format: ModemManager is connected in a format that leaves no room for another bearer; use its bearer "
          + "(`sharing` set to follow), or disconnect it")
    }
  }

  /// Tells a client which multiplexing id its sessions have (WDS Bind Mux Data Port), before it starts one.
  func bindDataPort(as client: QMIClient, in opened: OpenDevice) async throws(ModemError) {
    guard let id = multiplexing.flatMap({ UInt8(exactly: $0.id) }) else { return }
    let reply = try await send(
      "bind data port", Self.bind(id, to: knownEndpoint), as: client, to: opened, in: commands,
      within: configuration.limits.query)
    try reply.check()
  }

  /// Where nothing is known of the data port it is the chip's own.
  static func bind(_ id: UInt8, to endpoint: DataEndpoint?) -> QMIRequest {
    QMIRequest(0xa2).with(0x10, (endpoint ?? .embedded).field).with(0x11, byte: id)
  }
}
