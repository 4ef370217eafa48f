import ModemModel

extension ModemError {
  /// Why a modem is left alone, and what to do.
  package static func leftAlone(after ends: Int, within limit: EndRecord.Limit, device: String) -> ModemError {
    ModemError(
      .deviceUnavailable,
      "the process that serves \(device) ended \(ends) times within \(limit.time.components.seconds / 60) minutes, so the modem is left alone",
      cause:
        "a message from the modem may cause that; look at `journalctl -u 'modemd-port@*'`, then replug the modem or run `systemctl restart 'modemd-port@*'`"
    )
  }
}
