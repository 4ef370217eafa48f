import CGLib
import GLibBridge
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A call of a begin and finish pair` {
  @Test func `returns what the library returns`() async throws {
    let bench = Bench()
    let count = try await bench.run { bench in
      let pipe = SilentPipe(on: bench.glib)
      pipe.write([1, 2, 3])
      defer { pipe.close() }
      return try await pipe.read()
    }
    #expect(count == 3)
  }

  @Test func `returns an object that the caller owns`() async throws {
    let bench = Bench()
    let isDirectory = try await bench.run { bench in
      let file = GLibReference(adopting: g_file_new_for_path("/"), on: bench.glib)
      let info = try await bench.glib.call { cancellable, done in
        g_file_query_info_async(
          file.pointer, "standard::type", G_FILE_QUERY_INFO_NONE, 0, cancellable, done.callback, done.data)
      } adopting: { (file: OpaquePointer, result, error) in
        g_file_query_info_finish(file, result, error)
      }
      return g_file_info_get_file_type(info.pointer) == G_FILE_TYPE_DIRECTORY
    }
    #expect(isDirectory)
  }

  @Test func `throws the library's error with its domain and code`() async {
    let bench = Bench()
    let error = await #expect(throws: GLibBridgeError.self) {
      try await bench.run { bench in
        let file = GLibReference(adopting: g_file_new_for_path("/no/such/file"), on: bench.glib)
        try await bench.glib.call { cancellable, done in
          g_file_delete_async(file.pointer, 0, cancellable, done.callback, done.data)
        } succeeded: { (file: OpaquePointer, result, error) in
          g_file_delete_finish(file, result, error)
        }
      }
    }
    #expect(error?.code == .library(domain: "g-io-error-quark", code: Int(G_IO_ERROR_NOT_FOUND.rawValue)))
    #expect(error?.isLibraryError(G_IO_ERROR_NOT_FOUND, domain: g_io_error_quark()) == true)
    #expect(error?.isLibraryError(G_IO_ERROR_EXISTS, domain: g_io_error_quark()) == false)
  }

  @Test func `does not begin in a task that is cancelled already`() async {
    let bench = Bench()
    let task = Task {
      await bench.run { bench in
        let pipe = SilentPipe(on: bench.glib)
        defer { pipe.close() }
        withUnsafeCurrentTask { $0?.cancel() }
        return await failure { () async throws(GLibBridgeError) in
          try await pipe.read { Issue.record("the call began") }
        }
      }
    }
    #expect(await task.value == .cancelled)
  }

  @Test func `ends on the GLib thread when its task is cancelled midway`() async {
    let bench = Bench()
    let begun = Occasion()
    let task = Task {
      await bench.run { bench in
        let pipe = SilentPipe(on: bench.glib)
        defer { pipe.close() }
        return await failure { () async throws(GLibBridgeError) in try await pipe.read { begun.happen() } }
      }
    }
    await begun.wait()
    task.cancel()
    #expect(await task.value == .cancelled)
  }

  @Test func `ends at its time limit, told apart from cancellation`() async {
    let bench = Bench()
    let start = ContinuousClock.now
    let code = await bench.run { bench in
      let pipe = SilentPipe(on: bench.glib)
      defer { pipe.close() }
      return await failure { () async throws(GLibBridgeError) in try await pipe.read(within: .milliseconds(150)) }
    }
    #expect(code == .deadline)
    #expect(ContinuousClock.now - start >= .milliseconds(150))
  }

  @Test(arguments: [Duration.zero, .seconds(-3), .nanoseconds(1)])
  func `ends when its time limit is nothing`(limit: Duration) async {
    let bench = Bench()
    let code = await bench.run { bench in
      let pipe = SilentPipe(on: bench.glib)
      defer { pipe.close() }
      return await failure { () async throws(GLibBridgeError) in try await pipe.read(within: limit) }
    }
    #expect(code == .deadline)
  }

  @Test func `that succeeds leaves no timer behind that could end a later one`() async throws {
    let bench = Bench()
    let counts = try await bench.run { bench in
      let pipe = SilentPipe(on: bench.glib)
      defer { pipe.close() }
      pipe.write([1])
      // The first one's time is long enough for a busy machine, and ends while the second one
      // waits.
      let first = try await pipe.read(within: .seconds(2))
      let second = await failure { () async throws(GLibBridgeError) in try await pipe.read(within: .seconds(3)) }
      pipe.write([1, 2])
      return (first, second, try await pipe.read(within: .seconds(20)))
    }
    #expect(counts == (1, .deadline, 2))
  }

  @Test(arguments: [false, true]) func `frees its boxes`(cancelled: Bool) async {
    let bench = Bench()
    let freed = Occasion()
    let begun = Occasion()
    let task = Task {
      await bench.run { bench in
        let canary = Canary(freed)
        let pipe = SilentPipe(on: bench.glib)
        defer { pipe.close() }
        if !cancelled { pipe.write([1]) }
        _ = try? await bench.glib.call(within: .seconds(50)) { cancellable, done in
          g_input_stream_skip_async(pipe.stream.pointer, 1, 0, cancellable, done.callback, done.data)
          begun.happen()
        } finish: { (stream: UnsafeMutablePointer<GInputStream>, result, error) -> Int in
          canary.chirp()
          return g_input_stream_skip_finish(stream, result, error)
        }
      }
    }
    await begun.wait()
    if cancelled { task.cancel() }
    await task.value
    await freed.wait()
  }

  @Test func `survives a storm of calls that end in every way`() async {
    let bench = Bench()
    let codes = await withTaskGroup(of: GLibBridgeError.Code?.self) { group in
      for number in 0..<200 {
        group.addTask {
          await bench.run { bench in
            let pipe = SilentPipe(on: bench.glib)
            defer { pipe.close() }
            if number % 4 == 0 { pipe.write([1]) }
            // Where there is something to read, it is read; all others run out of time, until the
            // rest is cancelled.
            let limits: [Duration] = [.seconds(40), .milliseconds(5), .milliseconds(50), .milliseconds(50)]
            return await failure { () async throws(GLibBridgeError) in try await pipe.read(within: limits[number % 4]) }
          }
        }
      }
      var codes: [GLibBridgeError.Code?] = []
      for await code in group {
        codes.append(code)
        if codes.count == 100 { group.cancelAll() }
      }
      return codes
    }
    #expect(codes.count == 200)
    #expect(Set(codes).isSubset(of: [nil, .deadline, .cancelled]))
    #expect(Set(codes).isSuperset(of: [nil, .deadline]))
  }
}
