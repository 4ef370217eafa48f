extension ModemError {
  /// A control port that could not be opened through mbim-proxy or qmi-proxy, with what can be done about it. The proxies do not say why they
  /// hang up or stay silent.
  ///
  /// - Parameters:
  ///   - proxy: the proxy's name.
  ///   - device: path of the control port.
  ///   - what: what came of it, as in `the proxy hung up`.
  ///   - isRoot: whether this process is root's: the proxies turn others away.
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
