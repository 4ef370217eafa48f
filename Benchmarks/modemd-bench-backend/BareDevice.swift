import CGLib

/// What kept the library from answering.
struct BareError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A modem through its library and nothing else. It is for one thread.
protocol BareDevice {
  /// Asks what a query of the backend asks, in as many messages, and reads the answers.
  func query() throws(BareError)
  func close()
}

/// A call of a library: the default main context is turned until its callback comes.
enum BareCall {
  private final class Completion { var result: OpaquePointer? }

  static func wait<Value>(
    _ begin: (GAsyncReadyCallback, gpointer) -> Void,
    _ finish: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value?
  ) throws(BareError) -> Value {
    let completion = Completion()
    begin(
      { _, result, data in
        guard let result, let data else { return }
        g_object_ref(UnsafeMutableRawPointer(result))
        Unmanaged<Completion>.fromOpaque(data).takeUnretainedValue().result = result
      }, Unmanaged.passUnretained(completion).toOpaque())
    while completion.result == nil { g_main_context_iteration(nil, 1) }
    guard let result = completion.result else { throw BareError("no result") }
    defer { g_object_unref(UnsafeMutableRawPointer(result)) }
    var error: UnsafeMutablePointer<GError>?
    guard let value = finish(result, &error) else {
      defer { g_clear_error(&error) }
      throw BareError(error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "no message")
    }
    return value
  }
}
