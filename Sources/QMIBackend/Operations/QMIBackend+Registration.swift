import ModemModel

extension QMIBackend {
  public func registration() async throws(ModemError) -> Registration {
    let system = try await servingSystem()
    let rssi = try await signalStrength(for: system.technology)
    let registered = system.state.allowsData
    return Registration(
      state: system.state,
      // While it searches, a modem may still name the network it left.
      serving: registered ? system.network : nil, technology: registered ? system.technology : nil, rssi: rssi)
  }

  /// Asks where the modem is registered (NAS Get Serving System).
  func servingSystem() async throws(ModemError) -> ServingSystem {
    try ServingSystem(await ask("serving system", QMIRequest(0x24), to: .nas, within: configuration.limits.query))
  }

  /// Asks how well the modem hears the network (NAS Get Signal Info, or Get Signal Strength where it is not known): dBm.
  private func signalStrength(for technology: Registration.Technology?) async throws(ModemError) -> Int? {
    if let info = try await askIfKnown("signal info", QMIRequest(0x4f), to: .nas) {
      return try info.signalInfo(for: technology)
    }
    return try await askIfKnown("signal strength", QMIRequest(0x20), to: .nas)?.signalStrength()
  }
}
