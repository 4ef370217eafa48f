import CMBIM
import ModemModel

/// The address families that the network gave a session.
struct GrantedFamilies: Hashable, Sendable {
  var ipv4 = true
  var ipv6 = true

  init() {}

  /// Reads them from the modem's report, else from the network's cause, else from the request.
  init(_ report: SessionReport, asked: BearerRequest.IPType) {
    switch report.type {
    case MBIM_CONTEXT_IP_TYPE_IPV4: (ipv4, ipv6) = (true, false)
    case MBIM_CONTEXT_IP_TYPE_IPV6: (ipv4, ipv6) = (false, true)
    case MBIM_CONTEXT_IP_TYPE_IPV4V6, MBIM_CONTEXT_IP_TYPE_IPV4_AND_IPV6: (ipv4, ipv6) = (true, true)
    default: (ipv4, ipv6) = (asked != .ipv6, asked != .ipv4)
    }
    // 50: IPv4 only; 51: IPv6 only.
    if report.networkError == 50 { (ipv4, ipv6) = (true, false) }
    if report.networkError == 51 { (ipv4, ipv6) = (false, true) }
  }
}
