import ModemAPI

extension Findings {
  /// Other programs on the same modem and interface.
  static let neighbours: [Rule] = [holders, missingProxy, strayProxy, sharing, networkManager, networkd, foreignRules]

  private static let own: Set<String> = ["modemd-port", "mbim-proxy", "qmi-proxy"]

  @Sendable private static func holders(_ seen: Observations) -> [Finding] {
    let strangers = seen.processes.filter { !own.contains($0.name) && !$0.ports.isEmpty }
    return strangers.map { process in
      let ports = process.ports.joined(separator: ", ")
      let isManager = process.name == "ModemManager"
      let owns = seen.modems.contains { $0.modem.sharing?.way == .own && process.ports.contains($0.modem.device) }
      return Finding(
        "port-held", owns || !isManager ? .wrong : .attention,
        seen: "\(process.name) (\(process.unit)) has \(ports) open"
          + (owns ? ", which modemd takes for its own." : "."),
        why:
          "A control port is not exclusive: of two readers each takes replies from the other, and calls run out of time.",
        next: isManager
          ? "sudo systemctl restart ModemManager lets it choose anew; to settle it, see \"Living with ModemManager\" in Docs/operations.md."
          : "Stop it, or keep modemd from the port with MODEMD_IGNORE=1 in a udev rule.")
    }
  }

  @Sendable private static func missingProxy(_ seen: Observations) -> [Finding] {
    // Both are needed only if ModemManager runs, or if a modem is shared.
    let isShared = seen.isActive("ModemManager.service") || seen.modems.contains { $0.modem.sharing?.way == .share }
    guard isShared else { return [] }
    let kinds = Set(seen.modems.map(\.modem.protocol.rawValue) + seen.ports.compactMap(\.protocol))
    return [("mbim", seen.hasMBIMProxy), ("qmi", seen.hasQMIProxy)].filter { kinds.contains($0.0) && !$0.1 }.map {
      kind, _ in
      Finding(
        "no-proxy", .wrong, seen: "ModemManager runs, and there is no /usr/libexec/\(kind)-proxy.",
        why: "Both can talk to one modem through the proxy only.", next: "sudo apt install lib\(kind)-proxy")
    }
  }

  @Sendable private static func strayProxy(_ seen: Observations) -> [Finding] {
    seen.processes.filter { ["mbim-proxy", "qmi-proxy"].contains($0.name) }.compactMap { proxy in
      let own = "modemd-\(proxy.name).service"
      guard proxy.unit != own, !proxy.unit.isEmpty else { return nil }
      return Finding(
        "proxy-unit", .attention, seen: "\(proxy.name) runs inside \(proxy.unit).",
        why: "When that unit stops, it takes the proxy along, and everybody's session with the modem.",
        next: "sudo systemctl enable --now \(own), at a time when no bearer is needed.")
    }
  }

  @Sendable private static func sharing(_ seen: Observations) -> [Finding] {
    seen.modems.compactMap { entry in
      guard let sharing = entry.modem.sharing, sharing.way == .follow, entry.bearer?.state != .up else { return nil }
      return Finding(
        "follow", .note,
        seen: "\(entry.modem.id) follows ModemManager's bearer, which is not connected: \(sharing.reason)",
        why: "Checks run only while ModemManager has a bearer.",
        next: "Connect it with NetworkManager or mmcli, or choose another way with \"sharing\" in the port's settings.")
    }
  }

  /// Interfaces of modems that only modemd uses.
  private static func ownInterfaces(_ seen: Observations) -> Set<String> {
    Set(
      seen.modems.filter { $0.modem.sharing?.way != .follow }.flatMap {
        [$0.modem.interface, $0.bearer?.settings?.interface]
      }
      .compactMap(\.self))
  }

  @Sendable private static func networkManager(_ seen: Observations) -> [Finding] {
    ownInterfaces(seen).sorted().compactMap { interface in
      guard let state = seen.networkManager[interface], !["unmanaged", "unavailable", "disconnected"].contains(state)
      else {
        return nil
      }
      // In `share`, the interface itself is ModemManager's, and modemd has a session over it.
      let isShared = seen.modems.contains { $0.modem.interface == interface && $0.modem.sharing?.way == .share }
      guard !isShared else { return nil }
      return Finding(
        "networkmanager", .wrong, seen: "NetworkManager manages \(interface) (\(state)).",
        why:
          "It takes away addresses and routes that it did not make, and may give the machine a default route over the bearer.",
        next:
          "In /etc/NetworkManager/conf.d/modemd.conf: [keyfile], unmanaged-devices=interface-name:\(interface); then sudo systemctl reload "
          + "NetworkManager")
    }
  }

  @Sendable private static func networkd(_ seen: Observations) -> [Finding] {
    ownInterfaces(seen).sorted().compactMap { interface in
      guard let state = seen.networkd[interface], !["unmanaged", "initialized", "pending", "linger"].contains(state)
      else {
        return nil
      }
      return Finding(
        "networkd", .wrong, seen: "systemd-networkd manages \(interface) (\(state)).",
        why: "A .network file fits this interface: its addresses and routes take the place of the bearer's.",
        next:
          "In /etc/systemd/network/05-modemd.network: [Match], Name=\(interface), [Link], Unmanaged=yes; then sudo networkctl reload"
      )
    }
  }

  @Sendable private static func foreignRules(_ seen: Observations) -> [Finding] {
    guard seen.isActive("systemd-networkd.service"), !seen.networkdTakes.isEmpty, !seen.ports.isEmpty else { return [] }
    return [
      Finding(
        "networkd-foreign", .attention,
        seen: "systemd-networkd runs without \(seen.networkdTakes.map { "\($0)=no" }.joined(separator: " and ")).",
        why:
          "When it starts or reloads it takes away rules and routes that it did not make: the bearer is lost then and made anew.",
        next:
          "In /etc/systemd/networkd.conf.d/modemd.conf: [Network], \(seen.networkdTakes.map { "\($0)=no" }.joined(separator: ", ")); then "
          + "sudo systemctl restart systemd-networkd")
    ]
  }
}
