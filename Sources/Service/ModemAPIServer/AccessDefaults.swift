import ModemAPI

/// Who may call a method besides root and the user that modemd runs as, if the access table does
/// not name it.
public enum AccessDefault: String, Hashable, Sendable, CaseIterable {
  /// Members of `access.groups`.
  case groups
  /// Members of `access.messageGroups`.
  case messageGroups
  /// Nobody, except groups that the table names for the method or for its interface.
  case root
  /// Nobody, except groups that the table names for this very method; those of its interface are
  /// not enough.
  case ownEntry
}

/// Who may call each method of modemd's interfaces by default: the only place that defines it.
///
/// Docs/security.md lists for each method what it can break, spend and reveal, and a test keeps
/// both consistent.
public enum AccessDefaults {
  /// By full name, as `org.modemd.Modem.List`.
  public static let all: [String: AccessDefault] = byInterface.reduce(into: [:]) { all, interface in
    for (method, right) in interface.methods { all["\(interface.name).\(method)"] = right }
  }

  /// The default for a method. A method that is not listed is only for root.
  public static func right(to method: String) -> AccessDefault { all[method] ?? .ownEntry }

  private static let byInterface: [(name: String, methods: [String: AccessDefault])] = [
    (
      ModemInterface.name,
      // A few wrong PINs block the SIM; another slot is another subscription.
      [
        "List": .groups, "Get": .groups, "Watch": .groups, "Slots": .groups, "UnlockPIN": .ownEntry,
        "SwitchSlot": .ownEntry,
      ]
    ),
    (BearerInterface.name, ["Connect": .groups, "Disconnect": .groups, "Get": .groups, "Watch": .groups]),
    (CheckInterface.name, ["Open": .groups, "Prepare": .groups, "History": .groups]),
    (
      MessagesInterface.name,
      // Whoever reads a machine's messages can sign in as its owner in many places, so the general
      // groups are not enough.
      [
        "List": .messageGroups, "Get": .messageGroups, "Watch": .messageGroups, "WaitForCode": .messageGroups,
        "Delete": .messageGroups,
      ]
    ),
    (VerifyInterface.name, ["Number": .groups, "Providers": .groups]),
    (NumberVerificationInterface.name, ["Verify": .groups, "DevicePhoneNumber": .groups]),
    (SIMSwapInterface.name, ["Check": .groups, "RetrieveDate": .groups]),
    (
      TruIDInterface.name,
      [
        "PhoneCheck": .groups, "SubscriberCheck": .groups, "SIMCheck": .groups, "Coverage": .groups,
        "Traces": .groups,
      ]
    ),
    (IPificationInterface.name, ["Coverage": .groups, "Authorize": .groups, "Verify": .groups]),
    (
      MobileConnectInterface.name,
      [
        "Discover": .groups, "Authorize": .groups, "Login": .groups, "Validate": .groups, "AskAtHandset": .groups,
        "Refresh": .groups, "Revoke": .groups, "UserInfo": .groups, "Identity": .groups,
      ]
    ),
    // It also reads a code from the messages, and returns what the code opens.
    (PhoneSignInInterface.name, ["SignIn": .root, "GiveCode": .root, "Refresh": .root]),
    (
      MIRACLInterface.name,
      // Callers can use up an identity's attempts.
      [
        "GetSession": .root, "AbortSession": .root, "Register": .root, "Login": .root, "Sign": .root,
        "VerifySignature": .root, "QuickCode": .root, "GivePIN": .root, "GiveMail": .root, "Identities": .root,
        "Forget": .root,
      ]
    ),
  ]
}
