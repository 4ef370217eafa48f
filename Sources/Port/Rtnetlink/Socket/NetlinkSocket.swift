/// Exchanges datagrams with the kernel's routing family.
package protocol NetlinkSocket: Sendable {
  /// The port id that the kernel chose for this socket.
  var port: UInt32 { get }

  /// Sends one datagram to the kernel. Throws `NetlinkError`.
  func send(_ datagram: [UInt8]) throws

  /// The next datagram from the kernel. Throws `NetlinkError`: `timeout` after `milliseconds` (nil
  /// waits for ever), `overrun` if datagrams were lost, `closed` after `close()`.
  func receive(within milliseconds: Int32?) throws -> [UInt8]

  /// Ends a waiting `receive` and all later calls. It may be called from any thread, and twice.
  func close()
}
