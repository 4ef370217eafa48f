import AuthCore
import JSONTree
import ModemModel

/// A request to an entitlement server, as parameters in their order (TS.43, 2.3).
struct EntitlementRequest: Hashable, Sendable {
  /// Who asks.
  enum Proof: Hashable, Sendable {
    /// An identity that the SIM will prove.
    case identity(EAPIdentity)
    /// What an earlier login gave.
    case token(Secret)
  }

  var proof: Proof
  /// Nil for a login alone.
  var operation: TS43Operation?
  var groupIdentifier: [UInt8]?

  /// The parameters, always in the same order.
  ///
  /// - Parameter version: of TS.43, as in `12.0`.
  func fields(_ context: EntitlementContext, version: String) -> FormFields {
    let settings = context.settings
    var fields = FormFields()
    switch proof {
    case .identity(let identity): fields.add("EAP_ID", identity.revealed)
    case .token(let token):
      fields.add("token", token.revealed)
      fields.add("IMSI", context.imsi.revealed)
    }
    fields.add("terminal_id", context.terminalID)
    fields.add("app", EntitlementContext.app)
    fields.add("app_name", settings.appName)
    fields.add("app_version", settings.appVersion)
    // Android cuts them so, and servers count on it.
    fields.add("terminal_vendor", String(settings.terminalVendor.prefix(4)))
    fields.add("terminal_model", String(settings.terminalModel.prefix(10)))
    fields.add("terminal_sw_version", String(settings.terminalSoftware.prefix(20)))
    // No document is kept, so that each answer is whole.
    fields.add("vers", "0")
    fields.add("entitlement_version", version)
    if settings.sendsGroupID, Self.knowsGroupID(version) {
      fields.add("GID1", groupIdentifier.map { Hexadecimal.text(of: $0, uppercase: true) })
    }
    add(operation, to: &fields, settings.verification)
    return fields
  }

  private func add(
    _ operation: TS43Operation?, to fields: inout FormFields, _ verification: TS43Settings.Verification
  ) {
    guard let operation else { return }
    if case .verify(let number) = operation {
      guard verification == .operation else { return fields.add("operation", TS43Operation.phoneNumber.word) }
      fields.add("operation", operation.word)
      return fields.add("msisdn", number.revealed)
    }
    fields.add("operation", operation.word)
    if case .temporaryToken(let target) = operation { fields.add("operation_targets", target.operation) }
  }

  /// GID1 is a parameter since 12.0.
  private static func knowsGroupID(_ version: String) -> Bool {
    (Int(version.prefix { $0 != "." }) ?? 0) >= 12
  }

  /// The parameters as a JSON body: all are text, and the application is a list (TS.43, 2.3).
  static func json(_ fields: FormFields) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for field in fields.fields {
      members[field.name] = field.name == "app" ? .array([.string(field.value)]) : .string(field.value)
    }
    return .object(members)
  }
}
