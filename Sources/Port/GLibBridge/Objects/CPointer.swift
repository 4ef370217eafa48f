/// A typed or opaque C pointer: Swift's type for `GFile *` and `MbimDevice *`.
public protocol CPointer: Hashable, SendableMetatype {
  init(raw: UnsafeMutableRawPointer)
  var raw: UnsafeMutableRawPointer { get }
}

extension OpaquePointer: CPointer {
  public init(raw: UnsafeMutableRawPointer) { self.init(raw) }
  public var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutablePointer: CPointer {
  public init(raw: UnsafeMutableRawPointer) { self = raw.assumingMemoryBound(to: Pointee.self) }
  public var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}
