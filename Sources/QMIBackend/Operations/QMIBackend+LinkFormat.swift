import CQMI
import Glibc
import ModemModel

extension QMIBackend {
  /// Asks for the packets' format and makes it bare IP without aggregation (WDA Get and Set Data Format).
  ///
  /// Modems that do not know the question speak bare IP: the drivers of those expect nothing else.
  public func negotiateLinkFormat() async throws(ModemError) -> LinkFormat {
    let opened = try openDevice(for: "link format")
    if clients[.wda] == nil {
      do throws(ModemError) {
        _ = try await allocateClient(.wda, in: opened)
      } catch {
        guard error.code == .notSupported else { throw error }
        guard let id = configuration.muxID else { return .rawIP }
        throw .noSession(Int(id), during: "link format", "the modem has no service for the format of packets")
      }
    }
    let current = try await dataFormat("link format", QMIRequest(0x21), endpoint: 0x10)
    if let refusal = try current.refusal {
      return try rawIPWhereUnknown(refusal, during: current.name)
    }
    let format = try WireFormat(current)
    if configuration.muxID != nil { return try await negotiateMultiplexing(format) }
    if format.isPlainRawIP { return .rawIP }
    try requireFreedom()
    let wanted = QMIRequest(0x20).with(0x11, word: 2).with(0x12, word: 0).with(0x13, word: 0)
    let changed = try await dataFormat("set link format", wanted, endpoint: 0x17)
    if let refusal = try changed.refusal {
      guard refusal.isUnknownCommand, !format.isAggregated else { throw ModemError(refusal, during: changed.name) }
      return format.isRawIP ? .rawIP : .ethernet
    }
    let result = try WireFormat(changed)
    guard !result.isAggregated else {
      throw ModemError(.notSupported, "set link format: the modem insists on aggregated packets")
    }
    return result.isRawIP ? .rawIP : .ethernet
  }

  /// Sends a command about the data format, and once more with the USB interface's number where the modem wants to know it.
  func dataFormat(
    _ name: String, _ request: QMIRequest, endpoint: UInt8
  ) async throws(ModemError) -> QMIReply {
    let limit = configuration.limits.query
    let reply = try await send(name, request, to: .wda, within: limit)
    guard try reply.refusal == QMI_PROTOCOL_ERROR_MISSING_ARGUMENT, let number = usbInterfaceNumber() else {
      return reply
    }
    // Type 2 is USB.
    let field = UInt32(2).littleEndianBytes + UInt32(number).littleEndianBytes
    return try await send(name, request.with(endpoint, field), to: .wda, within: limit)
  }

  private func rawIPWhereUnknown(_ refusal: QmiProtocolError, during name: String) throws(ModemError) -> LinkFormat {
    guard refusal.isUnknownCommand else { throw ModemError(refusal, during: name) }
    guard let id = configuration.muxID else { return .rawIP }
    throw .noSession(Int(id), during: name, "QMI error \(refusal.rawValue)")
  }

  /// The number of the USB interface that carries the packets (sysfs-bus-usb, bInterfaceNumber).
  func usbInterfaceNumber() -> UInt8? {
    guard let interface = configuration.interface, !interface.isEmpty, !interface.contains("/"),
      !interface.hasPrefix(".")
    else { return nil }
    let file = Glibc.open("/sys/class/net/\(interface)/device/bInterfaceNumber", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { Glibc.close(file) }
    var buffer = [UInt8](repeating: 0, count: 8)
    let count = Glibc.read(file, &buffer, buffer.count)
    return count > 0 ? text(buffer.prefix(count)).flatMap { UInt8($0, radix: 16) } : nil
  }
}

/// How packets look on the wire (WDA Data Format).
struct WireFormat {
  let isRawIP: Bool
  let isAggregated: Bool
  /// Aggregated in both directions as QMAP, in one of its versions.
  let isMultiplexed: Bool

  init(_ reply: QMIReply) throws(ModemError) {
    func word(_ field: inout FieldReader) throws(FieldReader.Short) -> UInt32 { try field.u32() }
    // 1 is Ethernet, 2 bare IP; 0 is no aggregation.
    isRawIP = try reply.require(0x11, word) == 2
    let aggregations = [try reply.read(0x12, word), try reply.read(0x13, word)]
    isAggregated = aggregations.contains { ($0 ?? 0) != 0 }
    // QMAP 5, QMAPv4 8, QMAPv5 9.
    isMultiplexed = isRawIP && aggregations.allSatisfy { [5, 8, 9].contains($0) }
  }

  var isPlainRawIP: Bool { isRawIP && !isAggregated }
}

extension QmiProtocolError {
  var isUnknownCommand: Bool {
    [QMI_PROTOCOL_ERROR_NOT_SUPPORTED, QMI_PROTOCOL_ERROR_INVALID_QMI_COMMAND, QMI_PROTOCOL_ERROR_DEVICE_UNSUPPORTED]
      .contains(self)
  }
}
