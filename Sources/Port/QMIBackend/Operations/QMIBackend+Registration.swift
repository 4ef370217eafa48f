import ModemModel

extension QMIBackend {
  package func registration() async throws(ModemError) -> Registration {
    let system = try await servingSystem()
    let signal = try await signal(for: system.technology)
    let registered = system.state.allowsData
    return Registration(
      state: system.state,
      // While it searches, a modem may still report the network that it left.
      serving: registered ? system.network : nil, technology: registered ? system.technology : nil,
      rssi: signal.rssi, referenceSignal: signal.cell, cause: system.state == .denied ? try await denialCause() : nil)
  }

  /// Asks why the network denied registration (NAS Get System Info); nil if the modem does not
  /// report it.
  private func denialCause() async throws(ModemError) -> NetworkCause? {
    guard let info = try await askIfKnown("system info", QMIRequest(0x4d), to: .nas) else { return nil }
    // 5G, LTE, UMTS and GSM, which begin in the same way.
    for type: UInt8 in [0x4b, 0x19, 0x18, 0x17] {
      let cause = try info.read(type) { field throws(FieldReader.Short) in
        _ = try field.bytes(16)  // Domain, capability, roaming, forbidden, area and cell.
        let isValid = try field.u8() != 0
        _ = try field.u8()
        return (isValid: isValid, number: Int(try field.u8()))
      }
      if let cause, cause.isValid, cause.number != 0 { return .registration(cause.number) }
    }
    return nil
  }

  /// Asks where the modem is registered (NAS Get Serving System).
  func servingSystem() async throws(ModemError) -> ServingSystem {
    try ServingSystem(await ask("serving system", QMIRequest(0x24), to: .nas, within: configuration.limits.query))
  }

  /// Asks for the signal strength in dBm and the cell's reference signal (NAS Get Signal Info, or
  /// Get Signal Strength if that is not supported; firmware that old hardly knows LTE).
  private func signal(
    for technology: Registration.Technology?
  ) async throws(ModemError) -> (rssi: Int?, cell: ReferenceSignal) {
    if let info = try await askIfKnown("signal info", QMIRequest(0x4f), to: .nas) {
      return (try info.signalInfo(for: technology), info.referenceSignal(for: technology))
    }
    return (try await askIfKnown("signal strength", QMIRequest(0x20), to: .nas)?.signalStrength(), .none)
  }
}
