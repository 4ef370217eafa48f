extension InterfaceSyntax {
  /// The type declared under a name; nil if there is none.
  public func type(named name: String) -> TypeSyntax? {
    for case .type(name, _, let type) in members { return type }
    return nil
  }

  /// Whether both interfaces declare the same type under a name: the same fields or words in the
  /// same order, and the same types under the names in them. Comments do not count.
  public func declaresSameType(_ name: String, as other: InterfaceSyntax) -> Bool {
    var seen: Set<String> = []
    return isSame(.named(name), other, .named(name), &seen)
  }

  private func isSame(
    _ type: TypeSyntax, _ other: InterfaceSyntax, _ otherType: TypeSyntax, _ seen: inout Set<String>
  ) -> Bool {
    switch (type, otherType) {
    case (.named(let name), .named(let otherName)):
      guard name == otherName, let own = self.type(named: name), let others = other.type(named: name) else {
        return false
      }
      // A recursive type is equal if the rest of it is.
      return !seen.insert(name).inserted || isSame(own, other, others, &seen)
    case (.struct(let fields), .struct(let others)):
      return fields.count == others.count
        && zip(fields, others).allSatisfy { $0.name == $1.name && isSame($0.type, other, $1.type, &seen) }
    case (.array(let inner), .array(let others)), (.map(let inner), .map(let others)),
      (.nullable(let inner), .nullable(let others)):
      return isSame(inner, other, others, &seen)
    default:
      return type == otherType
    }
  }

  /// The declared types that are used in parameters, but in no reply and no error.
  var typesOfParametersOnly: Set<String> {
    var asked: Set<String> = []
    var told: Set<String> = []
    for member in members {
      switch member {
      case .type: break
      case .method(_, _, let parameters, let reply):
        collectNames(in: .struct(parameters), into: &asked)
        collectNames(in: .struct(reply), into: &told)
      case .error(_, _, let fields): collectNames(in: .struct(fields), into: &told)
      }
    }
    return asked.subtracting(told)
  }

  private func collectNames(in type: TypeSyntax, into names: inout Set<String>) {
    switch type {
    case .named(let name):
      guard names.insert(name).inserted, let declared = self.type(named: name) else { return }
      collectNames(in: declared, into: &names)
    case .struct(let fields): for field in fields { collectNames(in: field.type, into: &names) }
    case .array(let inner), .map(let inner), .nullable(let inner): collectNames(in: inner, into: &names)
    case .bool, .int, .float, .string, .object, .enum: break
    }
  }
}

extension TypeSyntax {
  /// The type of what lists, maps and nullable values of this type hold; the type itself otherwise.
  var innermost: TypeSyntax {
    switch self {
    case .array(let inner), .map(let inner), .nullable(let inner): inner.innermost
    default: self
    }
  }
}
