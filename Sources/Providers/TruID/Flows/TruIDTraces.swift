import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

/// What tru.ID recorded while it handled a check. It may name the number: only for the caller.
package struct TruIDTrace: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// RFC 3339, as the provider wrote it.
    package let time: String
    package let message: String
    package let attributes: JSONValue?
  }

  package let id: String
  package let entries: [Entry]

  init?(_ json: JSONValue) {
    guard let id = json["trace_id"]?.string else { return nil }
    self.id = id
    entries = (json["logs"]?.items ?? []).map { entry in
      Entry(
        time: entry["timestamp"]?.string ?? "", message: entry["message"]?.string ?? "",
        attributes: entry["attributes"])
    }
  }
}

/// Reads the traces of a check at the API. They are kept for seven days.
package struct TruIDTracesMachine: FlowMachine {
  private let client: TruIDClient
  private let path: String

  /// - Parameters:
  ///   - product: the check's product; nil for a SIMCheck.
  ///   - trace: the id of one trace; nil for all.
  package init(
    of check: String, _ product: TruIDProduct?, _ version: TruIDVersion, trace: String? = nil, by client: TruIDClient
  ) {
    self.client = client
    let kind = product.map { "\($0.rawValue)/\(version.rawValue)" } ?? "sim_check/v0.1"
    let all = "/\(kind)/checks/\(FormFields.encode(check))/traces"
    path = trace.map { "\(all)/\(FormFields.encode($0))" } ?? all
  }

  package static var usesBearer: Bool { false }

  package mutating func start(at now: Timestamp) -> FlowAction<[TruIDTrace]> {
    .send(client.call("readTraces", .get, client.api.appending(path)))
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<[TruIDTrace]> {
    switch event {
    case .answered(let reply): read(reply)
    case .unanswered(let failure): .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: .unexpected(event)
    }
  }

  private func read(_ reply: BackendReply) -> FlowAction<[TruIDTrace]> {
    guard reply.isSuccess else { return .finish(.truID(reply, host: client.api.host), nil) }
    let list = reply.json.map { json in
      json["_embedded"]?["traces"]?.items ?? json["traces"]?.items ?? (json["trace_id"] == nil ? json.items : [json])
    }
    guard let traces = list?.compactMap({ TruIDTrace($0) }), reply.json != nil else {
      return .finish(
        FlowOutcome(.badAnswer, status: reply.status, "\(client.api.host) gives no traces; ask tru.ID"), nil)
    }
    return .finish(
      FlowOutcome(.authorized, status: reply.status, "\(client.api.host) gave \(traces.count) traces"), traces)
  }
}
