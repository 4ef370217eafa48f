import CGLib
import GLibBridge

/// A connection to a message bus. Only for the GLib thread that made it.
final class BusConnection {
  /// A signal that arrived.
  struct Signal: Sendable {
    let path: String
    let interface: String
    let member: String
    let arguments: [DBusValue]
  }

  private let connection: GLibReference<OpaquePointer>
  private let glib: GLibExecutor
  private var closed: GLibSignalConnection?
  private var subscriptions: [guint] = []

  private init(_ connection: GLibReference<OpaquePointer>, _ glib: GLibExecutor) {
    self.connection = connection
    self.glib = glib
  }

  /// Connects, and says hello.
  ///
  /// - Parameters:
  ///   - address: as in `unix:path=/run/dbus/system_bus_socket`; nil for the system bus, which
  ///     DBUS_SYSTEM_BUS_ADDRESS can set.
  ///   - onClose: called on the GLib thread after the bus has closed the connection.
  static func open(
    isolation: isolated (any Actor)? = #isolation, _ address: String?, on glib: GLibExecutor, within limit: Duration,
    onClose: @escaping @Sendable () -> Void
  ) async throws(GLibBridgeError) -> BusConnection {
    let named: String
    if let address { named = address } else { named = try systemAddress() }
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    let reference = try await glib.call(within: limit) { cancellable, done in
      g_dbus_connection_new_for_address(named, flags, nil, cancellable, done.callback, done.data)
    } adopting: { (_: OpaquePointer, result, error) in
      g_dbus_connection_new_for_address_finish(result, error)
    }
    let connection = BusConnection(reference, glib)
    connection.closed = GLibSignalConnection("closed", of: reference) { _ in onClose() }
    return connection
  }

  private static func systemAddress() throws(GLibBridgeError) -> String {
    guard let address = try checkingGError({ g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, nil, $0) }) else {
      throw GLibBridgeError(.library(domain: "", code: 0), "there is no system bus")
    }
    defer { g_free(address) }
    return String(cString: address)
  }

  /// Calls a method and returns the values of its answer.
  func call(
    isolation: isolated (any Actor)? = #isolation, _ destination: String, _ path: String, _ interface: String,
    _ method: String, _ arguments: [DBusArgument] = [], within limit: Duration
  ) async throws(GLibBridgeError) -> [DBusValue] {
    let reply = try await glib.call(within: limit) { cancellable, done in
      g_dbus_connection_call(
        connection.pointer, destination, path, interface, method, arguments.makeGVariant(), nil,
        G_DBUS_CALL_FLAGS_NO_AUTO_START, Int32.max, cancellable, done.callback, done.data)
    } adopting: { (connection: OpaquePointer, result, error) in
      g_dbus_connection_call_finish(connection, result, error)
    } release: {
      g_variant_unref($0)
    }
    return DBusValue(copying: reply.pointer).fields ?? []
  }

  /// Subscribes to signals. `receive` is called on the GLib thread until `close`.
  func subscribe(
    sender: String, interface: String, member: String? = nil, path: String? = nil, argument: String? = nil,
    receive: @escaping @Sendable (Signal) -> Void
  ) {
    subscriptions.append(
      g_dbus_connection_signal_subscribe(
        connection.pointer, sender, interface, member, path, argument, G_DBUS_SIGNAL_FLAGS_NONE,
        { _, _, path, interface, member, arguments, data in
          guard let path, let interface, let member, let arguments else { return }
          // Impossible: the data is the receiver, given below.
          Unmanaged<Receiver>.fromOpaque(data!).takeUnretainedValue().receive(
            Signal(
              path: String(cString: path), interface: String(cString: interface), member: String(cString: member),
              arguments: DBusValue(copying: arguments).fields ?? []))
          // Impossible: the data is the receiver.
        }, Unmanaged.passRetained(Receiver(receive)).toOpaque(), { Unmanaged<Receiver>.fromOpaque($0!).release() }))
  }

  /// Ends the connection. Other programs then undo what they did for its lifetime.
  func close() {
    closed?.disconnect()
    closed = nil
    for subscription in subscriptions { g_dbus_connection_signal_unsubscribe(connection.pointer, subscription) }
    subscriptions = []
    g_dbus_connection_close(connection.pointer, nil, nil, nil)
  }

  private final class Receiver {
    let receive: @Sendable (Signal) -> Void
    init(_ receive: @escaping @Sendable (Signal) -> Void) { self.receive = receive }
  }
}
