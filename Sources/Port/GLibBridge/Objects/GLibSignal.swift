import CGLib

/// A Swift closure connected to a signal of a GObject. It stays connected until `disconnect()`,
/// until the object ends, or until the connection is dropped.
package final class GLibSignalConnection: Sendable {
  private let executor: GLibExecutor
  private let closure: SignalClosure
  /// Valid while the closure is connected. Not a reference: a connection does not keep its object
  /// alive.
  nonisolated(unsafe) private let instance: gpointer
  private let handler: gulong

  /// Connects `receive` to a signal. The caller must be on the GLib thread.
  /// - Parameters:
  ///   - signal: The signal's name, as in `device-removed`. The object's class must have it.
  ///   - object: The object that emits the signal.
  ///   - onEnd: Called once on the GLib thread when the connection ends for any reason.
  ///   - receive: Called on the GLib thread with the signal's arguments, without the object. An
  ///     actor on that thread may enter itself there with `assumeIsolated`.
  package init<Pointer>(
    _ signal: String, of object: GLibReference<Pointer>, onEnd: (@Sendable () -> Void)? = nil,
    receive: @escaping @Sendable (GLibSignalArguments) -> Void
  ) {
    executor = object.executor
    instance = object.pointer.raw
    closure = SignalClosure(receive: receive, onEnd: onEnd)
    handler = g_signal_connect_closure(instance, signal, closure.makeGClosure(), 0)
    // Impossible: signal names are constants, and tests connect to each.
    precondition(handler != 0, "the object has no signal \(signal)")
  }

  deinit { disconnect() }

  /// Ends the connection. A signal already on its way on the GLib thread may still arrive.
  package func disconnect() {
    let instance = Carried(instance)
    executor.invoke { [closure, handler] in
      if closure.isConnected { g_signal_handler_disconnect(instance.value, handler) }
    }
  }
}

extension GLibReference {
  /// A signal of this object as a stream for one reader. The caller must be on the GLib thread.
  ///
  /// The stream ends when the object ends; dropping the stream, or cancelling its reader,
  /// disconnects the signal.
  /// - Parameters:
  ///   - signal: The signal's name. The object's class must have it.
  ///   - policy: What to keep for a slow reader.
  ///   - element: Makes the stream's element from the signal's arguments, on the GLib thread; nil
  ///     skips the signal.
  package func signals<Element: Sendable>(
    _ signal: String, buffering policy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded,
    _ element: @escaping @Sendable (GLibSignalArguments) -> Element?
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    let connection = GLibSignalConnection(signal, of: self, onEnd: { continuation.finish() }) { arguments in
      if let element = element(arguments) { continuation.yield(element) }
    }
    continuation.onTermination = { _ in connection.disconnect() }
    return stream
  }
}

/// The arguments of one emission of a signal; valid during the emission.
package struct GLibSignalArguments {
  private let values: UnsafeBufferPointer<GValue>

  fileprivate init(_ values: UnsafeBufferPointer<GValue>) { self.values = values }

  /// The argument at `position`, from 0, as `g_value_get_boxed`, `g_value_get_uint` and the like
  /// expect it; nil if the signal has fewer.
  package func value(_ position: Int) -> UnsafePointer<GValue>? {
    values.indices.contains(position) ? values.baseAddress.map { $0 + position } : nil
  }

  /// The boxed value or the object at `position`; nil if it is NULL or something else.
  package func pointer(_ position: Int) -> UnsafeMutableRawPointer? {
    guard let value = value(position) else { return nil }
    return g_value_fits_pointer(value) != 0 ? g_value_peek_pointer(value) : nil
  }
}

/// The Swift side of a `GClosure`. The `GClosure` owns it and drops it when it is finalised.
private final class SignalClosure: @unchecked Sendable {  // `isConnected` is touched on the GLib thread only.
  private let receive: @Sendable (GLibSignalArguments) -> Void
  private let onEnd: (@Sendable () -> Void)?
  private(set) var isConnected = true

  init(receive: @escaping @Sendable (GLibSignalArguments) -> Void, onEnd: (@Sendable () -> Void)?) {
    self.receive = receive
    self.onEnd = onEnd
  }

  /// Makes a floating `GClosure` that calls `receive`, for any C signature of the signal.
  func makeGClosure() -> UnsafeMutablePointer<GClosure> {
    let data = Unmanaged.passRetained(self).toOpaque()
    let closure: UnsafeMutablePointer<GClosure> = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), data)
    g_closure_set_marshal(closure) { closure, _, count, values, _, _ in
      // Impossible: GLib calls a closure with itself.
      let target = Unmanaged<SignalClosure>.fromOpaque(closure!.pointee.data).takeUnretainedValue()
      let all = UnsafeBufferPointer(start: values, count: Int(count))
      target.receive(GLibSignalArguments(UnsafeBufferPointer(rebasing: all.dropFirst())))
    }
    g_closure_add_invalidate_notifier(closure, data) { data, _ in
      // Impossible: the data is this closure, given with the notifier.
      Unmanaged<SignalClosure>.fromOpaque(data!).takeUnretainedValue().end()
    }
    g_closure_add_finalize_notifier(closure, data) { data, _ in
      // Impossible: the data is this closure, given with the notifier.
      Unmanaged<SignalClosure>.fromOpaque(data!).release()
    }
    return closure
  }

  private func end() {
    isConnected = false
    onEnd?()
  }
}
