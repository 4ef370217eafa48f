import ModemModel
import NetworkAddress
import Rtnetlink

/// Chooses a guard that the kernel supports, and installs it.
extension BearerNetwork {
  /// Applies a plan with the best guard that the kernel supports and the settings allow.
  ///
  /// - Parameter put: puts a plan into the kernel.
  /// - Returns: what stands.
  func applyGuarded(
    _ settings: BearerSettings, to link: Link, families: [AddressFamily], isAdopted: Bool, _ kernel: NetlinkSession,
    _ put: (BearerPlan, Link) throws -> Void
  ) throws -> BearerGuard {
    var reasons: [String] = []
    // Trying another way would remove the present guard.
    var attempts =
      shields[link.name]?.attempt.map { [$0] } ?? GuardAttempt.all(guarding?.choice ?? .off, isAdopted: isAdopted)
    while true {
      let attempt = attempts.removeFirst()
      do {
        // Undo what an earlier attempt changed on the link.
        let link = reasons.isEmpty ? link : try Self.existingLink(link.name, kernel)
        return try apply(attempt, reasons, settings, to: link, families: families, isAdopted: isAdopted, kernel, put)
      } catch {
        shields[link.name] = nil
        try? sweep(link.name, kernel)
        guard !attempts.isEmpty, let error = error as? NetlinkError, error.code != .notPermitted else { throw error }
        reasons.append(error.message)
      }
    }
  }

  private func apply(
    _ attempt: GuardAttempt, _ reasons: [String], _ settings: BearerSettings, to link: Link, families: [AddressFamily],
    isAdopted: Bool, _ kernel: NetlinkSession, _ put: (BearerPlan, Link) throws -> Void
  ) throws -> BearerGuard {
    var shield = BearerShield(
      attempt: attempt, familiesWithoutGateway: shields[link.name]?.familiesWithoutGateway ?? [])
    let result: BearerGuard
    if attempt == .vrf {
      guard try kernel.knowsLinks(ofKind: "vrf") else {
        throw NetlinkError(.familyNotSupported, "the kernel has no VRF devices (CONFIG_NET_VRF)")
      }
    } else {
      try requireNoConflict(settings, on: link, kernel)
    }
    switch attempt {
    case .vrf:
      shield.vrf = try vrfName(for: link, kernel)
      shield.user = guarding?.user
      let filter = guarding.map {
        FilterTable.beside(
          vrf: shield.vrf ?? "", link.name, index: link.index, user: $0.user)
      }
      do {
        try filter.map { try filterSession().replace($0) }
        shield.filter = filter
        result = .vrf(nil)
      } catch let error as NetlinkError {
        forgetFilterSession()
        result = .vrf(
          "without nftables a user's socket that is bound to \(shield.vrf ?? "") leaves by the bearer: \(error.message)"
        )
      }
    case .filter:
      let filter = guarding.map {
        FilterTable.alone(
          link.name, index: link.index, addresses: [settings.ipv4, settings.ipv6].compactMap { $0?.prefix.address },
          user: $0.user)
      }
      try filter.map { try filterSession().replace($0) }
      shield.filter = filter
      result = .nftables
    case .nothing(let reason):
      let reason = reason.isEmpty ? reasons.joined(separator: "; ") : reason
      shield.attempt = .nothing(reason)
      result = .none(reason)
    }
    try applyWithGateways(settings, shield, to: link, families: families, isAdopted: isAdopted, put)
    return result.lacking(reasonSocketsStay())
  }

  /// Leaves out a gateway that the kernel refuses, because it is the machine's own address or
  /// another route covers it. The default route then uses the device without a gateway.
  private func applyWithGateways(
    _ settings: BearerSettings, _ shield: BearerShield, to link: Link, families: [AddressFamily], isAdopted: Bool,
    _ put: (BearerPlan, Link) throws -> Void
  ) throws {
    var shield = shield
    while true {
      let plan = BearerPlan(
        settings, interface: link.name, index: link.index, families: families, isAdopted: isAdopted, shield: shield)
      do {
        try put(plan, link)
        shields[link.name] = shield
        return
      } catch let refusal as RefusedGateway {
        guard shield.familiesWithoutGateway.insert(refusal.family).inserted else { throw refusal.error }
      }
    }
  }

  /// A gateway that the kernel refused.
  struct RefusedGateway: Error {
    let family: AddressFamily
    let error: NetlinkError
  }

  /// Name of the VRF device for a link: its existing VRF's, or that of a new one.
  private func vrfName(for link: Link, _ kernel: NetlinkSession) throws -> String {
    let name = BearerShield.vrfName(for: link.name, index: link.index)
    guard let other = try kernel.link(named: name), !Self.isOurs(vrf: other) else { return name }
    return "vrf-if\(link.index)"
  }

  /// A VRF device of ours has a table of ours.
  static func isOurs(vrf: Link) -> Bool { vrf.vrfTable.map { BearerPlan.interface(ofTable: $0) != nil } ?? false }

  /// Makes the VRF if it is missing, and the link a port of it. Enslaving drops IPv6 addresses, so
  /// it comes before they are set.
  func enslave(_ plan: BearerPlan, _ link: Link, _ kernel: NetlinkSession) throws {
    guard let name = plan.shield.vrf else {
      // Left by an earlier run with other settings.
      if let master = link.master, let device = try kernel.link(index: master), Self.isOurs(vrf: device) {
        try kernel.set(LinkChange(master: 0), of: link)
        try kernel.delete(device)
      }
      return
    }
    var vrf = try kernel.link(named: name)
    if let old = vrf, old.vrfTable != plan.table {
      try kernel.delete(old)
      vrf = nil
    }
    if vrf == nil {
      try kernel.makeVRF(name, table: plan.table)
      vrf = try kernel.link(named: name)
    }
    guard let vrf else { throw NetlinkError(.noDevice, "the VRF device \(name) vanished right after it was made") }
    for family in try Self.families(kernel) where try !kernel.rules(family).contains(where: \.asksVRF) {
      try kernel.add(BearerPlan.askingVRF(family))
    }
    if !vrf.isUp {
      // It has no address of its own, so it sends no packets of its own.
      if vrf.addressGeneration != nil { try kernel.set(LinkChange(addressGeneration: 1), of: vrf) }
      try kernel.set(LinkChange(isUp: true), of: vrf)
    }
    if link.master != vrf.index { try kernel.set(LinkChange(master: vrf.index), of: link) }
  }

  /// Removes the VRF devices of these tables; their ports stay.
  func deleteVRFs(ofTables tables: Set<UInt32>, _ kernel: NetlinkSession) throws {
    for link in try kernel.links() where link.vrfTable.map(tables.contains) ?? false {
      try Self.ignoringAbsence { try kernel.delete(link) }
    }
  }

  /// Removes the bearer's table from the packet filter, and the tables of interfaces that no longer
  /// exist.
  func deleteFilters(of interface: String, _ kernel: NetlinkSession) throws {
    guard guarding != nil else { return }
    do {
      let present = Set(try kernel.links().map(\.name))
      for name in try filterSession().filterTables() where name.hasPrefix(BearerShield.filterMark) {
        let owner = String(name.dropFirst(BearerShield.filterMark.count))
        if owner == interface || !present.contains(owner) {
          try Self.ignoringAbsence { try filterSession().deleteFilterTable(name) }
        }
      }
    } catch let error as NetlinkError where error.code != .notPermitted {
      // A kernel without nf_tables has no tables either.
      forgetFilterSession()
    }
  }

  func hasFilter(_ shield: BearerShield) throws -> Bool {
    guard let filter = shield.filter else { return false }
    do {
      return try filterSession().has(filter)
    } catch {
      forgetFilterSession()
      throw error
    }
  }
}

extension BearerGuard {
  /// The same guard, with what it does not do for sockets. The packet filter has no such sentence.
  fileprivate func lacking(_ sockets: String?) -> BearerGuard {
    guard let sockets else { return self }
    let sentence = "sockets that are handed to programs outlive the bearer: \(sockets)"
    return switch self {
    case .vrf(let gap): .vrf([gap, sentence].compactMap { $0 }.joined(separator: "; "))
    case .nftables: self
    case .none(let reason): .none("\(reason); \(sentence)")
    }
  }
}
