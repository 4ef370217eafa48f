import NetworkAddress
import Rtnetlink

/// Removes everything of ours from the kernel, whoever put it there.
extension BearerNetwork {
  /// Removes what carries our tag on `interface` and in its tables, and restores the link to the
  /// state in its note.
  func sweep(_ interface: String, also more: Set<UInt32> = [], _ kernel: NetlinkSession) throws {
    let link = try kernel.link(named: interface)
    let rules = try kernel.rules().filter { $0.origin == BearerPlan.Numbers.origin }
    var tables = more
    // The rules of a vanished device remain with its name, although its index is gone.
    tables.formUnion(rules.filter { $0.outgoingInterface == interface }.map(\.table))
    if let link { tables.insert(BearerPlan.table(forInterface: link.index)) }
    tables = tables.filter { BearerPlan.interface(ofTable: $0) != nil }

    // First what is over the bearer, while the other ends can still be told. Once more when nothing
    // new can begin: a connection may have been made in between.
    let indices = tables.compactMap { BearerPlan.interface(ofTable: $0) }
    for index in indices { endSockets(over: interface, index, kernel) }

    // One failed removal must not prevent the others. The first error is thrown after all have been
    // tried.
    var errors = FirstError()
    let routes = try kernel.routes().filter { $0.origin == BearerPlan.Numbers.origin && tables.contains($0.table) }
    // What closes a path is removed last.
    for route in routes where route.kind != .unreachable { errors.collect { try kernel.delete(route) } }
    for index in indices { endSockets(over: interface, index, kernel) }
    if let link {
      // Without a note, the link and what is on it belong to another program.
      let isNoted = link.alias.flatMap(LinkNote.init(alias:)) != nil
      let sources = isNoted ? rules.filter { tables.contains($0.table) }.compactMap(\.source) : []
      errors.collect { try takeAddresses(from: link, sources: sources, kernel) }
      errors.collect { try restore(link, kernel) }
    }
    errors.collect { try deleteVRFs(ofTables: tables, kernel) }
    errors.collect { try deleteFilters(of: interface, kernel) }
    for rule in rules where tables.contains(rule.table) { errors.collect { try kernel.delete(rule) } }
    for route in routes where route.kind == .unreachable { errors.collect { try kernel.delete(route) } }
    try errors.rethrow()
  }

  /// The first error of several steps. A missing object is not an error: a device may vanish at any
  /// moment, with its routes and addresses.
  private struct FirstError {
    private var error: (any Error)?

    mutating func collect(_ step: () throws -> Void) {
      do {
        try BearerNetwork.ignoringAbsence(step)
      } catch {
        self.error = self.error ?? error
      }
    }

    func rethrow() throws {
      if let error { throw error }
    }
  }

  /// Kernels before 5.18 keep no tag on addresses. There, the sources of our rules show which
  /// addresses are ours.
  private func takeAddresses(from link: Link, sources: [IPPrefix], _ kernel: NetlinkSession) throws {
    for address in try kernel.addresses(ofInterface: link.index)
    where address.origin == BearerPlan.Numbers.origin
      || (address.origin == nil && sources.contains { $0.address == address.prefix.address })
    {
      try Self.ignoringAbsence { try kernel.delete(address, on: link.name) }
    }
  }

  /// Restores a link to the state in its note, and removes the note.
  func restore(_ link: Link, _ kernel: NetlinkSession) throws {
    guard let note = link.alias.flatMap(LinkNote.init(alias:)) else { return }
    // Take it down before the other changes: a link that was down must not give itself addresses in
    // the meantime.
    if link.isUp, !note.wasUp { try kernel.set(LinkChange(isUp: false), of: link) }
    if link.mtu != note.mtu { try kernel.set(LinkChange(mtu: note.mtu), of: link) }
    if let mode = note.addressGeneration, mode != link.addressGeneration {
      try kernel.set(LinkChange(addressGeneration: mode), of: link)
    }
    if let value = note.acceptsAdvertisements, files.acceptsAdvertisements(link.name) != value {
      files.setAcceptsAdvertisements(value, of: link.name)
    }
    if !link.isUp, note.wasUp { try kernel.set(LinkChange(isUp: true), of: link) }
    try kernel.set(LinkChange(alias: note.alias), of: link)
  }

  /// Our tables whose interface no longer exists. They are left by a process that was killed before
  /// its device was unplugged.
  static func tablesOfVanishedLinks(_ kernel: NetlinkSession) throws -> Set<UInt32> {
    let present = Set(try kernel.links().map(\.index))
    let rules = try kernel.rules()
    let tables =
      try kernel.links().compactMap(\.vrfTable)
      + rules.filter { $0.origin == BearerPlan.Numbers.origin }.map(\.table)
      + (try kernel.routes().filter { $0.origin == BearerPlan.Numbers.origin }.map(\.table))
    return Set(tables.filter { table in BearerPlan.interface(ofTable: table).map { !present.contains($0) } ?? false })
  }
}
