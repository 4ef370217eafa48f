/// A typed or opaque C pointer: Swift's type for `GFile *` and `MbimDevice *`.
package protocol CPointer: Hashable, SendableMetatype {
  init(raw: UnsafeMutableRawPointer)
  var raw: UnsafeMutableRawPointer { get }
}

extension OpaquePointer: CPointer {
  package init(raw: UnsafeMutableRawPointer) { self.init(raw) }
  package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutablePointer: CPointer {
  package init(raw: UnsafeMutableRawPointer) { self = raw.assumingMemoryBound(to: Pointee.self) }
  package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}
