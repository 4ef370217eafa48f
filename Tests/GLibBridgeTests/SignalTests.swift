import CGLib
import GLibBridge
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A signal` {
  /// An action whose `activate` signal carries a number.
  private static func makeAction(on glib: GLibExecutor) -> GLibReference<OpaquePointer> {
    let type = g_variant_type_new("i")
    defer { g_variant_type_free(type) }
    return GLibReference(adopting: g_simple_action_new("count", type), on: glib)
  }

  private static func numbers(
    of action: GLibReference<OpaquePointer>, canary: Canary? = nil
  ) -> AsyncStream<Int32> {
    action.signals("activate") { arguments in
      canary?.chirp()
      return arguments.value(0).flatMap { g_value_get_variant($0) }.map { g_variant_get_int32($0) }
    }
  }

  private static func activate(_ action: GLibReference<OpaquePointer>, _ number: Int32) {
    g_action_activate(action.pointer, g_variant_new_int32(number))
  }

  @Test func `arrives as a stream, with its arguments, until its object ends`() async {
    let bench = Bench()
    let freed = Occasion()
    let numbers = await bench.run { bench in
      let action = Self.makeAction(on: bench.glib)
      let numbers = Self.numbers(of: action, canary: Canary(freed))
      for number in 1...5 { Self.activate(action, Int32(number)) }
      return numbers
    }
    var seen: [Int32] = []
    for await number in numbers { seen.append(number) }
    #expect(seen == [1, 2, 3, 4, 5])
    await freed.wait()
  }

  @Test func `is disconnected when its stream is dropped`() async {
    let bench = Bench()
    let freed = Occasion()
    let action = await bench.run { Self.makeAction(on: $0.glib) }
    await bench.run { _ in _ = Self.numbers(of: action, canary: Canary(freed)) }
    await freed.wait()
    await bench.run { _ in
      #expect(
        g_signal_has_handler_pending(action.pointer.raw, g_signal_lookup("activate", g_simple_action_get_type()), 0, 1)
          == 0)
    }
  }

  @Test func `is disconnected when the reader of its stream is cancelled`() async {
    let bench = Bench()
    let (freed, read) = (Occasion(), Occasion())
    let action = await bench.run { Self.makeAction(on: $0.glib) }
    let numbers = await bench.run { _ in Self.numbers(of: action, canary: Canary(freed)) }
    let reader = Task { for await _ in numbers { read.happen() } }
    await bench.run { _ in Self.activate(action, 1) }
    await read.wait()
    reader.cancel()
    await freed.wait()
    await bench.run { _ in Self.activate(action, 2) }
  }

  @Test func `reaches a connection until it is disconnected, and says once that it ended`() async {
    let bench = Bench()
    let action = await bench.run { Self.makeAction(on: $0.glib) }
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    let connection = await bench.run { _ in
      GLibSignalConnection("activate", of: action, onEnd: { continuation.yield("end") }) { _ in
        continuation.yield("signal")
      }
    }
    await bench.run { _ in Self.activate(action, 1) }
    connection.disconnect()
    connection.disconnect()
    await bench.run { _ in Self.activate(action, 2) }
    continuation.finish()
    var seen: [String] = []
    for await event in events { seen.append(event) }
    #expect(seen == ["signal", "end"])
  }

  @Test func `may be disconnected by the very closure that it calls`() async {
    let bench = Bench()
    let action = await bench.run { Self.makeAction(on: $0.glib) }
    let numbers = await bench.run { _ in Self.numbers(of: action) }
    await bench.run { _ in for number in 1...3 { Self.activate(action, Int32(number)) } }
    var first: Int32?
    for await number in numbers {
      first = number
      break
    }
    #expect(first == 1)
  }
}
