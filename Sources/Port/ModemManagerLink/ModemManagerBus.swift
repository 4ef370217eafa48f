import CGLib
import GLibBridge
import LimitClock
import ModemModel

/// Observes ModemManager over D-Bus with GDBus: whether it runs, its modems, and their changes.
///
/// It only reads, except for `keepAway`, and never starts ModemManager.
package actor ModemManagerBus {
  package nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }
  nonisolated let glib = GLibExecutor(name: "system-bus")

  /// How long one call may take.
  static let callLimit = Duration.seconds(10)

  private enum Link {
    /// Nothing is known yet.
    case unknown
    case open(BusConnection, AsyncStream<Void>.Continuation)
    case none
  }

  private let address: String?
  private let clock: LimitClock
  private var link = Link.unknown
  /// Increments when ModemManager starts or stops, so that answers to older questions are dropped.
  private var generation = 0
  private var underWay: Set<ManagedObjects.Missing> = []
  private var viewers: [Int: AsyncStream<ManagerView>.Continuation] = [:]
  private var nextViewer = 0
  /// Nil until it is known whether ModemManager runs.
  private var view: ManagerView?
  /// The first view since ModemManager started, until it is complete.
  private var first: ManagerView?
  private var wish = Inhibition()
  /// Whether the bus can start ModemManager: it is then installed and may start at any time.
  package private(set) var mayCome = false

  /// Prepares to observe; `run` does it.
  ///
  /// - Parameters:
  ///   - address: a D-Bus address; nil for the system bus, which DBUS_SYSTEM_BUS_ADDRESS can set.
  ///   - clock: for the wait before the next try to reach the bus, and for a bus that stays silent.
  package init(address: String? = nil, clock: LimitClock = .machine) {
    self.address = address
    self.clock = clock
  }

  // MARK: What is seen

  /// Observes until the task is cancelled. A missing bus is tried again every ten seconds.
  package func run() async {
    while !Task.isCancelled {
      await look()
      settle(.absent)
      guard (try? await clock.pause(for: .seconds(10))) != nil else { break }
    }
    for viewer in viewers.values { viewer.finish() }
    viewers = [:]
  }

  /// The present view, and then every change. It begins once it is known whether ModemManager runs.
  package func views() -> AsyncStream<ManagerView> {
    let (stream, continuation) = AsyncStream.makeStream(of: ManagerView.self)
    let id = nextViewer
    nextViewer += 1
    viewers[id] = continuation
    if let view { continuation.yield(view) }
    continuation.onTermination = { [weak self] _ in Task { await self?.forget(viewer: id) } }
    return stream
  }

  /// The present view. A bus that stays silent for `patience` means that ModemManager is absent.
  package func view(within patience: Duration = .seconds(5)) async -> ManagerView {
    if let view { return view }
    let views = views()
    return await withTaskGroup(of: ManagerView?.self) { group in
      group.addTask {
        for await view in views { return view }
        return nil
      }
      group.addTask { [clock] in
        try? await clock.pause(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next().flatMap { $0 } ?? .absent
    }
  }

  private func forget(viewer id: Int) { viewers[id] = nil }

  private func settle(_ new: ManagerView) {
    guard view != new else { return }
    view = new
    for viewer in viewers.values { viewer.yield(new) }
    Task { await inhibitAsWished() }
  }

  // MARK: The connection

  /// Connects, and observes until the bus closes the connection or the task is cancelled.
  private func look() async {
    let (closing, continuation) = AsyncStream.makeStream(of: Void.self)
    guard
      let connection = try? await BusConnection.open(
        address, on: glib, within: Self.callLimit, onClose: { continuation.finish() })
    else {
      link = .none
      return
    }
    link = .open(connection, continuation)
    subscribe(connection)
    // Asked side by side: the port waits for these answers before it opens the modem.
    let startable = Task { await canStartManager(connection) }
    let greeting = Task { await ask(connection) }
    await withTaskCancellationHandler {
      mayCome = await startable.value
      take(await greeting.value, connection)
    } onCancel: {
      startable.cancel()
      greeting.cancel()
    }
    for await _ in closing {}
    startAnew()
    link = .none
    connection.close()
  }

  /// ModemManager, or the bus, has been replaced.
  private func startAnew() {
    generation += 1
    underWay = []
    first = nil
    wish.forgetHeld()
  }

  private func subscribe(_ connection: BusConnection) {
    let bus = "org.freedesktop.DBus"
    let manager = ManagedObjects.Interface.manager
    let receive: @Sendable (BusConnection.Signal) -> Void = { [weak self] signal in
      // Impossible: signals come on the GLib thread, which is this actor's executor.
      self?.assumeIsolated { $0.handle(signal) }
    }
    connection.subscribe(
      sender: bus, interface: bus, member: "NameOwnerChanged", path: "/org/freedesktop/DBus", argument: manager,
      receive: receive)
    connection.subscribe(sender: manager, interface: "\(bus).ObjectManager", receive: receive)
    connection.subscribe(
      sender: manager, interface: "\(bus).Properties", member: "PropertiesChanged", receive: receive)
  }

  private func handle(_ signal: BusConnection.Signal) {
    guard case .open(let connection, _) = link else { return }
    let arguments = signal.arguments
    if signal.member == "NameOwnerChanged" {
      startAnew()
      if arguments.last?.someText == nil { settle(.absent) } else { Task { await greet(connection) } }
      return
    }
    guard var next = present else { return }
    switch signal.member {
    case "InterfacesAdded" where arguments.count == 2:
      next.objects.add(arguments[0].text ?? "", arguments[1])
    case "InterfacesRemoved" where arguments.count == 2:
      next.objects.remove(arguments[0].text ?? "", arguments[1])
    case "PropertiesChanged" where arguments.count == 3:
      next.objects.change(signal.path, arguments[0].text ?? "", arguments[1], arguments[2])
    default: return
    }
    complete(next, connection)
  }

  private func canStartManager(_ connection: BusConnection) async -> Bool {
    let bus = "org.freedesktop.DBus"
    let names = try? await connection.call(
      bus, "/org/freedesktop/DBus", bus, "ListActivatableNames", within: Self.callLimit)
    return names?.first?.list?.contains { $0.text == ManagedObjects.Interface.manager } ?? false
  }

  /// Asks a running ModemManager for everything that it has.
  private func greet(_ connection: BusConnection) async {
    take(await ask(connection), connection)
  }

  /// What ModemManager answered, and to which generation.
  private struct Greeting: Sendable {
    let generation: Int
    /// Nil if it does not run, or is shutting down. A signal reports when it starts.
    var view: ManagerView?
  }

  private func ask(_ connection: BusConnection) async -> Greeting {
    let asked = generation
    let version = Task { await askForVersion(connection) }
    let objects = try? await connection.call(
      ManagedObjects.Interface.manager, Self.managerPath, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects",
      within: Self.callLimit)
    guard let objects, let version = await version.value else { return Greeting(generation: asked) }
    var view = ManagerView(isRunning: true, version: version.first?.someText, objects: ManagedObjects())
    view.objects.replace(objects.first ?? .dictionary([:]))
    return Greeting(generation: asked, view: view)
  }

  private static let managerPath = "/org/freedesktop/ModemManager1"

  private func askForVersion(_ connection: BusConnection) async -> [DBusValue]? {
    let manager = ManagedObjects.Interface.manager
    return try? await connection.call(
      manager, Self.managerPath, "org.freedesktop.DBus.Properties", "Get", [.text(manager), .text("Version")],
      within: Self.callLimit)
  }

  private func take(_ greeting: Greeting, _ connection: BusConnection) {
    guard greeting.generation == generation else { return }
    if let view = greeting.view { complete(view, connection) } else { settle(.absent) }
  }

  /// Asks for the objects that others point to, and publishes the view when none is missing.
  private func complete(_ next: ManagerView, _ connection: BusConnection) {
    let missing = next.objects.missing
    if missing.isEmpty || view?.isRunning == true {
      first = nil
      settle(next)
    } else {
      first = next
    }
    for object in missing where underWay.insert(object).inserted {
      Task { await load(object, connection) }
    }
  }

  /// The view of a running ModemManager.
  private var present: ManagerView? { view?.isRunning == true ? view : first }

  private func load(_ object: ManagedObjects.Missing, _ connection: BusConnection) async {
    let asked = generation
    let answer = try? await connection.call(
      ManagedObjects.Interface.manager, object.path, "org.freedesktop.DBus.Properties", "GetAll",
      [.text(object.interface)], within: Self.callLimit)
    guard asked == generation, case .open(let current, _) = link, current === connection else { return }
    underWay.remove(object)
    guard var next = present else { return }
    // An object that vanished in the meantime counts as one without properties. Otherwise it would
    // be requested for ever.
    next.objects.load(object, answer?.first ?? .dictionary([:]))
    complete(next, connection)
  }

  // MARK: Telling ModemManager

  /// Calls a method of ModemManager's.
  ///
  /// - Throws: `ModemError`: `deviceUnavailable` if it does not run, `failed` with its own message.
  package func call(
    _ path: String, _ interface: String, _ method: String, _ arguments: [DBusArgument] = []
  ) async throws(ModemError) -> [DBusValue] {
    guard case .open(let connection, _) = link else {
      throw ModemError(.deviceUnavailable, "\(method): there is no connection to the system bus")
    }
    do throws(GLibBridgeError) {
      return try await connection.call(
        ManagedObjects.Interface.manager, path, interface, method, arguments, within: Self.callLimit)
    } catch {
      throw ModemError(.failed, "\(method): ModemManager refused", cause: error.message)
    }
  }

  /// Makes ModemManager release the modem with this control port (InhibitDevice), now and whenever
  /// it takes it again, until `leaveAlone`. It ends automatically with this process.
  ///
  /// - Returns: when ModemManager has released the modem, or does not have it.
  /// - Throws: `ModemError` `busy` if it refuses.
  package func keepAway(fromPort port: String) async throws(ModemError) {
    wish.port = port
    if let refusal = await inhibitAsWished() {
      throw ModemError(
        .busy, "ModemManager does not release the modem; stop it, or set `sharing` to another way", cause: refusal)
    }
  }

  /// Whether ModemManager has released the modem because it was asked to.
  package var isKeptAway: Bool { wish.held != nil }

  /// Lets ModemManager use the modem again.
  package func leaveAlone() async {
    wish.port = nil
    guard let uid = wish.held else { return }
    wish.forgetHeld()
    _ = try? await inhibit(uid, false)
  }

  /// Returns why ModemManager refused; nil if it did not, or was not asked.
  @discardableResult
  private func inhibitAsWished() async -> String? {
    guard let port = wish.port, let modem = view?.modem(withPort: port), wish.begin(modem.uid) else { return nil }
    do throws(ModemError) {
      try await inhibit(modem.uid, true)
      wish.end(holding: modem.uid)
      return nil
    } catch {
      wish.end(holding: nil)
      return error.description
    }
  }

  private func inhibit(_ uid: String, _ value: Bool) async throws(ModemError) {
    _ = try await call(
      "/org/freedesktop/ModemManager1", ManagedObjects.Interface.manager, "InhibitDevice", [.text(uid), .bool(value)])
  }
}

/// The request that ModemManager release a modem, and its result.
private struct Inhibition {
  /// Name of the control port; nil without a request.
  var port: String?
  /// The modem that ModemManager has released.
  private(set) var held: String?
  private var asked: String?

  /// Whether to request it now.
  mutating func begin(_ uid: String) -> Bool {
    guard asked != uid else { return false }
    asked = uid
    return true
  }

  mutating func end(holding uid: String?) {
    asked = nil
    held = uid
  }

  mutating func forgetHeld() { (held, asked) = (nil, nil) }
}
