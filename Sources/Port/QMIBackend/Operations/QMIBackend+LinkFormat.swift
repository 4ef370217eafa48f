import CQMI
import Glibc
import ModemModel

extension QMIBackend {
  /// Asks for the packets' format, and sets it to bare IP, without aggregation or with multiplexing
  /// ids as configured (WDA Get and Set Data Format).
  ///
  /// Modems that do not support the command use bare IP: their drivers expect nothing else.
  package func negotiateLinkFormat() async throws(ModemError) -> LinkFormat {
    let format = try await agreedFormat()
    multiplexing = if case .multiplexed(let multiplexing) = format { multiplexing } else { nil }
    return format
  }

  private func agreedFormat() async throws(ModemError) -> LinkFormat {
    let opened = try openDevice(for: "link format")
    if clients[.wda] == nil {
      do throws(ModemError) {
        _ = try await allocateClient(.wda, in: opened)
      } catch {
        guard error.code == .notSupported else { throw error }
        guard !mustMultiplex else {
          throw noMultiplexing(during: "link format", "the modem has no service for the format of packets")
        }
        return .rawIP
      }
    }
    let current = try await dataFormat("link format", QMIRequest(0x21), endpoint: 0x10)
    if let refusal = try current.refusal {
      guard refusal.isUnknownCommand else { throw ModemError(refusal, during: current.name) }
      guard !mustMultiplex else { throw noMultiplexing(during: current.name, "QMI error \(refusal.rawValue)") }
      return .rawIP
    }
    let format = try WireFormat(current)
    switch configuration.aggregation {
    case .whereInsisted: return try await plainFormat(insteadOf: format)
    case .always:
      if let agreed = try await multiplexedFormat(insteadOf: format) { return agreed }
      throw noMultiplexing(during: "set link format", "no multiplexing")
    case .preferred:
      if let agreed = try await multiplexedFormat(insteadOf: format) { return agreed }
      return try await plainFormat(insteadOf: format)
    }
  }

  private var mustMultiplex: Bool { configuration.muxID != nil && configuration.aggregation == .always }

  /// Bare IP without aggregation, or what the modem makes of that request.
  private func plainFormat(insteadOf format: WireFormat) async throws(ModemError) -> LinkFormat {
    if format.isPlainRawIP { return .rawIP }
    try requireFreedom()
    let wanted = QMIRequest(0x20).with(0x11, word: 2).with(0x12, word: 0).with(0x13, word: 0)
    let changed = try await dataFormat("set link format", wanted, endpoint: 0x17)
    if let refusal = try changed.refusal {
      if let agreed = multiplexed(format) { return agreed }
      guard refusal.isUnknownCommand, !format.isAggregated else { throw ModemError(refusal, during: changed.name) }
      return format.isRawIP ? .rawIP : .ethernet
    }
    let result = try WireFormat(changed)
    if let agreed = multiplexed(result) { return agreed }
    guard !result.isAggregated else {
      throw ModemError(
        .notSupported,
        result.versions == nil
          ? "set link format: the modem insists on aggregated packets of another kind than QMAP"
          : "set link format: the modem insists on packets with multiplexing ids (QMAP), and the kernel or driver has no links for them"
      )
    }
    return result.isRawIP ? .rawIP : .ethernet
  }

  /// Sends a command about the data format, and again with the data port's name if the modem
  /// requires it.
  func dataFormat(
    _ name: String, _ request: QMIRequest, endpoint: UInt8
  ) async throws(ModemError) -> QMIReply {
    let limit = configuration.limits.query
    let reply = try await send(name, request, to: .wda, within: limit)
    guard try reply.refusal == QMI_PROTOCOL_ERROR_MISSING_ARGUMENT, let known = knownEndpoint else { return reply }
    return try await send(name, request.with(endpoint, known.field), to: .wda, within: limit)
  }

  /// The data port's name in QMI, as far as it is known: from the configuration or the USB
  /// interface.
  var knownEndpoint: DataEndpoint? { configuration.endpoint ?? usbInterfaceNumber().map { .usb($0) } }

  /// The number of the USB interface that carries the packets (sysfs-bus-usb, bInterfaceNumber).
  private func usbInterfaceNumber() -> UInt8? {
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

/// The format of packets on the wire (WDA Data Format).
struct WireFormat {
  let isRawIP: Bool
  let isAggregated: Bool
  /// The versions of QMAP from and to the host; nil unless packets are aggregated with QMAP in both
  /// directions.
  let versions: (up: Multiplexing.Version, down: Multiplexing.Version)?
  /// The largest transfer from the modem in bytes; nil if it does not report it.
  let largestAggregate: Int?

  init(_ reply: QMIReply) throws(ModemError) {
    func word(_ field: inout FieldReader) throws(FieldReader.Short) -> UInt32 { try field.u32() }
    // 1 is Ethernet, 2 bare IP; 0 is no aggregation.
    isRawIP = try reply.require(0x11, word) == 2
    let (up, down) = (try reply.read(0x12, word) ?? 0, try reply.read(0x13, word) ?? 0)
    isAggregated = up != 0 || down != 0
    if isRawIP, let up = Multiplexing.Version(rawValue: up), let down = Multiplexing.Version(rawValue: down) {
      versions = (up, down)
    } else {
      versions = nil
    }
    largestAggregate = try reply.read(0x16, word).flatMap { $0 > 0 ? Int($0) : nil }
  }

  var isPlainRawIP: Bool { isRawIP && !isAggregated }
}

extension DataEndpoint {
  /// As a TLV has it.
  var field: [UInt8] { type.littleEndianBytes + interface.littleEndianBytes }
}

extension QmiProtocolError {
  var isUnknownCommand: Bool {
    [QMI_PROTOCOL_ERROR_NOT_SUPPORTED, QMI_PROTOCOL_ERROR_INVALID_QMI_COMMAND, QMI_PROTOCOL_ERROR_DEVICE_UNSUPPORTED]
      .contains(self)
  }
}
