import CGLib
import GLibBridge
import Glibc

/// An actor on a GLib thread of its own, that runs what a test gives it.
actor Bench {
  nonisolated let glib: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }

  init(_ glib: GLibExecutor = GLibExecutor(name: "bench")) { self.glib = glib }

  func run<Value: Sendable>(_ body: @Sendable (isolated Bench) async throws -> Value) async rethrows -> Value {
    try await body(self)
  }
}

/// Something that happens once and can be waited for.
struct Occasion: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func happen() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}

/// Says when the last reference to it has gone.
final class Canary: Sendable {
  private let freed: Occasion
  init(_ freed: Occasion) { self.freed = freed }
  func chirp() {}
  deinit { freed.happen() }
}

/// A pipe whose reading end is a GIO stream. Nothing can be read from it until the test writes.
struct SilentPipe {
  let stream: GObjectRef<GInputStream>
  private let writingEnd: CInt

  init(on glib: GLibExecutor) {
    var ends: [CInt] = [-1, -1]
    precondition(g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0, "no pipe: errno \(errno)")
    stream = GObjectRef(adopting: g_unix_input_stream_new(ends[0], 1), on: glib)
    writingEnd = ends[1]
  }

  func write(_ bytes: [UInt8]) { precondition(Glibc.write(writingEnd, bytes, bytes.count) == bytes.count) }
  func close() { _ = Glibc.close(writingEnd) }

  /// Reads up to 100 bytes; returns how many there were.
  func read(
    in queue: GLibCallQueue? = nil, within limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
    whenBegun: () -> Void = {}
  ) async throws(GLibBridgeError) -> Int {
    try await stream.executor.call(in: queue, within: limit) { cancellable, done in
      g_input_stream_read_bytes_async(stream.pointer, 100, 0, cancellable, done.callback, done.data)
      whenBegun()
    } finish: { (stream: UnsafeMutablePointer<GInputStream>, result, error) in
      guard let bytes = g_input_stream_read_bytes_finish(stream, result, error) else { return nil }
      defer { g_bytes_unref(bytes) }
      return Int(g_bytes_get_size(bytes))
    }
  }
}

/// The code of the `GLibBridgeError` that `body` throws; nil when it throws none.
nonisolated(nonsending) func failure(
  of body: nonisolated(nonsending) () async throws(GLibBridgeError) -> some Any
) async -> GLibBridgeError.Code? {
  do throws(GLibBridgeError) {
    _ = try await body()
    return nil
  } catch {
    return error.code
  }
}
