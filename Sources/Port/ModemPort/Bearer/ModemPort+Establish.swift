import ModemModel

/// How a bearer comes up: readiness, link format, attachment, the network's consent, addresses, the
/// kernel.
extension ModemPort {
  func establish(_ request: BearerRequest, for owner: BearerOwner? = nil) async throws -> InstalledBearer {
    await waitWhileOpening()
    let backend = try openBackend()
    guard let interface = configuration.interface else {
      throw ModemError(
        .networking, "no network interface belongs to \(configuration.device); start the port with --interface NAME")
    }
    try await requireReadiness(of: backend)
    guard !isForeign(to: owner) else { throw ModemError.keptWithAnotherSIM }
    take(.attaching)
    let format = try await backend.negotiateLinkFormat()
    try await dependencies.network.setLinkFormat(format, interface: interface)
    linkFormat = format
    try await backend.attach()
    take(.connecting)
    do {
      let settings = try await accepted(request, by: backend)
      take(.configuring)
      return try await install(settings, on: interface, from: backend)
    } catch {
      // This task may be cancelled, but the modem must still be told.
      await Task { await self.tellModem { try? await backend.disconnect() } }.value
      throw error
    }
  }

  /// Asks the network for one access point after the other, until it accepts one.
  private func accepted(_ request: BearerRequest, by backend: any ModemBackend) async throws -> BearerSettings {
    var provisioned: [AccessPoint] = []
    if request.apn == nil, request.user == nil {
      do {
        provisioned = try await backend.provisionedAccessPoints()
      } catch {
        logger.debug("the modem's own access points could not be read: \(error)")
      }
    }
    var attempts = ConnectAttempts(request, provisioned: provisioned)
    while true {
      take(.trying(attempts.request))
      do {
        return try await backend.connect(attempts.request)
      } catch let error as ModemError where error.code == .refused {
        try Task.checkCancellation()
        let home = state.sim.home
        let others = { [dependencies] in home.map { dependencies.accessPoints($0) } ?? [] }
        guard attempts.next(after: error.networkCause, others: others) else { throw error }
        let name = attempts.request.apn ?? "the network's default"
        logger.info(
          "\(error.networkCause?.description ?? error.message): trying \(name), \(attempts.request.ipType.rawValue)")
      }
    }
  }

  /// Puts the modem's settings into the kernel, after asking the link for what is missing.
  private func install(
    _ given: BearerSettings, on interface: String, from backend: any ModemBackend
  ) async throws -> InstalledBearer {
    var settings = given
    if !given.hasAddress {
      guard given.onLink != .nothing else {
        throw ModemError(
          .noAddress, "the network accepted the bearer and gave it no address; check the APN and IP type")
      }
      do {
        settings = try await dependencies.network.obtain(given, on: interface)
      } catch {
        // The modem may have got them in the meantime.
        guard let late = try? await backend.settings(), late.hasAddress else { throw error }
        settings = late
      }
    }
    return try await dependencies.network.install(settings, on: interface)
  }

  private func requireReadiness(of backend: any ModemBackend) async throws {
    try await requireSIM(of: backend, mayBeUnknown: true)
    if !state.registration.state.allowsData { await refreshRegistration(from: backend) }
    guard state.registration.state.allowsData || state.registration.state == .unknown else {
      let cause = state.registration.cause.map { ": \($0)" } ?? ""
      throw ModemError(
        .notRegistered, "the modem is not registered with a network (\(state.registration.state.rawValue)\(cause))",
        networkCause: state.registration.cause)
    }
  }
}
