import LimitClock
import ModemModel

/// What ModemManager's changes mean for the port.
extension FollowBackend {
  func see(_ view: ManagerView) {
    guard case .following(let old, let used) = state else { return }
    guard let new = view.modem(withPort: port), new.path == old.path else {
      if used != nil { said.yield(.bearerDropped(NetworkCause(code: nil, text: "ModemManager released the modem"))) }
      said.yield(.removed)
      end()
      return
    }
    state = .following(new, bearer: used)
    if new.sim != old.sim { said.yield(.simChanged) }
    if new.registration != old.registration { said.yield(.registrationChanged) }
    if let used { follow(used, from: old, to: new) }
  }

  private func follow(_ path: String, from old: ManagedModem, to new: ManagedModem) {
    let before = old.bearers.first { $0.path == path }
    guard let bearer = new.bearers.first(where: { $0.path == path }), bearer.isConnected else {
      state = .following(new, bearer: nil)
      lastLoss = clock.now
      said.yield(.bearerDropped(NetworkCause(code: nil, text: "ModemManager's bearer was disconnected")))
      return
    }
    if bearer != before { said.yield(.settingsChanged) }
  }
}
