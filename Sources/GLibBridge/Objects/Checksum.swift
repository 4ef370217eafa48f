import CGLib

/// Digests of GLib.
public enum Checksum {
  /// SHA-256 (FIPS 180-4) of bytes, in 64 hexadecimal digits.
  public static func sha256(_ bytes: [UInt8]) -> String {
    // Impossible: nil comes only for a kind of digest that GLib does not know.
    let text = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, gsize(bytes.count))!
    defer { g_free(text) }
    return String(cString: text)
  }
}
