import FoundationEssentials
import JSONTree
import OperatorSimulator

extension SimulatedTS43Service {
  /// The parameters of a request, from its query or its JSON body (TS.43, 2.4).
  struct Parameters: Hashable, Sendable {
    private var values: [String: String] = [:]

    init(_ request: SimulatedRequest) {
      values = request.query
      guard request.method == "POST", case .object(let members)? = request.json else { return }
      for (name, value) in members {
        switch value {
        case .string(let text): values[name] = text
        case .int(let number): values[name] = "\(number)"
        case .array(let items): values[name] = items.compactMap(\.string).joined(separator: ",")
        default: break
        }
      }
    }

    subscript(_ name: String) -> String? { values[name] }
  }

  /// What goes wrong with one request.
  struct Faults: Sendable {
    private let all: [SimulatedTS43Fault]

    init(_ all: [SimulatedTS43Fault]) { self.all = all }

    func first(_ word: SimulatedTS43Fault.Word) -> SimulatedTS43Fault? { all.first { $0.kind == .http(word) } }

    func has(_ word: SimulatedTS43Fault.Word) -> Bool { first(word) != nil }

    var tampering: EAPServer.Tampering? {
      all.lazy.compactMap { fault in
        if case .eap(let tampering) = fault.kind { tampering } else { nil }
      }.first
    }

    /// An answer in place of any other.
    func early(_ request: SimulatedRequest) -> SimulatedResponse? {
      if let fault = first(.httpStatus) {
        var response = SimulatedTS43Service.refusal(fault.status, fault.text ?? "as the scenario says")
        if let seconds = fault.retryAfter {
          response.headers.append(.init(name: "Retry-After", value: "\(seconds)"))
        }
        return response
      }
      if let fault = first(.redirect) {
        return .redirect(to: fault.text ?? "https://\(request.host)\(request.target)")
      }
      if has(.page) {
        return SimulatedResponse(
          status: 200, headers: [("Content-Type", "text/html; charset=utf-8")],
          body: "<!doctype html><title>Sign in</title><form><input name=user></form>")
      }
      return nil
    }

    /// An answer, when and if it comes.
    func late(_ response: SimulatedResponse) -> SimulatedResponse {
      if has(.silence) { return response.delivered(.never) }
      if has(.hangUp) { return response.delivered(.hangUp) }
      return first(.delay).map { response.delivered(.after(milliseconds: $0.milliseconds)) } ?? response
    }

    /// A packet for the SIM.
    func relay(_ bytes: [UInt8]) -> SimulatedResponse {
      var text = Data(bytes).base64EncodedString()
      if has(.notBase64) { text = "%%%\(text)" }
      if has(.giantPacket) { text = Data(repeating: 1, count: 60_000).base64EncodedString() }
      // Slashes may be escaped, and are here, so that a reader must be one of JSON.
      var body = "{\"eap-relay-packet\":\"\(text.replacing("/", with: "\\/"))\"}"
      if has(.noPacket) { body = "{}" }
      if has(.notJSON) { body = "eap-relay-packet=\(text)" }
      return SimulatedResponse(
        status: 200, headers: [("Content-Type", SimulatedTS43Service.relayType), ("Cache-Control", "no-store")],
        body: body)
    }

    /// A document.
    func document(_ document: EntitlementDocument, _ form: EntitlementDocument.Form) -> SimulatedResponse {
      var body = document.text(form)
      if has(.malformedXML) { body = body.replacing("</characteristic>", with: "</charac") }
      if has(.truncatedXML) { body = String(body.prefix(body.count / 2)) }
      if has(.doctype) { body = body.replacing("<wap-", with: Self.doctype + "<wap-", maxReplacements: 1) }
      if has(.entities) {
        body = body.replacing("<wap-", with: Self.entities + "<wap-", maxReplacements: 1)
          .replacing("value=\"1\"", with: "value=\"&e9;\"", maxReplacements: 1)
      }
      if has(.deepDocument) {
        body = body.replacing(
          " <characteristic", with: String(repeating: "<characteristic type=\"D\">", count: 2000) + " <characteristic",
          maxReplacements: 1)
      }
      if has(.giantDocument) {
        body = body.replacing(
          "</wap-", with: String(repeating: " <parm name=\"x\" value=\"y\"/>\n", count: 8000) + "</wap-")
      }
      if has(.emptyBody) { body = "" }
      let type = has(.wrongContentType) ? "text/plain" : form.mediaType
      return SimulatedResponse(
        status: 200, headers: [("Content-Type", type), ("Cache-Control", "no-store")], body: body)
    }

    private static let doctype = "<!DOCTYPE wap-provisioningdoc SYSTEM \"file:///etc/hostname\">\n"

    /// Ten entities, each of ten of the one before.
    private static let entities: String = {
      let inner = (1...9).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }
      return "<!DOCTYPE d [<!ENTITY e0 \"x\">\(inner.joined())]>\n"
    }()
  }
}
