import Rtnetlink
import Testing

/// The kinds of links that this kernel has.
enum KernelLinks {
  static let reason: Comment = "the kernel has no 802.1Q links (CONFIG_VLAN_8021Q), or this process may not make any"
  static let hasVLAN: Bool =
    (try? NetlinkSession(KernelNetlinkSocket(groups: [])).knowsLinks(ofKind: "vlan")) ?? false
}
