import CLinux

/// A multicast group of the routing family (linux/rtnetlink.h, RTNLGRP_*).
package enum NetlinkGroup: String, Sendable, CaseIterable, CustomStringConvertible {
  case links, ipv4Addresses, ipv6Addresses, ipv4Routes, ipv6Routes, ipv4Rules, ipv6Rules

  var number: UInt32 {
    switch self {
    case .links: RTNLGRP_LINK.rawValue
    case .ipv4Addresses: RTNLGRP_IPV4_IFADDR.rawValue
    case .ipv6Addresses: RTNLGRP_IPV6_IFADDR.rawValue
    case .ipv4Routes: RTNLGRP_IPV4_ROUTE.rawValue
    case .ipv6Routes: RTNLGRP_IPV6_ROUTE.rawValue
    case .ipv4Rules: RTNLGRP_IPV4_RULE.rawValue
    case .ipv6Rules: RTNLGRP_IPV6_RULE.rawValue
    }
  }

  package var description: String { rawValue }
}
