import JSONTree
import NativeMessaging

extension TicketQuestion {
  /// Reads what a page asks itself: the fields of a ticket with the same ask, and no others.
  ///
  /// - Throws: `PageFailure` that names the field.
  init(_ ask: Ask, of parameters: JSONValue) throws(PageFailure) {
    guard case .object(let fields) = parameters else { throw .badArgument("parameters", "an object") }
    try PageCall.demand(fields, among: Self.known(ask), place: "parameters.")
    do throws(TicketFailure) {
      self = try TicketQuestion(ask, parameters)
    } catch {
      guard case .bad(let field) = error else { throw .badMessage("the call cannot be read") }
      throw .badArgument("parameters.\(field)", Self.form(of: field))
    }
  }

  private static func known(_ ask: Ask) -> Set<String> {
    switch ask {
    case .verify: ["number", "provider"]
    case .simChange: ["number", "maximumAgeHours", "provider"]
    case .signIn: ["number", "appVerification", "provider"]
    case .login: ["link", "user", "provider"]
    }
  }

  private static func form(of field: String) -> String {
    switch field {
    case "number": "a number in the international form, + and 7 to 15 digits"
    case "maximumAgeHours": "a number of hours"
    default: "a text of at most 4096 bytes"
    }
  }
}
