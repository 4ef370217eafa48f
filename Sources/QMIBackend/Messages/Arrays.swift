import CGLib

/// The elements of a `GArray` that holds values of this type.
func elements<Element>(of array: UnsafeMutablePointer<GArray>?, as type: Element.Type = Element.self) -> [Element] {
  guard let array, let data = array.pointee.data else { return [] }
  return data.withMemoryRebound(to: Element.self, capacity: Int(array.pointee.len)) {
    Array(UnsafeBufferPointer(start: $0, count: Int(array.pointee.len)))
  }
}

/// Lends `body` a `GArray` of bytes.
func withByteArray<Result>(_ bytes: [UInt8], _ body: (UnsafeMutablePointer<GArray>?) -> Result) -> Result {
  let array = g_array_sized_new(0, 0, 1, guint(bytes.count))
  defer { g_array_unref(array) }
  g_array_append_vals(array, bytes, guint(bytes.count))
  return body(array)
}

/// A string that a message owns; nil when it is NULL or, without what firmware leaves at its ends, empty.
func text(_ pointer: UnsafePointer<CChar>?) -> String? {
  guard let pointer else { return nil }
  let string = String(cString: pointer)
  let isVisible = { (character: Character) in
    !character.isWhitespace && character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
  guard let first = string.firstIndex(where: isVisible), let last = string.lastIndex(where: isVisible) else {
    return nil
  }
  return String(string[first...last])
}
