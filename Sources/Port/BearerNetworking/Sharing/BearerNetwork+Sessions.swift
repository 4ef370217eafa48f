import ModemModel
import Rtnetlink

/// A session's link that is ready for use.
struct UsableLink: Hashable, Sendable {
  let name: String
  /// Bytes that a packet on it may have; nil if the link sets no limit of its own.
  let room: Int?
}

/// Links for sessions: beside another program's session, or for modemd's own bearer if the modem or
/// its driver needs one.
extension BearerNetwork {
  /// The beginning of the alias of a link that modemd made.
  private static let mark = "modemd session "

  /// Whether an alias belongs to a link that modemd made.
  static func isMark(_ alias: String) -> Bool { alias.hasPrefix(mark) }

  /// Whether the kernel has links of this kind.
  func canMake(_ kind: SessionLink) -> Bool {
    guard let kernelKind = kind.stacked(1)?.kind else { return true }
    return (try? speaking("ask for links of kind \(kernelKind)") { try $0.knowsLinks(ofKind: kernelKind) }) ?? false
  }

  /// Makes a session's link. A link left by an earlier run is made again. A link that the kernel
  /// made for a WWAN class device is used as it is.
  ///
  /// - Parameters:
  ///   - session: the MBIM session, or the multiplexing id from 1.
  ///   - interface: the modem's own; for a WWAN class device, any of its links.
  ///   - multiplexing: what the modem and the driver agree on; nil if packets carry no multiplexing
  ///     id.
  ///   - ownsInterface: whether only modemd uses the interface. `restore` then restores its earlier
  ///     state.
  func makeLink(
    of session: Int, _ kind: SessionLink, over interface: String, multiplexing: Multiplexing? = nil,
    ownsInterface: Bool = false
  ) throws -> UsableLink {
    try speaking("make a link for session \(session) of \(interface)") { kernel in
      if case .wwan(let device) = kind {
        return try wwanLink(of: session, device, kernel)
      }
      let parent = try Self.existingLink(interface, kernel)
      if ownsInterface {
        try Self.refuseHostUplink(parent, kernel)
        try remember(parent, kernel)
      }
      try widen(parent, of: kind, for: multiplexing, kernel)
      let name = try newLink(of: session, kind, over: parent, multiplexing, kernel)
      let link = try label(name, "\(session) of \(interface)", kernel)
      // While the interface is down, the driver drops packets of a session.
      if !parent.isUp { try raise(parent, kernel) }
      return UsableLink(name: name, room: link.mtu)
    }
  }

  /// Removes a session's link. A missing link is not an error, and a link that modemd did not make
  /// stays.
  func deleteLink(_ name: String, of session: Int, _ kind: SessionLink, over interface: String) throws {
    try speaking("take away \(name)") { kernel in
      if case .qmimux = kind {
        let reason = files.deleteMux(session, of: interface)
        guard reason == 0 || files.muxLink(session, over: interface) == nil else {
          throw NetlinkError("write \(session) to qmi/del_mux of \(interface)", errno: reason)
        }
        return
      }
      guard let link = try kernel.link(named: name), Self.isOurs(link) else { return }
      try Self.ignoringAbsence { try kernel.delete(link) }
    }
  }

  /// Restores an interface that carried links to its state before the first one.
  func restore(_ interface: String) throws {
    try speaking("put \(interface) back to what it was") { kernel in
      guard let link = try kernel.link(named: interface) else { return }
      try Self.ignoringAbsence { try restore(link, kernel) }
    }
  }

  /// The links that an earlier run left over `interface`, or of a WWAN class device: their names
  /// and sessions.
  func leftLinks(over interface: String, _ kind: SessionLink?) throws -> [(name: String, session: Int)] {
    let owner: [Substring] = if case .wwan(let device) = kind { ["device", device[...]] } else { [interface[...]] }
    return try speaking("look for links that were left over \(interface)") { kernel in
      try kernel.links().compactMap { link in
        guard Self.isOurs(link), let words = link.alias?.dropFirst(Self.mark.count).split(separator: " "),
          words.count >= 2 + owner.count, words[2..<(2 + owner.count)].elementsEqual(owner),
          let session = Int(words[0])
        else { return nil }
        return (link.name, session)
      }
    }
  }

  /// The links of a WWAN class device that an earlier run used as they were and did not restore.
  func usedLinks(of device: String) throws -> [String] {
    try speaking("look for links of \(device) that were used") { kernel in
      try kernel.links().filter { link in
        link.part?.kind == "wwan" && link.part?.device == device && !Self.isOurs(link)
          && link.alias.flatMap(LinkNote.init(alias:)) != nil
      }.map(\.name)
    }
  }

  /// The lowest multiplexing id that no link over `interface` has.
  func freeID(over interface: String) throws -> Int {
    try speaking("look for a free multiplexing id of \(interface)") { kernel in
      var taken = files.muxIDs(over: interface)
      if let parent = try kernel.link(named: interface) {
        for link in try kernel.links() {
          if let part = link.part, part.kind == "rmnet", part.parent == parent.index { taken.insert(Int(part.number)) }
        }
      }
      guard let free = (1...254).first(where: { !taken.contains($0) }) else {
        throw ModemError(.networking, "all multiplexing ids of \(interface) have links; delete one, see `ip link`")
      }
      return free
    }
  }

  private static func isOurs(_ link: Link) -> Bool { link.alias.map(isMark) ?? false }

  private func label(_ name: String, _ words: String, _ kernel: NetlinkSession) throws -> Link {
    guard let link = try kernel.link(named: name) else {
      throw ModemError(.networking, "the link \(name) vanished as soon as it was made")
    }
    try kernel.set(LinkChange(alias: Self.mark + words), of: link)
    return link
  }

  private func raise(_ parent: Link, _ kernel: NetlinkSession) throws {
    // It gets no address and sends no router solicitation, because nobody asked for the interface
    // itself.
    if let mode = parent.addressGeneration, mode != 1 { try kernel.set(LinkChange(addressGeneration: 1), of: parent) }
    try kernel.set(LinkChange(isUp: true), of: parent)
  }

  // MARK: One kind each

  private func newLink(
    of session: Int, _ kind: SessionLink, over parent: Link, _ multiplexing: Multiplexing?, _ kernel: NetlinkSession
  ) throws -> String {
    let flags =
      files.ipaFlags(of: parent.name) ?? multiplexing.map { RmnetFlags(up: $0.up, down: $0.down) } ?? .takesApart
    guard let stacked = kind.stacked(session, flags: flags) else { return try newMuxLink(session, over: parent) }
    let name = "\(parent.name).\(session)"
    try makeRoom(for: name, kernel)
    try make(stacked, named: name, over: parent, kernel)
    return name
  }

  /// A link of a WWAN class device: the existing one for this session, or a new one.
  private func wwanLink(of session: Int, _ device: String, _ kernel: NetlinkSession) throws -> UsableLink {
    let present = try kernel.links().first { link in
      link.part?.kind == "wwan" && link.part?.device == device && link.part.map { Int($0.number) } == session
        && !Self.isOurs(link)
    }
    if let present { return UsableLink(name: present.name, room: nil) }
    let name = "\(device).\(session)"
    try makeRoom(for: name, kernel)
    try make(.wwan(UInt32(clamping: session), device: device), named: name, over: nil, kernel)
    _ = try label(name, "\(session) of device \(device)", kernel)
    return UsableLink(name: name, room: nil)
  }

  /// Frees a link's name by removing what an earlier run left.
  private func makeRoom(for name: String, _ kernel: NetlinkSession) throws {
    // IFNAMSIZ less the zero.
    guard name.utf8.count <= 15 else {
      throw ModemError(
        .networking,
        "\(name) is longer than the 15 characters of an interface's name; rename what stands before the dot")
    }
    guard let left = try kernel.link(named: name) else { return }
    guard Self.isOurs(left) else {
      throw ModemError(.networking, "another program has made \(name); choose another session with `bearer.session`")
    }
    try kernel.delete(left)
  }

  private func make(_ stacked: StackedLink, named name: String, over parent: Link?, _ kernel: NetlinkSession) throws {
    do {
      try kernel.make(stacked, named: name, over: parent)
    } catch let error as NetlinkError where error.code == .familyNotSupported {
      throw ModemError(.networking, Self.lack(of: stacked), cause: "\(error)")
    } catch let error as NetlinkError where error.code == .exists {
      throw ModemError(
        .networking,
        "another program has a link for \(stacked.kind) number \(stacked.number); choose another with `bearer.session`",
        cause: "\(error)")
    } catch let error as NetlinkError where error.code == .noDevice {
      throw ModemError(
        .networking, "what \(name) is to be a link of is gone; is the modem plugged in?", cause: "\(error)")
    }
  }

  /// What to do if the kernel lacks a kind of link.
  static func lack(of stacked: StackedLink) -> String {
    switch stacked {
    case .vlan:
      "the kernel has no links of kind vlan; load its module (`modprobe 8021q`), or take `bearer.session` out of the configuration"
    case .rmnet:
      "the kernel has no links of kind rmnet; load its module (`modprobe rmnet`), or take a kernel with CONFIG_RMNET: Debian's for PCs "
        + "have none. qmi_wwan multiplexes without it: write N to qmi/pass_through of its interface"
    case .wwan(_, let device):
      "the driver of \(device) makes no links, or the kernel has no links of kind wwan: load the data driver of the modem (iosm, "
        + "mtk_t7xx, mhi_wwan_mbim)"
    }
  }

  private func newMuxLink(_ id: Int, over parent: Link) throws -> String {
    if let name = files.muxLink(id, over: parent.name) { return name }
    let reason = files.addMux(id, to: parent.name)
    guard reason == 0 else { throw NetlinkError("write \(id) to qmi/add_mux of \(parent.name)", errno: reason) }
    guard let name = files.muxLink(id, over: parent.name) else {
      throw ModemError(.networking, "qmi_wwan made no link for multiplexing id \(id) over \(parent.name)")
    }
    return name
  }
}
