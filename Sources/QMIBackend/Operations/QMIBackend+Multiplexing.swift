import ModemModel

/// A bearer beside others on the same data port: packets carry a multiplexing id (QMAP).
extension QMIBackend {
  /// Bytes of an aggregate, and packets in it, that the host takes from the modem.
  private static let largestAggregate: UInt32 = 16384
  private static let mostPackets: UInt32 = 32
  private static let qmap: UInt32 = 5

  /// Has the data port aggregate packets with multiplexing ids (WDA Set Data Format), unless it does.
  ///
  /// - Throws: `ModemError`: `notSupported` where the modem does not, `busy` where another program's bearer would break.
  func negotiateMultiplexing(_ format: WireFormat) async throws(ModemError) -> LinkFormat {
    if format.isMultiplexed { return .rawIP }
    try requireFreedom()
    let request = QMIRequest(0x20).with(0x11, word: 2).with(0x12, word: Self.qmap).with(0x13, word: Self.qmap)
      .with(0x15, word: Self.mostPackets).with(0x16, word: Self.largestAggregate)
    let reply = try await dataFormat("set link format", request, endpoint: 0x17)
    if let refusal = try reply.refusal { throw ModemError(refusal, during: reply.name) }
    guard try WireFormat(reply).isMultiplexed else {
      throw ModemError(
        .notSupported, "set link format: the modem has no multiplexing; set `bearer.session` to 0")
    }
    return .rawIP
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
    guard let id = configuration.muxID else { return }
    let reply = try await send(
      "bind data port", Self.bind(id, usbInterface: usbInterfaceNumber()), as: client, to: opened, in: commands,
      within: configuration.limits.query)
    try reply.check()
  }

  /// Endpoint type 2 is USB, with its interface; without one it is the SoC's own data port, type 4 (embedded), number 1.
  static func bind(_ id: UInt8, usbInterface: UInt8?) -> QMIRequest {
    let endpoint = usbInterface.map { (UInt32(2), UInt32($0)) } ?? (4, 1)
    return QMIRequest(0xa2)
      .with(0x10, endpoint.0.littleEndianBytes + endpoint.1.littleEndianBytes)
      .with(0x11, byte: id)
  }
}
