import CGLib

/// What a GLib function needs to announce that its `_finish` function may be called.
package struct GLibCompletion {
  /// To be passed as `GAsyncReadyCallback`.
  package let callback: GAsyncReadyCallback
  /// Pass it as the callback's `user_data`.
  package let data: gpointer
}

/// The place where a GLib function puts its error.
package typealias GErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>

extension GLibExecutor {
  /// Calls a pair of GLib functions, `x()` and `x_finish()`, as one asynchronous function.
  ///
  ///     let count = try await glib.call(within: .milliseconds(150)) { cancellable, done in
  ///       g_input_stream_skip_async(stream.pointer, 10, 0, cancellable, done.callback, done.data)
  ///     } finish: { (stream: UnsafeMutablePointer<GInputStream>, result, error) in
  ///       g_input_stream_skip_finish(stream, result, error)
  ///     }
  ///
  /// The caller must be on the GLib thread. Cancellation of the calling task, and the time limit,
  /// cancel the `GCancellable` on that thread; the call then ends when the library reports its end.
  /// - Parameters:
  ///   - queue: Makes the call wait for its turn; nil starts it at once.
  ///   - limit: How long the call may take, including the wait for its turn, to the millisecond;
  ///     nil leaves it to the library.
  ///   - begin: Starts the operation, on the caller's actor. The operation must call
  ///     `done.callback` once at its end.
  ///   - finish: Reads the result on the GLib thread. It gets the called object, the result, and
  ///     the place for an error. Nil or a set error means failure.
  /// - Throws: `cancelled`, `deadline` or `abandoned` if one of them ended the call, else the
  ///   library's error.
  package func call<Source: CPointer, Value>(
    isolation: isolated (any Actor)? = #isolation, in queue: GLibCallQueue? = nil, within limit: Duration? = nil,
    begin: (_ cancellable: UnsafeMutablePointer<GCancellable>, _ done: GLibCompletion) -> Void,
    finish: @escaping @Sendable (_ source: Source, _ result: OpaquePointer, _ error: GErrorPlace) -> Value?
  ) async throws(GLibBridgeError) -> Value {
    let limit = try await queue?.enter(within: limit) ?? limit
    defer { queue?.leave() }
    let outcome = CallOutcome<Value>()
    try await suspend(within: limit) { suspension in
      queue?.follow(suspension)
      let call = PendingCall(suspension) { source, result, error in
        outcome.value = finish(Source(raw: source), result, error)
        return outcome.value != nil
      }
      begin(call.cancellable, call.completion)
    }
    guard let value = outcome.value else { throw .noResult }
    return value
  }

  /// Like `call` with `finish`, for functions whose `_finish` returns a value that must be
  /// released.
  /// - Parameter release: Releases the value, on the GLib thread; `g_object_unref` for an object.
  package func call<Source: CPointer, Pointer: CPointer>(
    isolation: isolated (any Actor)? = #isolation, in queue: GLibCallQueue? = nil, within limit: Duration? = nil,
    begin: (_ cancellable: UnsafeMutablePointer<GCancellable>, _ done: GLibCompletion) -> Void,
    adopting finish: @escaping @Sendable (_ source: Source, _ result: OpaquePointer, _ error: GErrorPlace) -> Pointer?,
    release: @escaping @Sendable (Pointer) -> Void = { g_object_unref($0.raw) }
  ) async throws(GLibBridgeError) -> GLibReference<Pointer> {
    try await call(in: queue, within: limit, begin: begin) { (source: Source, result, error) in
      finish(source, result, error).map { GLibReference(adopting: $0, on: self, release: release) }
    }
  }

  /// Makes a library's object for the file of a device.
  ///
  /// - Parameters:
  ///   - path: the device's file, as in `/dev/cdc-wdm0`.
  ///   - limit: the time for it; nil is without limit.
  ///   - begin: starts the library's function for this `GFile`.
  ///   - finish: its `_finish`, whose object is adopted.
  ///   - failure: puts the library's error into the caller's words.
  package func object<Pointer: CPointer, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, for path: String, within limit: Duration?,
    begin: (_ file: OpaquePointer, _ cancellable: UnsafeMutablePointer<GCancellable>, _ done: GLibCompletion) -> Void,
    adopting finish: @escaping @Sendable (_ result: OpaquePointer, _ error: GErrorPlace) -> Pointer?,
    failing failure: (GLibBridgeError) -> Failure
  ) async throws(Failure) -> GLibReference<Pointer> {
    let file = GLibReference(adopting: g_file_new_for_path(path), on: self)
    do throws(GLibBridgeError) {
      return try await call(within: limit) { cancellable, done in
        begin(file.pointer, cancellable, done)
      } adopting: { (_: OpaquePointer, result, error) in
        finish(result, error)
      }
    } catch {
      throw failure(error)
    }
  }

  /// Like `call` with `finish`, for functions whose `_finish` returns a `gboolean`; false means
  /// failure.
  package func call<Source: CPointer>(
    isolation: isolated (any Actor)? = #isolation, in queue: GLibCallQueue? = nil, within limit: Duration? = nil,
    begin: (_ cancellable: UnsafeMutablePointer<GCancellable>, _ done: GLibCompletion) -> Void,
    succeeded: @escaping @Sendable (_ source: Source, _ result: OpaquePointer, _ error: GErrorPlace) -> gboolean
  ) async throws(GLibBridgeError) {
    try await call(in: queue, within: limit, begin: begin) { (source: Source, result, error) in
      succeeded(source, result, error) != 0 ? () : nil
    }
  }
}

/// What a call's `_finish` gave.
private final class CallOutcome<Value> {
  var value: Value?
}

extension GLibBridgeError {
  fileprivate static let noResult = GLibBridgeError(
    .library(domain: "", code: 0), "the library gave neither a result nor an error")
}

/// What is needed to end and to cancel a call. Confined to the GLib thread.
private final class PendingCall {
  /// Reads the result, and says whether there is one.
  typealias Finish = (_ source: UnsafeMutableRawPointer, _ result: OpaquePointer, _ error: GErrorPlace) -> Bool

  let cancellable: UnsafeMutablePointer<GCancellable> = g_cancellable_new()
  private let suspension: Suspension
  private let finish: Finish

  init(_ suspension: Suspension, _ finish: @escaping Finish) {
    self.suspension = suspension
    self.finish = finish
    // The pointer is valid: the suspension forgets this when it ends, and this call ends it.
    suspension.onStop { [cancellable] in g_cancellable_cancel(cancellable) }
  }

  deinit { g_object_unref(cancellable) }

  /// A callback for GLib that ends this call and keeps it alive until then.
  var completion: GLibCompletion {
    GLibCompletion(
      callback: { source, result, data in
        // Impossible: GIO gives each callback a result (GAsyncReadyCallback).
        guard let result else { preconditionFailure("a GLib operation ended without a result") }
        // Impossible: the data is this call, given below.
        Unmanaged<PendingCall>.fromOpaque(data!).takeRetainedValue().complete(source: source, result: result)
      }, data: Unmanaged.passRetained(self).toOpaque())
  }

  private func complete(source: UnsafeMutablePointer<GObject>?, result: OpaquePointer) {
    guard let source else {
      // Impossible: an operation keeps the object it was called on until it ends.
      preconditionFailure("a GLib operation ended without its object")
    }
    do throws(GLibBridgeError) {
      let isFinished = try checkingGError { finish(source.raw, result, $0) }
      suspension.end(isFinished ? nil : .noResult)
    } catch {
      suspension.end(error)
    }
  }
}
