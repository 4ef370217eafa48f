import Varlink

/// Who beside root, and the user that modemd runs as, may call a method where the access table does
/// not say.
package enum AccessDefault: String, Hashable, Sendable, CaseIterable {
  /// Members of `access.groups`.
  case groups
  /// Members of `access.messageGroups`.
  case messageGroups
  /// Nobody. Groups that the table names beside the method, or beside its interface, may.
  case root
  /// Nobody. Groups that the table names beside this very method may; its interface's are not
  /// enough.
  case ownEntry
}

/// Who may call each method of an interface by default. It is declared beside the interface's
/// registration.
///
/// Docs/security.md lists for each method what it can break, spend and reveal. A test compares the
/// two.
package struct InterfaceRights: Hashable, Sendable {
  /// By full name, as `org.modemd.Modem.List`.
  package let methods: [String: AccessDefault]

  /// - Parameter rights: the methods for each right. Only root may call a method that is not
  ///   listed.
  package init(_ rights: KeyValuePairs<AccessDefault, [any VarlinkMethod.Type]>) {
    methods = rights.reduce(into: [:]) { methods, right in
      for method in right.value { methods[method.name] = right.key }
    }
  }
}
