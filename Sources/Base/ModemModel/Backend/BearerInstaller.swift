/// Puts a bearer's settings into the kernel and takes them out again. Calls throw `ModemError` with code `networking`.
public protocol BearerInstaller: Sendable {
  /// Removes what an earlier run left on or for `interface`, so that a start after a crash finds nothing stale.
  func cleanUp(interface: String) async throws

  /// Tells the driver that packets are bare IP, where it can be told (`qmi/raw_ip` in sysfs). The interface must be down.
  func setRawIP(interface: String) async throws

  /// Agrees with the driver on the format of packets, where it can be told: bare IP or Ethernet frames. The interface must be
  /// down. Bearers that are installed from then on have links of their own where packets are multiplexed.
  func setLinkFormat(_ format: LinkFormat, interface: String) async throws

  /// Asks on the link for the addresses that the modem left to it, by DHCP and router advertisements, and waits for the
  /// first of them. Nothing but that may leave by the interface meanwhile. Throws `noAddress` where none came in time.
  func obtain(_ settings: BearerSettings, on interface: String) async throws -> BearerSettings

  /// The settings of an installed bearer as the link goes on to give them: a later family, renewed leases, new prefixes. Without an
  /// address they end it. The stream ends with the bearer.
  func changes(of bearer: InstalledBearer) async -> AsyncStream<BearerSettings>

  /// Why no packet may come back over the bearer, in one sentence; nil where nothing looks wrong.
  func diagnose(_ bearer: InstalledBearer, format: LinkFormat) async -> String?

  /// Sets link, addresses, routes and rules. Calling it again with new settings replaces the old ones.
  func install(_ settings: BearerSettings, on interface: String) async throws -> InstalledBearer

  /// Takes away all that `install` added.
  func remove(_ bearer: InstalledBearer) async throws

  /// Compares the kernel with what was installed; throws a sentence that says what is missing.
  func verify(_ bearer: InstalledBearer) async throws

  /// One sentence for each time that the kernel's part of the bearer is lost, as when its interface goes away.
  func losses(of bearer: InstalledBearer) -> AsyncStream<String>
}

extension BearerInstaller {
  public func setLinkFormat(_ format: LinkFormat, interface: String) async throws {
    if format != .ethernet { try await setRawIP(interface: interface) }
  }

  public func obtain(_ settings: BearerSettings, on interface: String) async throws -> BearerSettings {
    throw ModemError(.noAddress, "the network accepted the bearer and gave it no address; check the APN and IP type")
  }

  public func changes(of bearer: InstalledBearer) async -> AsyncStream<BearerSettings> { AsyncStream { $0.finish() } }

  public func diagnose(_ bearer: InstalledBearer, format: LinkFormat) async -> String? { nil }
}
