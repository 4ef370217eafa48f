/// The types of fields and parameters in Python.
struct PythonTypes {
  /// Where a type stands.
  enum Place {
    /// In what the service sends: lists are tuples, and words may be unknown.
    case told
    /// In what the caller gives.
    case asked
  }

  let place: Place

  /// - Parameters:
  ///   - type: the type as the interface declares it.
  ///   - nested: the name of the class, where the type itself has none.
  ///   - prefix: what stands before the name of a type of the interface.
  func annotation(_ type: TypeSyntax, nested: String, prefix: String = "") -> String {
    switch type {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "str"
    case .object: "Any"
    case .named(let name): prefix + name
    case .struct, .enum: prefix + nested
    case .array(let inner):
      switch place {
      case .told: "tuple[\(annotation(inner, nested: nested, prefix: prefix)), ...]"
      case .asked: "Sequence[\(annotation(inner, nested: nested, prefix: prefix))]"
      }
    case .map(let inner): "Mapping[str, \(annotation(inner, nested: nested, prefix: prefix))]"
    case .nullable(let inner): "\(annotation(inner, nested: nested, prefix: prefix)) | None"
    }
  }
}
