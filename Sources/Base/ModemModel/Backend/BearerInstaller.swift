/// Puts a bearer's settings into the kernel and removes them again. Calls throw `ModemError` with
/// code `networking`.
public protocol BearerInstaller: Sendable {
  /// Removes what an earlier run left on or for `interface`, so that a start after a crash finds
  /// nothing stale.
  func cleanUp(interface: String) async throws

  /// Tells the driver that packets are bare IP, if it can be told (`qmi/raw_ip` in sysfs). The
  /// interface must be down.
  func setRawIP(interface: String) async throws

  /// Agrees with the driver on the format of packets, if it can be told: bare IP or Ethernet
  /// frames. The interface must be down. If packets are multiplexed, bearers installed from then on
  /// have their own links.
  func setLinkFormat(_ format: LinkFormat, interface: String) async throws

  /// Requests the addresses that the modem left to the link, by DHCP and router advertisements, and
  /// waits for the first of them. Meanwhile, nothing else may leave by the interface. Throws
  /// `noAddress` if none came in time.
  func obtain(_ settings: BearerSettings, on interface: String) async throws -> BearerSettings

  /// The settings of an installed bearer as the link continues to give them: a later family,
  /// renewed leases, new prefixes. Settings without an address end the bearer. The stream ends with
  /// the bearer.
  func changes(of bearer: InstalledBearer) async -> AsyncStream<BearerSettings>

  /// Why no packets may come back over the bearer, in one sentence; nil if nothing looks wrong.
  func diagnose(_ bearer: InstalledBearer, format: LinkFormat) async -> String?

  /// Sets link, addresses, routes and rules. Calling it again with new settings replaces the old
  /// ones.
  func install(_ settings: BearerSettings, on interface: String) async throws -> InstalledBearer

  /// Removes everything that `install` added.
  func remove(_ bearer: InstalledBearer) async throws

  /// Compares the kernel with what was installed; throws an error that names what is missing.
  func verify(_ bearer: InstalledBearer) async throws

  /// Yields one sentence each time that the kernel's part of the bearer is lost, as when its
  /// interface vanishes.
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
