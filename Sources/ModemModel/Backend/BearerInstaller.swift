/// Puts a bearer's settings into the kernel and takes them out again. Calls throw `ModemError` with code `networking`.
public protocol BearerInstaller: Sendable {
  /// Removes what an earlier run left on or for `interface`, so that a start after a crash finds nothing stale.
  func cleanUp(interface: String) async throws

  /// Tells the driver that packets are bare IP, where it can be told (`qmi/raw_ip` in sysfs). The interface must be down.
  func setRawIP(interface: String) async throws

  /// Sets link, addresses, routes and rules. Calling it again with new settings replaces the old ones.
  func install(_ settings: BearerSettings, on interface: String) async throws -> InstalledBearer

  /// Takes away all that `install` added.
  func remove(_ bearer: InstalledBearer) async throws

  /// Compares the kernel with what was installed; throws a sentence that says what is missing.
  func verify(_ bearer: InstalledBearer) async throws

  /// One sentence for each time that the kernel's part of the bearer is lost, as when its interface goes away.
  func losses(of bearer: InstalledBearer) -> AsyncStream<String>
}
