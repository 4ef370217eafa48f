extension SimulatedModem {
  /// Sends bytes to the host as they are, as firmware that has gone wrong does. Without a control
  /// port nothing happens.
  ///
  /// - Parameter bytes: in the port's protocol, or not.
  public func say(_ bytes: [UInt8]) { sendRaw(bytes) }
}
