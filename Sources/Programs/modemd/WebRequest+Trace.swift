import JournalLog
import Web

extension WebRequest {
  /// The same request, with the trace that it belongs to (W3C Trace Context). Its id for this very
  /// request is fresh, and nothing of the caller's own is in it but the trace's id.
  func inTrace(_ trace: TraceContext?) -> WebRequest {
    guard let trace else { return self }
    let header = WebHeader(name: "traceparent", value: trace.traceparent())
    return WebRequest(purpose, method, url, headers: headers + [header], body: body, time: time)
  }
}
