import ModemModel
import Rtnetlink

/// Links for sessions beside another program's.
extension BearerNetwork {
  /// What the alias of a link of modemd's own begins with.
  private static let mark = "modemd session "

  /// Whether the kernel has links of this kind.
  func canMake(_ kind: SessionLink) -> Bool {
    guard let kernelKind = kind.stacked(1)?.kind else { return true }
    return (try? speaking("ask for links of kind \(kernelKind)") { try $0.knowsLinks(ofKind: kernelKind) }) ?? false
  }

  /// Makes the link of a session, and returns its name. One that an earlier run left is made anew.
  ///
  /// - Parameters:
  ///   - session: the MBIM session or the multiplexing id, from 1.
  ///   - interface: the modem's own.
  func makeLink(of session: Int, _ kind: SessionLink, over interface: String) throws -> String {
    try speaking("make a link for session \(session) of \(interface)") { kernel in
      let parent = try Self.existingLink(interface, kernel)
      let name = try newLink(of: session, kind, over: parent, kernel)
      guard let link = try kernel.link(named: name) else {
        throw ModemError(.networking, "the link \(name) vanished as soon as it was made")
      }
      try kernel.set(LinkChange(alias: "\(Self.mark)\(session) of \(interface)"), of: link)
      // The driver drops what it gets for a session while the interface is down.
      if !parent.isUp { try raise(parent, kernel) }
      return name
    }
  }

  /// Takes the link of a session away; one that is gone is no error.
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

  /// The links that an earlier run left over `interface`: their names and sessions.
  func leftLinks(over interface: String) throws -> [(name: String, session: Int)] {
    try speaking("look for links that were left over \(interface)") { kernel in
      try kernel.links().compactMap { link in
        guard Self.isOurs(link), let words = link.alias?.dropFirst(Self.mark.count).split(separator: " "),
          words.count >= 3, words[2] == interface, let session = Int(words[0])
        else { return nil }
        return (link.name, session)
      }
    }
  }

  private static func isOurs(_ link: Link) -> Bool { link.alias?.hasPrefix(mark) ?? false }

  private func raise(_ parent: Link, _ kernel: NetlinkSession) throws {
    // No address and no router solicitation of its own: nobody has asked for the interface itself.
    if let mode = parent.addressGeneration, mode != 1 { try kernel.set(LinkChange(addressGeneration: 1), of: parent) }
    try kernel.set(LinkChange(isUp: true), of: parent)
  }

  private func newLink(
    of session: Int, _ kind: SessionLink, over parent: Link, _ kernel: NetlinkSession
  ) throws -> String {
    guard let stacked = kind.stacked(session) else { return try newMuxLink(session, over: parent) }
    let name = "\(parent.name).\(session)"
    // IFNAMSIZ less the zero.
    guard name.utf8.count <= 15 else {
      throw ModemError(
        .networking, "\(name) is longer than the 15 characters of an interface's name; rename \(parent.name)")
    }
    if let left = try kernel.link(named: name) {
      guard Self.isOurs(left) else {
        throw ModemError(
          .networking, "another program has made \(name); choose another session with `bearer.session`")
      }
      try kernel.delete(left)
    }
    do {
      try kernel.make(stacked, named: name, over: parent)
    } catch let error as NetlinkError where error.code == .familyNotSupported {
      throw ModemError(
        .networking, "the kernel has no links of kind \(stacked.kind); load its module, or share the modem another way",
        cause: "\(error)")
    }
    return name
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
