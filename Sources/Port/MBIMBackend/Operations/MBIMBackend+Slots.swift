import CMBIM
import GLibBridge
import ModemModel
import ReplyCheck

/// The modem's slots through Microsoft's extensions of the basic service, if the modem lists them.
/// There, slots count from 0.
extension MBIMBackend {
  private enum Command {
    static let systemCapabilities = MBIMFrame.Subject(.extensions, 5)
    static let slotMappings = MBIMFrame.Subject(.extensions, 7)
    static let slotInformation = MBIMFrame.Subject(.extensions, 8)
  }

  package func slots() async throws(ModemError) -> SIMSlots {
    let count = try await slotCount()
    let active = try await slotMappings().first.map(Int.init)
    var slots: [SIMSlot] = []
    for index in 0..<count { slots.append(try await slot(index, isActive: index == active)) }
    return SIMSlots(slots, canSwitch: count > 1)
  }

  package func switchSlot(to slot: Int) async throws(ModemError) {
    let count = try await slotCount()
    guard (1...count).contains(slot) else {
      throw ModemError(.noSuchSlot, "switch slot: the modem has \(count) slot\(count == 1 ? "" : "s"), counted from 1")
    }
    // This backend talks to the first executor. Another executor that has the slot gets the old one
    // in exchange.
    var mappings = try await slotMappings()
    let new = UInt32(slot - 1)
    guard let old = mappings.first else {
      throw ModemError(.badReply, "switch slot: the modem maps no slot")
    }
    guard old != new else { return }
    mappings = mappings.map { $0 == new ? old : $0 }
    mappings[0] = new
    try await setSlotMappings(mappings)
  }

  /// The slot in use, from 1; nil if the modem does not report it, or has only one.
  func activeSlot() async throws(ModemError) -> Int? {
    guard try await knowsSlots() else { return nil }
    let reply = try await send("slot mappings", within: configuration.limits.query) { _, error in
      mbim_message_ms_basic_connect_extensions_device_slot_mappings_query_new(error)
    }
    guard reply.status == MBIM_STATUS_ERROR_NONE else { return nil }
    return try reply.slotMappings().first.map { Int($0) + 1 }
  }

  private func knowsSlots() async throws(ModemError) -> Bool {
    try await lists(Command.systemCapabilities, Command.slotMappings, Command.slotInformation)
  }

  /// Asks how many slots there are (MBIM_CID_MS_SYS_CAPS).
  private func slotCount() async throws(ModemError) -> Int {
    guard try await knowsSlots() else { throw ModemError(.notSupported, "slots: this modem does not report its slots") }
    let reply = try await ask("system capabilities", within: configuration.limits.query) { _, error in
      mbim_message_ms_basic_connect_extensions_sys_caps_query_new(error)
    }
    var count: UInt32 = 0
    try reply.read {
      mbim_message_ms_basic_connect_extensions_sys_caps_response_parse($0, nil, &count, nil, nil, $1)
    }
    // A question for each follows.
    guard (1...16).contains(count) else { throw ModemError(.badReply, "slots: the modem has \(count) slots") }
    return Int(count)
  }

  /// Asks which slot each executor has (MBIM_CID_MS_DEVICE_SLOT_MAPPINGS).
  private func slotMappings() async throws(ModemError) -> [UInt32] {
    let reply = try await ask("slot mappings", within: configuration.limits.query) { _, error in
      mbim_message_ms_basic_connect_extensions_device_slot_mappings_query_new(error)
    }
    return try reply.slotMappings()
  }

  private func setSlotMappings(_ mappings: [UInt32]) async throws(ModemError) {
    _ = try await ask("switch slot", within: configuration.limits.pin) { _, error in
      let slots = mappings.map { MbimSlot(slot: $0) }
      return withPointers(to: slots) { pointers in
        mbim_message_ms_basic_connect_extensions_device_slot_mappings_set_new(guint32(mappings.count), pointers, error)
      }
    }
  }

  /// Asks for one slot (MBIM_CID_MS_SLOT_INFO_STATUS).
  private func slot(_ index: Int, isActive: Bool) async throws(ModemError) -> SIMSlot {
    let reply = try await ask("slot information", within: configuration.limits.query) { _, error in
      mbim_message_ms_basic_connect_extensions_slot_info_status_query_new(guint32(index), error)
    }
    var state = MBIM_UICC_SLOT_STATE_UNKNOWN
    try reply.read {
      mbim_message_ms_basic_connect_extensions_slot_info_status_response_parse($0, nil, &state, $1)
    }
    return SIMSlot(number: index + 1, isActive: isActive, card: SIMSlot.Card(state), isESIM: state.isESIM)
  }
}

/// Calls `body` with a list of pointers to the elements, ended by NULL.
private func withPointers<Result>(
  to slots: [MbimSlot], _ body: (UnsafePointer<UnsafePointer<MbimSlot>?>?) -> Result
) -> Result {
  slots.withUnsafeBufferPointer { slots in
    let pointers: [UnsafePointer<MbimSlot>?] = slots.indices.map { slots.baseAddress?.advanced(by: $0) } + [nil]
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}

extension MBIMReply {
  /// The slot of each executor.
  fileprivate func slotMappings() throws(ModemError) -> [UInt32] {
    var count: UInt32 = 0
    var slots: UnsafeMutablePointer<UnsafeMutablePointer<MbimSlot>?>?
    try read { mbim_message_ms_basic_connect_extensions_device_slot_mappings_response_parse($0, &count, &slots, $1) }
    defer { mbim_slot_array_free(slots) }
    return (0..<Int(count)).compactMap { slots?[$0]?.pointee.slot }
  }
}

extension SIMSlot.Card {
  init(_ state: MbimUiccSlotState) {
    switch state {
    case MBIM_UICC_SLOT_SATE_OFF_EMPTY, MBIM_UICC_SLOT_STATE_EMPTY: self = .absent
    case MBIM_UICC_SLOT_STATE_OFF, MBIM_UICC_SLOT_STATE_NOT_READY, MBIM_UICC_SLOT_STATE_ACTIVE,
      MBIM_UICC_SLOT_STATE_ACTIVE_ESIM, MBIM_UICC_SLOT_STATE_ACTIVE_ESIM_NO_PROFILES:
      self = .present
    case MBIM_UICC_SLOT_STATE_ERROR: self = .failed
    default: self = .unknown
    }
  }
}

extension MbimUiccSlotState {
  /// Nil in states that do not show it.
  fileprivate var isESIM: Bool? {
    switch self {
    case MBIM_UICC_SLOT_STATE_ACTIVE_ESIM, MBIM_UICC_SLOT_STATE_ACTIVE_ESIM_NO_PROFILES: true
    case MBIM_UICC_SLOT_STATE_ACTIVE: false
    default: nil
    }
  }
}
