extension SimulatedModem {
  /// Sends bytes to the host unchanged, like faulty firmware. Without a control port, nothing
  /// happens.
  ///
  /// - Parameter bytes: in the port's protocol, or not.
  package func say(_ bytes: [UInt8]) { sendRaw(bytes) }
}
