import Glibc
import Testing

@testable import SystemdSupport

@Suite("Messages to the service manager", .timeLimit(.minutes(1)))
struct ServiceNotifierTests {
  @Test(
    "each notification is one assignment",
    arguments: [
      (.ready, "READY=1"), (.stopping, "STOPPING=1"), (.watchdog, "WATCHDOG=1"),
      (.status("2 modems"), "STATUS=2 modems"), (.status("a\nREADY=1\r\nb"), "STATUS=a READY=1 b"),
      (.reloading(monotonicMicroseconds: 7), "RELOADING=1\nMONOTONIC_USEC=7"),
      (.extendTimeout(microseconds: 5), "EXTEND_TIMEOUT_USEC=5"),
    ] as [(ServiceNotification, String)])
  func lines(_ notification: ServiceNotification, _ line: String) {
    #expect(notification.line == line)
  }

  @Test("without a service manager nothing is sent and nothing fails")
  func absent() throws {
    let notifier = try ServiceNotifier(ServiceEnvironment([:], process: 1))
    #expect(notifier.destination == nil)
    try notifier.send(.ready)
  }

  @Test(
    "an address of the wrong form is refused",
    arguments: ["relative", "@", "/", "vsock:2:1", "/" + String(repeating: "x", count: 107)])
  func refused(_ address: String) {
    let environment = ServiceEnvironment(["NOTIFY_SOCKET": address], process: 1)
    #expect(throws: SystemdError.self) { try ServiceNotifier(environment) }
  }

  @Test("messages arrive in one datagram, on a path and on an abstract name", arguments: [false, true])
  func arrives(_ isAbstract: Bool) throws {
    let receiver = try Receiver(isAbstract: isAbstract)
    let notifier = try ServiceNotifier(ServiceEnvironment(["NOTIFY_SOCKET": receiver.address], process: 1))
    try notifier.send(.ready, .status("serving"))
    #expect(receiver.receive() == "READY=1\nSTATUS=serving")
  }

  @Test("a socket that is gone is an error, not a wait")
  func gone() throws {
    let environment = ServiceEnvironment(["NOTIFY_SOCKET": "@modemd-test-nobody-\(getpid())"], process: 1)
    let error = #expect(throws: SystemdError.self) { try ServiceNotifier(environment).send(.ready) }
    #expect(error?.code == .notifyFailed)
    #expect(error?.cause != nil)
  }

  @Test("the watchdog hears from a live service until it is cancelled")
  func keepAlive() async throws {
    let receiver = try Receiver(isAbstract: true)
    let notifier = try ServiceNotifier(ServiceEnvironment(["NOTIFY_SOCKET": receiver.address], process: 1))
    let task = Task { await notifier.keepAlive(interval: .milliseconds(2)) {} }
    // Blocks until two datagrams have come, so it cannot pass early; the suite's time limit bounds
    // it.
    let lines = await Task.detached { [receiver.receive(), receiver.receive()] }.value
    task.cancel()
    await task.value
    #expect(lines == ["WATCHDOG=1", "WATCHDOG=1"])
  }

  @Test("a loop that does not answer ends the signs of life")
  func stuck() async throws {
    let receiver = try Receiver(isAbstract: true)
    let notifier = try ServiceNotifier(ServiceEnvironment(["NOTIFY_SOCKET": receiver.address], process: 1))
    let (loop, answers) = AsyncStream.makeStream(of: Void.self)
    let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
    answers.yield()
    let task = Task {
      await notifier.keepAlive(interval: .zero) {
        isAsked.yield()
        for await _ in loop { return }
      }
    }
    // It is asked a second time only after the first sign, and has not answered then.
    var questions = asked.makeAsyncIterator()
    await questions.next()
    await questions.next()
    try notifier.send(.status("asked"))
    let lines = await Task.detached { [receiver.receive(), receiver.receive()] }.value
    #expect(lines == ["WATCHDOG=1", "STATUS=asked"])
    task.cancel()
    await task.value
  }
}

@Suite("Credentials of a service")
struct CredentialsDirectoryTests {
  @Test(
    "without CREDENTIALS_DIRECTORY, or with a relative one, there are none",
    arguments: [[:], ["CREDENTIALS_DIRECTORY": "x"]])
  func absent(_ variables: [String: String]) {
    #expect(CredentialsDirectory(ServiceEnvironment(variables, process: 1)) == nil)
  }

  @Test("a credential is read whole, a missing one is nil")
  func read() throws {
    let folder = try ScratchFolder()
    let content = Array("secret\0with a NUL".utf8)
    folder.write(content, to: "pin")
    let directory = try #require(
      CredentialsDirectory(ServiceEnvironment(["CREDENTIALS_DIRECTORY": folder.path], process: 1)))
    #expect(try directory.read("pin") == content)
    #expect(try directory.read("other") == nil)
  }

  @Test("a credential over 1 MiB is refused")
  func tooLarge() throws {
    let folder = try ScratchFolder()
    folder.write([UInt8](repeating: 1, count: CredentialsDirectory.sizeLimit + 1), to: "large")
    let directory = try #require(
      CredentialsDirectory(ServiceEnvironment(["CREDENTIALS_DIRECTORY": folder.path], process: 1)))
    let error = #expect(throws: SystemdError.self) { try directory.read("large") }
    #expect(error?.code == .badCredential)
  }

  @Test(
    "names cannot leave the folder",
    arguments: ["", ".", "..", "../shadow", "a/b", "a\0b", String(repeating: "n", count: 256)])
  func names(_ name: String) throws {
    let directory = try #require(
      CredentialsDirectory(ServiceEnvironment(["CREDENTIALS_DIRECTORY": "/run"], process: 1)))
    #expect(throws: SystemdError.self) { try directory.path(of: name) }
  }
}
