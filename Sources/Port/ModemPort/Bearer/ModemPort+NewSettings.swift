import ModemModel
import NetworkAddress

/// What changes about a bearer that is up: its settings, and what is known of its traffic.
extension ModemPort {
  /// Asks the modem for the settings, and applies what is new of them without an end in between.
  func applyNewSettings(from backend: any ModemBackend) async {
    guard case .up(let old, _) = bearer, let given = try? await backend.settings() else { return }
    await apply(given.completed(from: old.settings), to: old)
  }

  /// Applies what the link gave: a later family, a renewed lease, another prefix.
  func take(_ found: BearerSettings, for installed: InstalledBearer) async {
    guard found.hasAddress else {
      guard case .up(installed, _) = bearer else { return }
      return await endBearer(because: NetworkCause(code: nil, text: "the network did not renew the bearer's address"))
    }
    await apply(found, to: installed)
  }

  private func apply(_ settings: BearerSettings, to old: InstalledBearer) async {
    guard settings.hasAddress, settings != old.settings, case .up(old, let watch) = bearer else { return }
    do {
      let installed = try await surroundings.network.install(settings, on: old.interface)
      guard case .up(old, _) = bearer else {
        try? await surroundings.network.remove(installed)
        return
      }
      bearer = .up(installed, watch: self.watch(installed))
      show(.up(installed))
      surroundings.logger.info("the bearer on \(installed.interface) has new settings")
      // Last: this very task may be the watch.
      watch.cancel()
    } catch {
      await endBearer(because: NetworkCause(code: nil, text: "new settings could not be applied: \(error)"))
    }
  }

  /// Asks the modem from time to time whether the bearer is still up, until it is not.
  func patrol(_ installed: InstalledBearer) async {
    guard let interval = configuration.patrolInterval else { return }
    while (try? await surroundings.pause(interval)) != nil {
      guard case .up(installed, _) = bearer, case .open(let backend) = controlPort else { return }
      do {
        _ = try await backend.settings()
      } catch let error as ModemError where error.code == .notConnected {
        guard case .up(installed, _) = bearer else { return }
        await endBearer(because: NetworkCause(code: nil, text: "the modem lost the bearer without a word"))
      } catch {
        // A modem that was reset, or does not answer, says so elsewhere.
        surroundings.logger.debug("the bearer could not be looked at: \(error)")
      }
    }
  }

  /// Notes whether packets came back over a bearer, as the network side found.
  ///
  /// - Parameters:
  ///   - isAnswered: whether a DNS server of the bearer answered.
  ///   - interfaceIndex: of the bearer that was probed; another one's result is not this one's.
  /// - Returns: the bearer with what is known now.
  public func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async -> BearerStatus {
    guard case .up(let installed, _) = bearer, installed.interfaceIndex == interfaceIndex else { return state.bearer }
    var traffic = BearerStatus.Traffic.answered
    if !isAnswered {
      let reason =
        await surroundings.network.diagnose(installed, format: linkFormat)
        ?? "no DNS server of the bearer answers; is the subscription allowed this access point?"
      surroundings.logger.warning("the bearer is up and nothing comes back over it: \(reason)")
      traffic = .silent(reason)
    }
    if case .up(installed, _) = bearer { state.bearer.traffic = traffic }
    return state.bearer
  }
}

extension BearerSettings {
  /// What the modem gave, with what the link gave to the bearer that is up.
  fileprivate func completed(from old: BearerSettings) -> BearerSettings {
    guard onLink != .nothing, onLink == old.onLink else { return self }
    var settings = self
    if onLink.usesDHCP { settings.ipv4 = settings.ipv4 ?? old.ipv4 }
    if onLink.usesAdvertisements { settings.ipv6 = settings.ipv6 ?? old.ipv6 }
    settings.dns += old.dns.filter { !settings.dns.contains($0) }
    settings.mtu = settings.mtu ?? old.mtu
    return settings
  }
}
