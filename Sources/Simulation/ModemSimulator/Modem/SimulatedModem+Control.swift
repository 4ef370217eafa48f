import ModemModel

/// The world acting on the modem.
extension SimulatedModem {
  /// Takes the SIM out of its slot; sessions end.
  package func removeSIM() { change { $0.setSlot(.empty) } }

  /// Inserts a SIM into the slot. If `isInitialising` is true, it is being read until
  /// `finishInitialising`.
  package func insertSIM(_ sim: SimulatedSIM, isInitialising: Bool = false) {
    change { $0.setSlot(isInitialising ? .initialising(SIMCard(sim)) : .ready(SIMCard(sim))) }
  }

  /// Ends the reading of a SIM that was put in with `isInitialising`.
  package func finishInitialising() {
    change {
      if case .initialising(let card) = $0.slot { $0.setSlot(.ready(card)) }
    }
  }

  /// Selects another slot, as the modem's firmware may do by itself; sessions end.
  ///
  /// - Parameter slot: from 1 to the number of slots.
  package func useSlot(_ slot: Int) {
    change { if slot >= 1, slot <= $0.cards.count { $0.useSlot(slot - 1) } }
  }

  /// Makes the SIM ask for this PIN, as after a power cycle; sessions end.
  package func lockSIM(pin: PIN) {
    change {
      _ = $0.withCard { card in
        card.relock(pin: pin.revealed)
        return .done
      }
    }
  }

  /// Switches the radio, as the hardware switch does.
  package func setRadio(on isOn: Bool) {
    change { engine in
      guard engine.isRadioOn != isOn else { return }
      engine.follow { $0.isRadioOn = isOn }
      engine.emit(.radio)
    }
  }

  /// Moves the modem to another network situation: lost, denied, roaming, another technology,
  /// another signal.
  package func setNetwork(_ network: SimulatedNetwork) {
    change { engine in
      let before = engine.network
      engine.follow { $0.network = network }
      if network.rssi != before.rssi || network.servingSignal != before.servingSignal { engine.emit(.signal) }
    }
  }

  /// Changes the received signal.
  ///
  /// - Parameters:
  ///   - rssi: dBm, -113 to -51; nil where nothing is heard.
  ///   - referenceSignal: of the serving cell; nil for what goes with `rssi`.
  package func setSignal(rssi: Int?, _ referenceSignal: ReferenceSignal? = nil) {
    change {
      $0.network.rssi = rssi
      $0.network.referenceSignal = referenceSignal
      $0.emit(.signal)
    }
  }

  /// The network takes every bearer away.
  ///
  /// - Parameter cause: 3GPP TS 24.301, 9.9.4.4; 36 is a regular deactivation.
  package func dropBearers(cause: Int = 36) {
    change { $0.endSessions(.network(cause: cause)) { _ in true } }
  }

  /// The network renumbers: its bearers change, those in use at once.
  ///
  /// - Parameter bearers: at least as many as are in use.
  package func setBearers(_ bearers: [SimulatedBearer]) {
    change { engine in
      engine.configuration.bearers = bearers
      engine.endSessions(.network(cause: 39)) { !bearers.indices.contains($0.bearer) }
      for session in engine.sessions { engine.emit(.addresses(session.owner)) }
    }
  }

  /// Restarts the modem's firmware: the port stays, but the modem has forgotten the host. MBIM
  /// answers NotOpened until the next OPEN. QMI reports with a Sync indication that every client id
  /// is void.
  package func restart() { restartFirmware() }

  /// Changes how challenges are answered from now on. Channels that are open stay open.
  package func setAuthentication(_ authentication: SimulatedAuthentication) {
    change { $0.authentication = authentication }
  }

  /// Replaces the faults from now on.
  package func setFaults(_ faults: [SimulatedFault]) { change { $0.faults = faults } }
}
