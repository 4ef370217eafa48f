import ModemAPI

/// Who beside root, and the user that modemd runs as, may call a method where the access table does not say.
public enum AccessDefault: String, Hashable, Sendable, CaseIterable {
  /// Members of `access.groups`.
  case groups
  /// Members of `access.messageGroups`.
  case messageGroups
  /// Nobody. Groups that the table names beside the method, or beside its interface, may.
  case root
  /// Nobody. Groups that the table names beside this very method may; its interface's are not enough.
  case ownEntry
}

/// Who may call each method of modemd's interfaces by default: the one place that says so.
///
/// Docs/security.md says for each what it can break, spend and tell, and a test holds both together.
public enum AccessDefaults {
  /// By full name, as `org.modemd.Modem.List`.
  public static let all: [String: AccessDefault] = byInterface.reduce(into: [:]) { all, interface in
    for (method, right) in interface.methods { all["\(interface.name).\(method)"] = right }
  }

  /// What holds for a method: one that is not listed is root's alone.
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
      // Who reads a machine's messages can sign in as its owner in many places: the groups of the rest are not enough.
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
    // It reads a code from the messages too, and gives what the code opens.
    (PhoneSignInInterface.name, ["SignIn": .root, "GiveCode": .root, "Refresh": .root]),
    (
      MIRACLInterface.name,
      // Who may ask can use up an identity's attempts.
      [
        "GetSession": .root, "AbortSession": .root, "Register": .root, "Login": .root, "Sign": .root,
        "VerifySignature": .root, "QuickCode": .root, "GivePIN": .root, "GiveMail": .root, "Identities": .root,
        "Forget": .root,
      ]
    ),
  ]
}
