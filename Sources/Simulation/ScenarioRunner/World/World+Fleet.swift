import Glibc
import ModemSimulator
import Rtnetlink
import USBModem

/// One of the modems after the first: with a device, a tunnel to the operator and its own process.
struct FleetMember: Sendable {
  /// From 1.
  let number: Int
  let modem: SimulatedModem
  let pump: TunnelPump
  /// Opens the gate for the modem's sessions.
  let session: Task<Void, Never>
  /// Its place on the USB bus, in a world that uses one.
  var usb: USBModem?

  var interface: String { "wwan\(number)" }
}

extension World {
  /// Path of a modem's control port.
  private nonisolated func devicePath(of number: Int) -> String { folder.file("modem\(number)") }

  /// Makes the scenario's modems besides the first, each with its own bearer to the same operator.
  func makeFleet() async throws {
    for (number, member) in scenario.members.enumerated().dropFirst() {
      let (gateways, mtu) = (member.network.gateways, member.network.mtu)
      let networkEnd = try await links.network.run {
        let device = try TunDevice("gw\(number)")
        try Kernel().bringUp("gw\(number)", gateways, mtu: mtu)
        return device
      }
      let sockets = options.usesUSB ? try Self.packetSockets() : nil
      let hostEnd =
        if let sockets { TunDevice("usb\(number)", socket: sockets.network) } else {
          try await links.host.run { try TunDevice("wwan\(number)") }
        }
      let gate = BearerGate()
      let modem = member.makeModem(kind: options.kind)
      let pump = try TunnelPump(
        host: hostEnd, network: networkEnd, delay: UInt64(member.network.delay) * 1_000_000, gate: gate)
      let session = Task {
        for await bearers in modem.bearerChanges() {
          gate.follow(bearers, isReadable: modem.snapshot.isRawIP)
        }
      }
      fleet.append(FleetMember(number: number, modem: modem, pump: pump, session: session))
      do {
        try modem.plugIn(link: devicePath(of: number))
      } catch {
        throw WorldError(.system, "the simulated modem \(number) cannot be plugged in", cause: "\(error)")
      }
      if let sockets {
        fleet[fleet.count - 1].usb = try usbModem(
          controlPort: devicePath(of: number), packets: sockets.modem, member.modem)
      }
    }
  }

  /// Starts a port for each of them, and waits until all answer.
  func startFleetPorts() async throws {
    let kind = options.kind ?? scenario.modem.kind
    var started: [(ChildProcess, socket: String)] = []
    for member in fleet {
      let socket = folder.file("ports/\(member.interface)")
      let state = folder.file("state/\(member.interface)")
      mkdir(state, 0o700)
      let process = try await start(
        "modemd-port-\(member.interface)",
        [
          Programs.daemon("modemd-port", in: options.programs), "--device", devicePath(of: member.number), "--protocol",
          kind.rawValue,
          "--interface", member.interface, "--socket", socket, "--state-directory", state,
          "--id-key", folder.file("id-key"),
        ], in: links.host, with: portVariables)
      processes.append(process)
      started.append((process, socket))
    }
    for (process, socket) in started {
      try await wait(for: process, "it answers at its socket") { UnixSocket.isServed(socket) }
    }
  }

  func endFleet() {
    for member in fleet {
      member.session.cancel()
      member.usb?.unplug()
      member.modem.unplug()
      member.pump.stop()
    }
    fleet = []
  }
}
