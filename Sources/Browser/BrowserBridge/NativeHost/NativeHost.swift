import Glibc
import JSONTree
import Logging
import ModemAPIClient
import ModemModel
import NativeMessaging

/// The end of a page's way to modemd: a process that the browser started for one page, with the
/// rights of the browser's user. modemd knows that user by the socket, as any other caller.
package actor NativeHost {
  private let settings: HostSettings
  private let gateway: ModemGateway
  private let notes: CallNotes
  private let second: @Sendable () -> Int
  private let logger: Logger
  private let output: AsyncStream<[UInt8]>.Continuation
  private var session: PageSession
  private var origin: PageOrigin?
  private var flow: (id: Int, task: Task<Void, Never>)?
  private var question: ModemQuestion?
  private var isOver = false

  /// What the browser is to get, each message with its length. It ends with the host.
  package nonisolated let messages: AsyncStream<[UInt8]>

  /// - Parameters:
  ///   - second: seconds of a clock that all processes of the machine share.
  package init(
    _ settings: HostSettings, gateway: ModemGateway, notes: CallNotes,
    second: @escaping @Sendable () -> Int = NativeHost.machineSecond, logger: Logger
  ) {
    self.settings = settings
    self.gateway = gateway
    self.notes = notes
    self.second = second
    self.logger = logger
    // A browser that reads nothing gets nothing more: a flow has far fewer messages.
    (messages, output) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(1024))
    session = PageSession { settings.origins[$0]?.asks.map(\.rawValue) ?? [] }
  }

  /// CLOCK_MONOTONIC, which is the same in every process.
  package static let machineSecond: @Sendable () -> Int = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  /// Answers what comes, until the browser closes its end or the page has said what no page says.
  package func serve<Pieces: AsyncSequence>(_ input: Pieces) async where Pieces.Element == [UInt8] {
    var reader = MessageReader()
    do {
      for try await piece in input {
        reader.append(piece)
        while !isOver, let message = try reader.next() { take(message) }
        if isOver { break }
      }
    } catch let error as MessageReader.TooLong {
      perform(session.tooLong(error))
    } catch {
      logger.notice("the browser's end is lost: \(error)")
    }
    perform(session.leave())
    flow?.task.cancel()
    await flow?.task.value
    output.finish()
  }

  private func take(_ message: [UInt8]) {
    // The session has one origin, which its first call names.
    if origin == nil, case .open(let named)? = (try? PageCall(message))?.verb { origin = named }
    perform(session.take(message))
  }

  private func perform(_ actions: [PageSession.Action]) {
    for action in actions {
      switch action {
      case .send(let event): send(event)
      case .begin(let id, let ask, let parameters): begin(id, ask, parameters)
      case .give(let id, let value): give(value, to: id)
      case .cancel(let id): if flow?.id == id { flow?.task.cancel() }
      case .hangUp: isOver = true
      }
    }
  }

  private func send(_ event: PageEvent) {
    if case .dropped = output.yield(event.frame) { isOver = true }
  }

  private func note(_ what: PageEvent.What, of id: Int) { perform(session.note(what, of: id)) }

  // MARK: - Flows

  private func begin(_ id: Int, _ word: String, _ parameters: JSONValue) {
    guard let ask = Ask(rawValue: word), let origin, let rule = settings.origins[origin] else { return }
    do throws(PageFailure) {
      let asked = try TicketQuestion(ask, of: parameters)
      if let seconds = notes.take(origin, most: rule.startsPerMinute, at: second()) {
        throw .tooMany(retryAfterSeconds: seconds)
      }
      question = nil
      flow = (id, Task { await self.run(asked, id) })
    } catch {
      note(.error(error), of: id)
    }
  }

  private func run(_ asked: TicketQuestion, _ id: Int) async {
    let end: PageEvent.What
    do {
      let verdict = try await gateway.ask(asked) { await self.note($0, of: id) }
      end = .outcome(result: verdict.result, details: verdict.forPages)
    } catch is CancellationError {
      end = .outcome(result: "cancelled", details: [:])
    } catch {
      end = .error(PageFailure(of: error))
    }
    note(Task.isCancelled ? .outcome(result: "cancelled", details: [:]) : end, of: id)
  }

  private func note(_ event: FlowEvent, of id: Int) {
    switch event {
    case .step(let step): note(.progress(step.forPages), of: id)
    case .question(let asked):
      question = asked
      note(.question(asked.forPages), of: id)
    // It has hosts, which a page does not learn.
    case .trace: break
    }
  }

  private func give(_ value: String, to id: Int) {
    guard let question, flow?.id == id else { return }
    self.question = nil
    let (gateway, answer) = (gateway, WipedText(value))
    Task {
      do {
        try await gateway.give(answer, to: question)
      } catch {
        self.refuse(PageFailure(of: error), question, id)
      }
    }
  }

  /// modemd did not take an answer: the person is asked again, if the flow goes on.
  private func refuse(_ failure: PageFailure, _ asked: ModemQuestion, _ id: Int) {
    logger.notice("modemd did not take an answer: \(failure.name)")
    guard flow?.id == id, question == nil else { return }
    note(.question(asked), of: id)
  }
}
