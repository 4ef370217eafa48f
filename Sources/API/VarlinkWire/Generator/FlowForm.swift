/// What a method that runs a flow conforms to, in addition to what every method does.
///
/// Such a method takes `modem`, `provider` and `traceparent`, and replies with `event`, `step`,
/// `hop` and `outcome`. Only `event` is required. The protocols are ModemAPI's.
struct FlowForm {
  let method = "FlowMethod"
  let parameters = "FlowMethodParameters"
  let reply: String

  /// Nil for a method that runs no flow.
  init?(parameters: [InterfaceSyntax.Field], reply: [InterfaceSyntax.Field]) {
    let (asked, told) = (Self.types(of: parameters), Self.types(of: reply))
    let others = told.filter { $0.key != "event" }
    guard ["modem", "provider", "traceparent"].allSatisfy({ asked[$0] == .nullable(.string) }),
      ["step": "Step", "hop": "Hop", "outcome": "Outcome"].allSatisfy({ told[$0] == .nullable(.named($1)) }),
      told["event"]?.isNullable == false, others.values.allSatisfy(\.isNullable)
    else { return nil }
    self.reply = told["flow"] == .nullable(.string) ? "AskingMethodReply" : "FlowMethodReply"
  }

  private static func types(of fields: [InterfaceSyntax.Field]) -> [String: TypeSyntax] {
    Dictionary(fields.map { ($0.name, $0.type) }) { first, _ in first }
  }
}

extension TypeSyntax {
  fileprivate var isNullable: Bool {
    if case .nullable = self { true } else { false }
  }
}
