import LimitClock
import Logging
import LoopbackHTTP

/// A page for the machine's administrator, which shows what modemd says as it changes. It asks
/// modemd what any caller may ask, and changes nothing.
package actor Inspector {
  /// What a path of the inspector is.
  package enum Page: Hashable, Sendable {
    case view, news, end
  }

  static let cookie = "modemd-inspect"
  /// Pages of one session that are told of changes.
  private static let mostStreams = 2
  /// Between two looks at modemd.
  private static let period = Duration.seconds(1)

  private let socket: String
  private let clock: LimitClock
  private let logger: Logger
  private var door = InspectorDoor()
  private var streams: [String: Int] = [:]

  /// - Parameter socket: modemd's.
  package init(socket: String, clock: LimitClock = .machine, logger: Logger) {
    self.socket = socket
    self.clock = clock
    self.logger = logger
  }

  /// Makes a link's path, which is good once and for this user's browser.
  package func newPath(for user: UInt32) -> String {
    logger.notice("a link to the inspector is made", metadata: ["uid": "\(user)"])
    return "/inspect?once=" + door.newLink(for: user, at: clock.now)
  }

  /// Answers a request that comes from a browser's own page, or from nowhere.
  ///
  /// - Parameter flows: the checks that go on.
  func answer(
    _ request: BrowserRequest, _ page: Page, _ text: Text, flows: @escaping @Sendable () async -> [ShownFlow]
  ) async -> BrowserAnswer {
    if case .view = page, let query = request.query {
      guard let token = FormFields(query)?["once"], let session = door.enter(token, request.user, at: clock.now) else {
        return closed(text)
      }
      let cookie =
        "\(Self.cookie)=\(session.key); Path=/inspect; Max-Age=\(InspectorDoor.sessionTime.components.seconds); "
        + "HttpOnly; SameSite=Strict"
      return BrowserAnswer(303, fields: [("Location", "/inspect"), ("Set-Cookie", cookie)], body: .bytes([]))
    }
    guard let key = Self.key(in: request), let session = door.session(key, request.user, at: clock.now) else {
      return closed(text)
    }
    switch page {
    case .view:
      let view = InspectorView(await InspectorReading.read(socket, clock), await flows(), text)
      return document(200, InspectorPage.view(view, session, text))
    case .news: return news(session, text, flows)
    case .end:
      let fields = FormFields(String(decoding: request.body, as: UTF8.self))
      guard let form = fields?["form"], Unguessable.isSame(form, session.form) else { return closed(text) }
      door.end(session)
      let cookie = "\(Self.cookie)=; Path=/inspect; Max-Age=0; HttpOnly; SameSite=Strict"
      return BrowserAnswer(303, fields: [("Location", "/inspect"), ("Set-Cookie", cookie)], body: .bytes([]))
    }
  }

  /// Lines of JSON until the session ends, one for each change.
  private func news(
    _ session: InspectorDoor.Session, _ text: Text, _ flows: @escaping @Sendable () async -> [ShownFlow]
  ) -> BrowserAnswer {
    guard streams[session.key, default: 0] < Self.mostStreams else { return .text(429, text(.tooMany)) }
    streams[session.key, default: 0] += 1
    // Each line says everything, so that a slow reader needs the last one alone.
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      await watch(session, text, flows, continuation)
      continuation.finish()
      leave(session)
    }
    continuation.onTermination = { _ in task.cancel() }
    return BrowserAnswer(200, fields: [("Content-Type", "application/x-ndjson")], body: .stream(stream))
  }

  private func watch(
    _ session: InspectorDoor.Session, _ text: Text, _ flows: @Sendable () async -> [ShownFlow],
    _ continuation: AsyncStream<[UInt8]>.Continuation
  ) async {
    var last: InspectorView?
    while !Task.isCancelled, door.session(session.key, session.user, at: clock.now) != nil {
      let view = InspectorView(await InspectorReading.read(socket, clock), await flows(), text)
      if view != last { continuation.yield(view.line(text(.inspectLive))) }
      last = view
      guard (try? await clock.pause(for: Self.period)) != nil else { return }
    }
  }

  private func leave(_ session: InspectorDoor.Session) {
    let left = streams[session.key, default: 1] - 1
    streams[session.key] = left > 0 ? left : nil
  }

  private func closed(_ text: Text) -> BrowserAnswer { document(403, InspectorPage.closed(text)) }

  private func document(_ status: Int, _ bytes: [UInt8]) -> BrowserAnswer {
    BrowserAnswer(status, fields: [("Content-Type", "text/html; charset=utf-8")], body: .bytes(bytes))
  }

  /// The session's cookie, if it stands there once.
  private static func key(in request: BrowserRequest) -> String? {
    let pairs = (request.field("cookie") ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
    let own = pairs.filter { $0.hasPrefix("\(cookie)=") }
    return own.count == 1 ? String(own[0].dropFirst(cookie.count + 1)) : nil
  }
}
