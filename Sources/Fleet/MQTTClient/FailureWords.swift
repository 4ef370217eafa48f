import CMosquitto
import Glibc

// Why a connection failed, for people. What the broker says itself is not repeated: only codes are.
extension MosquittoHandle {
  /// - Parameters:
  ///   - code: libmosquitto's.
  ///   - errno: the system's number, where the code refers to it.
  func reason(_ code: Int32, errno: Int32) -> String {
    if let words = handshakeWords { return words }
    switch code {
    case MOSQ_ERR_EAI.rawValue:
      return "the name \(host) was not resolved: \(String(cString: gai_strerror(errno)))"
    case 0, MOSQ_ERR_CONN_LOST.rawValue:
      return "the broker ended the connection"
    case MOSQ_ERR_ERRNO.rawValue:
      // What TLS makes of an end without a word.
      return errno == EPROTO ? "the broker ended the connection" : String(cString: strerror(errno))
    case MOSQ_ERR_KEEPALIVE.rawValue:
      return "the broker did not answer a sign of life"
    case 128...255:
      return "the broker says: \(MosquittoFailure.reason(code))"
    default:
      return String(cString: mosquitto_strerror(code))
    }
  }

  /// What OpenSSL or the certificates' check complained of.
  private var handshakeWords: String? {
    if takesComplaint("host name verification failed") {
      return "the broker's certificate is not for \(host)"
    }
    if takesComplaint("certificate verify failed") {
      return "the broker's certificate is not of an authority in \(authorities), or not valid now"
    }
    for (alert, words) in Self.alerts where takesComplaint(alert) { return words }
    if takesComplaint("unexpected eof") { return "the broker ended the connection before it answered" }
    // File names in it are this machine's own.
    if let own = complaints.first(where: { $0.hasPrefix("Error: ") }) { return String(own.dropFirst(7)) }
    if let last = complaints.last(where: { $0.hasPrefix("OpenSSL") }) {
      return "TLS: " + (last.split(separator: ":").last.map(String.init) ?? last)
    }
    return nil
  }

  private static let alerts = [
    ("alert certificate revoked", "the broker says that this machine's certificate is revoked"),
    ("alert certificate expired", "the broker says that this machine's certificate has expired"),
    ("alert unknown ca", "the broker does not know the authority of this machine's certificate"),
    ("alert bad certificate", "the broker refused this machine's certificate"),
    ("alert certificate required", "the broker wants a certificate"),
    ("alert protocol version", "the broker has no TLS 1.2 or later"),
  ]

  private func takesComplaint(_ words: String) -> Bool { complaints.contains { $0.contains(words) } }
}
