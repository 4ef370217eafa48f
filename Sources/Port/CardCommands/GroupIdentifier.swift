/// EF_GID1 of a USIM (3GPP TS 31.102, 4.2.10).
package enum GroupIdentifier {
  /// The identifier without the padding behind it; nil if there is none.
  ///
  /// - Parameter file: the file's content.
  package static func bytes(in file: [UInt8]) -> [UInt8]? {
    guard let last = file.lastIndex(where: { $0 != 0xff }) else { return nil }
    return Array(file[...last])
  }
}
