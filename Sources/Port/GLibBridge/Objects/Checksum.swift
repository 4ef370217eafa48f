import CGLib

/// Digests of GLib.
package enum Checksum {
  /// SHA-256 (FIPS 180-4) of bytes, in 64 hexadecimal digits.
  package static func sha256(_ bytes: [UInt8]) -> String {
    // Impossible: GLib only returns nil for an unknown kind of digest.
    let text = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, gsize(bytes.count))!
    defer { g_free(text) }
    return String(cString: text)
  }

  /// HMAC-SHA-256 (RFC 2104) of bytes under a key, in 64 hexadecimal digits.
  package static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> String {
    // Impossible: GLib only returns nil for an unknown kind of digest.
    let text = g_compute_hmac_for_data(G_CHECKSUM_SHA256, key, gsize(key.count), bytes, gsize(bytes.count))!
    defer { g_free(text) }
    return String(cString: text)
  }
}
