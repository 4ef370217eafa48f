import Glibc

/// Answers on a world's control socket: a line with a verb comes in, a line goes out, `ok` or `error` first.
package final class ControlServer: Sendable {
  private let descriptor: Int32
  private let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Starts to listen at the world's `folder.control`.
  ///
  /// - Throws: `WorldError`.
  package static func start(for world: World) throws -> ControlServer {
    let path = world.folder.control
    let descriptor = try UnixSocket.listen(path)
    NetworkNamespace.startThread {
      while true {
        let client = accept(descriptor, nil, nil)
        if client < 0, errno == EINTR || errno == ECONNABORTED { continue }
        guard client >= 0 else { break }
        answer(client, for: world)
      }
      close(descriptor)
    }
    return ControlServer(descriptor: descriptor, path: path)
  }

  private static func answer(_ client: Int32, for world: World) {
    guard let line = UnixSocket.readLine(client) else {
      close(client)
      return
    }
    Task {
      defer { close(client) }
      do {
        UnixSocket.write("ok \(try await world.perform(line))\n", to: client)
      } catch {
        UnixSocket.write("error \(error)\n", to: client)
      }
    }
  }

  /// Ends it; the socket file is removed.
  package func stop() {
    unlink(path)
    // Wakes the thread, which closes it.
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

/// Asks a running world.
package enum ControlClient {
  /// The answer to one line.
  package struct Answer: Hashable, Sendable {
    package let isSuccess: Bool
    package let text: String
  }

  /// Sends a line and waits for the answer.
  ///
  /// - Parameter path: the control socket.
  /// - Throws: `WorldError` when nobody answers there.
  package static func ask(_ line: String, at path: String) throws -> Answer {
    let descriptor = try UnixSocket.connect(path)
    defer { close(descriptor) }
    UnixSocket.write(line + "\n", to: descriptor)
    guard let answer = UnixSocket.readLine(descriptor, within: 60) else {
      throw WorldError(.notReady, "the world at \(path) gave no answer")
    }
    let halves = answer.split(separator: " ", maxSplits: 1)
    return Answer(isSuccess: halves.first == "ok", text: halves.count > 1 ? String(halves[1]) : "")
  }
}
