import AuthCore
import Web

/// What refusals of an entitlement server mean (TS.43, 2.10), each with a sentence that says what
/// to do.
enum EntitlementRefusal {
  /// What an answer other than 200 means; redirects and 511 are the exchange's.
  static func outcome(of reply: BackendReply, from host: String) -> FlowOutcome {
    let status = reply.status
    let quoted = quotation(of: reply)
    switch status {
    case 400:
      return FlowOutcome(
        .badRequest, status: status,
        "\(host) refuses the form of the request\(quoted); compare `appName`, `terminalID` and `versions` with what "
          + "the operator wants")
    case 401:
      return FlowOutcome(
        .clientRefused, status: status,
        "\(host) refuses this client\(quoted); ask the operator whether it lets clients like this one in")
    case 403: return forbidden(reply, host, quoted)
    case 404, 410:
      return FlowOutcome(
        .operatorUnsupported, status: status,
        "\(host) has no entitlement server at this address\(quoted); ask the operator for its URL, and give it in "
          + "`server`")
    case 405, 501:
      return FlowOutcome(
        .operatorUnsupported, status: status,
        "\(host) takes neither GET nor POST for this; ask the operator, and give the URL in `server`")
    case 406:
      return FlowOutcome(
        .operatorUnsupported, code: "version", status: status,
        "\(host) takes none of the configured versions of TS.43\(quoted); ask the operator, and set `versions`")
    case 429:
      return FlowOutcome(
        .rateLimited, status: status, retryAfter: reply.retryAfter, "\(host) gets too many requests; \(later(reply))")
    case 500...599:
      return FlowOutcome(
        .operatorError, status: status, retryAfter: reply.retryAfter, "\(host) failed (\(status)); \(later(reply))")
    default:
      return FlowOutcome(
        .badAnswer, status: status, "\(host) answers with status \(status), which TS.43 does not know; ask the operator"
      )
    }
  }

  /// What a body that is no document means.
  static func outcome(of flaw: EntitlementDocument.Flaw, status: Int, from host: String) -> FlowOutcome {
    switch flaw {
    case .page: interaction(status: status, host)
    case .tooLarge:
      FlowOutcome(
        .badAnswer, code: flaw.rawValue, status: status,
        "\(host) sent a document beyond \(EntitlementDocument.byteLimit) bytes, or one that is nested or divided too "
          + "much; ask the operator")
    case .empty, .malformed, .incomplete:
      FlowOutcome(
        .badAnswer, code: flaw.rawValue, status: status,
        "\(host) sent a document that is \(flaw.rawValue); try again, and ask the operator")
    }
  }

  static func interaction(status: Int, _ host: String) -> FlowOutcome {
    FlowOutcome(
      .interactionRequired, status: status,
      "\(host) wants a person to log in on a page, where the SIM alone is not enough; ask the operator for a login by "
        + "SIM (EAP-AKA) for this client")
  }

  /// The proof was not accepted, and the SIM has answered already.
  static func unproven(_ host: String) -> FlowOutcome {
    FlowOutcome(
      .operatorUnsupported, status: 511,
      "\(host) does not accept logins of this SIM (511); ask the operator whether the subscription and this client "
        + "are let in")
  }

  /// Why the server gave no answer.
  static func outcome(of failure: BackendFailure, _ context: EntitlementContext) -> FlowOutcome {
    guard failure.kind == .dns, context.isDerived else { return failure.outcome }
    return FlowOutcome(
      .operatorUnsupported, code: "dns",
      "\(context.url.host) has no address: the operator runs no entitlement server by this name, or the machine's DNS "
        + "fails; if the operator named another server, give it in `server`")
  }

  /// 403 stands for a subscriber that is unknown and for a client that is not let in; only the
  /// body's words tell them apart.
  private static func forbidden(_ reply: BackendReply, _ host: String, _ quoted: String) -> FlowOutcome {
    let words = Set(firstLine(of: reply).lowercased().split { !$0.isLetter }.map(String.init))
    guard words.isDisjoint(with: clientWords) else {
      return FlowOutcome(
        .clientRefused, status: 403,
        "\(host) does not let this client in\(quoted); ask the operator which `appName`, `terminalID` and `userAgent` "
          + "are on its list")
    }
    return FlowOutcome(
      .subscriberUnknown, status: 403,
      "\(host) does not know the SIM's subscriber, or does not serve it\(quoted); ask the operator")
  }

  /// Words that servers use about devices and applications, and not about subscribers.
  private static let clientWords: Set<String> = [
    "client", "device", "terminal", "app", "application", "agent", "tac", "imei", "config", "configuration",
    "permission", "permitted", "allowed", "operation", "model", "vendor",
  ]

  private static func later(_ reply: BackendReply) -> String {
    reply.retryAfter.map { "try again in \($0) s" } ?? "try again later"
  }

  private static func quotation(of reply: BackendReply) -> String {
    let line = shown(firstLine(of: reply))
    return line.isEmpty ? "" : " (\"\(line)\")"
  }

  /// The first line of a body of plain text, of at most 120 characters.
  private static func firstLine(of reply: BackendReply) -> String {
    guard let text = String(validating: reply.body.prefix(480), as: UTF8.self), !text.hasPrefix("<"),
      !text.hasPrefix("{")
    else { return "" }
    return String((text.split(whereSeparator: \.isNewline).first ?? "").prefix(120))
  }

  /// A stranger's line as people may see it: printable ASCII, without numbers and words that could
  /// be somebody's identity or a token.
  static func shown(_ line: String) -> String {
    line.split(separator: " ").map { word in
      let isPlain = word.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") }
      let digits = word.utf8.filter { (0x30...0x39).contains($0) }.count
      return isPlain && digits < 5 && word.utf8.count <= 24 ? String(word) : "…"
    }.joined(separator: " ")
  }
}
