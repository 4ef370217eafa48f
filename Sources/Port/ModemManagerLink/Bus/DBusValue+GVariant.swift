import CGLib

/// GVariants as values. GDBus has checked them: their depth is bounded, and their texts are UTF-8.
extension DBusValue {
  /// Copies a GVariant, which still belongs to the caller.
  init(copying variant: OpaquePointer) {
    let type = String(cString: g_variant_get_type_string(variant))
    switch type.utf8.first.map(UnicodeScalar.init) {
    case "b": self = .bool(g_variant_get_boolean(variant) != 0)
    case "y": self = .number(Int64(g_variant_get_byte(variant)))
    case "n": self = .number(Int64(g_variant_get_int16(variant)))
    case "q": self = .number(Int64(g_variant_get_uint16(variant)))
    case "i": self = .number(Int64(g_variant_get_int32(variant)))
    case "u": self = .number(Int64(g_variant_get_uint32(variant)))
    case "h": self = .number(Int64(g_variant_get_handle(variant)))
    case "x": self = .number(Int64(g_variant_get_int64(variant)))
    case "t": self = .number(Int64(clamping: g_variant_get_uint64(variant)))
    case "d": self = .real(g_variant_get_double(variant))
    case "s", "o", "g": self = .text(String(cString: g_variant_get_string(variant, nil)))
    case "v": self = Self.child(0, of: variant) { DBusValue(copying: $0) }
    case "a" where type.hasPrefix("a{"): self = .dictionary(Self.entries(of: variant))
    case "a": self = .list(Self.children(of: variant))
    default: self = .fields(Self.children(of: variant))
    }
  }

  private static func children(of variant: OpaquePointer) -> [DBusValue] {
    (0..<g_variant_n_children(variant)).map { child($0, of: variant) { DBusValue(copying: $0) } }
  }

  private static func entries(of variant: OpaquePointer) -> [String: DBusValue] {
    var entries: [String: DBusValue] = [:]
    for index in 0..<g_variant_n_children(variant) {
      let pair = child(index, of: variant) { entry in children(of: entry) }
      guard pair.count == 2 else { continue }
      switch pair[0] {
      case .text(let key): entries[key] = pair[1]
      case .number(let key): entries[String(key)] = pair[1]
      default: continue
      }
    }
    return entries
  }

  /// A child, which `g_variant_get_child_value` returns with a reference of its own.
  private static func child<Result>(
    _ index: gsize, of variant: OpaquePointer, _ body: (OpaquePointer) -> Result
  ) -> Result {
    // Impossible: both callers stay below g_variant_n_children.
    let child = g_variant_get_child_value(variant, index)!
    defer { g_variant_unref(child) }
    return body(child)
  }
}

extension [DBusArgument] {
  /// The tuple of a method's arguments, with a floating reference.
  func makeGVariant() -> OpaquePointer {
    let children: [OpaquePointer?] = map { argument in
      switch argument {
      case .text(let text): g_variant_new_string(text)
      case .bool(let value): g_variant_new_boolean(value ? 1 : 0)
      case .unsigned(let number): g_variant_new_uint32(number)
      }
    }
    return g_variant_new_tuple(children, gsize(children.count))
  }
}
