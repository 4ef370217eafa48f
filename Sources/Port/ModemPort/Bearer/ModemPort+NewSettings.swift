import JournalLog
import LimitClock
import ModemModel
import NetworkAddress

/// Changes of a bearer that is up: its settings, and what is known about its traffic.
extension ModemPort {
  /// Asks the modem for the settings, and applies the changes without taking the bearer down.
  func applyNewSettings(from backend: any ModemBackend) async {
    guard case .up(let old) = bearer.phase, let given = try? await backend.settings() else { return }
    await apply(given.completed(from: old.settings), to: old)
  }

  /// Applies what the link gave: a later family, a renewed lease, another prefix.
  func take(_ found: BearerSettings, for installed: InstalledBearer) async {
    guard found.hasAddress else {
      return await lose(installed, because: "the network did not renew the bearer's address")
    }
    await apply(found, to: installed)
  }

  private func apply(_ settings: BearerSettings, to old: InstalledBearer) async {
    guard settings.hasAddress, settings != old.settings, bearer.phase == .up(old) else { return }
    do {
      let installed = try await dependencies.network.install(settings, on: old.interface)
      guard bearer.phase == .up(old) else {
        try? await dependencies.network.remove(installed)
        return
      }
      take(.renewed(old, installed))
    } catch {
      await endBearer(because: NetworkCause(code: nil, text: "the new settings could not be applied: \(error)"))
    }
  }

  /// Asks the modem at intervals whether the bearer is still up, until it is not.
  func patrol(_ installed: InstalledBearer) async {
    guard let interval = configuration.patrolInterval else { return }
    while (try? await dependencies.clock.pause(for: interval)) != nil {
      guard bearer.phase == .up(installed), case .open(let backend) = controlPort else { return }
      do {
        _ = try await backend.settings()
      } catch let error as ModemError where error.code == .notConnected {
        await lose(installed, because: "the modem lost the bearer without notice")
      } catch {
        // A modem that was reset or does not answer is reported elsewhere.
        logger.debug("the bearer could not be checked: \(error)")
      }
    }
  }

  /// Records whether packets came back over a bearer, as the network side found.
  ///
  /// - Parameters:
  ///   - isAnswered: whether a DNS server of the bearer answered.
  ///   - interfaceIndex: that of the probed bearer; the result of another bearer is ignored.
  /// - Returns: the bearer with its present state.
  package func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async -> BearerStatus {
    guard case .up(let installed) = bearer.phase, installed.interfaceIndex == interfaceIndex else {
      return state.bearer
    }
    var traffic = BearerStatus.Traffic.answered
    if !isAnswered {
      let reason =
        await dependencies.network.diagnose(installed, format: linkFormat)
        ?? "no DNS server of the bearer answers; does the subscription allow this access point?"
      traffic = .silent(reason)
      if state.bearer.traffic != traffic {
        logger.event(
          .trafficSilent, level: .warning, "the bearer is up, but nothing comes back over it: \(reason)",
          metadata: ["bearer": "\(installed.interface)"])
      }
    }
    take(.probed(installed, traffic))
    return state.bearer
  }
}

extension BearerSettings {
  /// The modem's settings, completed with those that the link gave to the present bearer.
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
