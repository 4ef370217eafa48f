import JSONTree

/// What a page is told.
package struct PageEvent: Hashable, Sendable {
  package enum What: Hashable, Sendable {
    /// The page may ask these.
    case opened(asks: [String])
    /// One action of the flow is over.
    case progress(PageStep)
    /// The person has to enter something.
    case question(PageQuestion)
    /// The flow is over.
    case outcome(result: String, details: [String: JSONValue])
    /// The call is over, without an outcome.
    case error(PageFailure)
  }

  /// The protocol's version, which `opened` tells.
  package static let version = 1

  /// Of the call; null for a message without one.
  package let id: Int?
  package let what: What

  package init(_ id: Int?, _ what: What) {
    self.id = id
    self.what = what
  }

  /// The message for the browser, with its length.
  package var frame: [UInt8] {
    let failure = PageFailure.badMessage("the answer is longer than a browser takes")
    return MessageFrame.bytes(Array(json.text.utf8)) ?? PageEvent(id, .error(failure)).frame
  }

  package var json: JSONValue {
    let id = id.map { JSONValue.int($0) } ?? .null
    switch what {
    case .opened(let asks):
      return .object([
        "id": id, "event": .string("opened"), "version": .int(Self.version), "asks": .array(asks.map { .string($0) }),
      ])
    case .progress(let step): return .object(["id": id, "event": .string("progress"), "step": step.json])
    case .question(let question):
      return .object(["id": id, "event": .string("question"), "question": question.json])
    case .outcome(let result, let details):
      let outcome = details.merging(["result": .string(result)]) { $1 }
      return .object(["id": id, "event": .string("outcome"), "outcome": .object(outcome)])
    case .error(let failure):
      var error: [String: JSONValue] = ["name": .string(failure.name), "text": .string(failure.text)]
      if case .badArgument(let field, _) = failure { error["field"] = .string(field) }
      if case .tooMany(let seconds) = failure { error["retryAfterSeconds"] = .int(seconds) }
      return .object(["id": id, "event": .string("error"), "error": .object(error)])
    }
  }
}

/// One action of a flow, with what a page may know of it: no host, no address.
package struct PageStep: Hashable, Sendable {
  /// From 1.
  package let index: Int
  /// As in createCheck.
  package let name: String
  /// bearer, host, modem or caller.
  package let lane: String
  /// Milliseconds from the flow's start.
  package let start: Double
  package let milliseconds: Double
  package let hasFailed: Bool

  package init(index: Int, name: String, lane: String, start: Double, milliseconds: Double, hasFailed: Bool) {
    self.index = index
    self.name = name
    self.lane = lane
    self.start = start
    self.milliseconds = milliseconds
    self.hasFailed = hasFailed
  }

  package var json: JSONValue {
    .object([
      "index": .int(index), "name": .string(name), "lane": .string(lane), "start": .double(start),
      "milliseconds": .double(milliseconds), "failed": .bool(hasFailed),
    ])
  }
}

/// What the person has to enter.
package enum PageQuestion: Hashable, Sendable {
  /// The one-time code of a message.
  case code(wasWrong: Bool, attemptsLeft: Int?)
  /// The PIN of an identity; `purpose` is what it is for, in the words of the site.
  case pin(shortest: Int, longest: Int, purpose: String?)

  package var json: JSONValue {
    switch self {
    case .code(let wasWrong, let attemptsLeft):
      .members([
        "what": .string("code"), "wasWrong": .bool(wasWrong), "attemptsLeft": attemptsLeft.map { .int($0) },
      ])
    case .pin(let shortest, let longest, let purpose):
      .members([
        "what": .string("pin"), "shortest": .int(shortest), "longest": .int(longest),
        "purpose": purpose.map { .string($0) },
      ])
    }
  }
}
