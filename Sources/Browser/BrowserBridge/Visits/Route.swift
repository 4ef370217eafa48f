import LoopbackHTTP
import Web

/// What a path is.
enum Route: Hashable {
  case start
  case begin
  case flow(String)
  case news(String)
  case answer(String)
  case cancel(String)
  case goBack(String)
  case consentScript
  case flowScript
  case style
  case inspector(Inspector.Page)
  case inspectorScript

  init?(_ path: String) {
    switch path {
    case "/start": self = .start
    case "/begin": self = .begin
    case "/assets/consent.js": self = .consentScript
    case "/assets/flow.js": self = .flowScript
    case "/assets/page.css": self = .style
    case "/inspect": self = .inspector(.view)
    case "/inspect/news": self = .inspector(.news)
    case "/inspect/end": self = .inspector(.end)
    case "/assets/inspect.js": self = .inspectorScript
    default:
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard (3...4).contains(parts.count), parts[0].isEmpty, parts[1] == "flow" else { return nil }
      let key = String(parts[2])
      switch parts.count > 3 ? parts[3] : "" {
      case "" where parts.count == 3: self = .flow(key)
      case "news": self = .news(key)
      case "answer": self = .answer(key)
      case "cancel": self = .cancel(key)
      case "return": self = .goBack(key)
      default: return nil
      }
    }
  }

  var purpose: SenderRules.Purpose {
    switch self {
    case .start: .start
    case .begin, .answer, .cancel, .inspector(.end): .form
    case .flow, .goBack, .inspector(.view): .page
    case .news, .inspector(.news): .stream
    case .consentScript, .flowScript, .inspectorScript: .script
    case .style: .style
    }
  }
}

/// The fields of a query or a form, each of which stands there once.
struct FormFields {
  private let values: [String: String]

  /// Nil if a name stands there twice, or there are more than 16.
  init?(_ text: String) {
    var values: [String: String] = [:]
    let pairs = text.split(separator: "&")
    guard pairs.count <= 16 else { return nil }
    for pair in pairs {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count > 1 ? PercentEncoding.decodeForm(halves[1]) : ""
      guard values.updateValue(value, forKey: PercentEncoding.decodeForm(halves[0])) == nil else { return nil }
    }
    self.values = values
  }

  subscript(_ name: String) -> String? { values[name] }
}
