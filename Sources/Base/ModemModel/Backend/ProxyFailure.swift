extension ModemError {
  /// A control port that could not be opened through mbim-proxy or qmi-proxy, and what to do about
  /// it. The proxies do not report why they hang up or stay silent.
  ///
  /// - Parameters:
  ///   - proxy: the proxy's name.
  ///   - device: path of the control port.
  ///   - what: what happened, as in `the proxy hung up`.
  ///   - isRoot: whether this process runs as root: the proxies refuse others.
  public static func notOpened(
    _ code: Code, through proxy: String, device: String, _ what: String, isRoot: Bool
  ) -> ModemError {
    ModemError(
      code, "open \(device) through \(proxy): \(what)",
      cause: isRoot
        ? "the process that serves as \(proxy) may not open the device, or the modem does not answer it; "
          + "`systemctl status modemd-\(proxy)` shows whether that is modemd's own: end another one, which may open only what its unit may"
        : "\(proxy) answers root only; run as root, or open the port directly")
  }
}
