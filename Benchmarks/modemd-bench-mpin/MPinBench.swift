import ArgumentParser
import Glibc
import MPin
import MPinServer

/// Measures M-Pin against libcrypto's own multiplication of points.
@main
struct MPinBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-bench-mpin",
    abstract: "Times of M-Pin's computations in milliseconds, for `modemd-bench times`.",
    discussion: "Each figure leaves out what the service and the network do.")

  enum Way: String, ExpressibleByArgument, CaseIterable {
    /// Pass 1 and pass 2.
    case login
    /// Identity and token from two shares.
    case registration
    /// A key pair: the multiplication on the twist.
    case keys
    /// libcrypto alone: one multiplication of a point of brainpoolP256r1 by a secret number.
    case library
  }

  @Argument(help: "What is measured: login, registration, keys or library.") var way: Way
  @Option(help: "Rounds, after a tenth of that for warming up.") var rounds = 200

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds must be above 0") }
  }

  func run() throws {
    let times =
      switch way {
      case .login: try loginTimes()
      case .registration: try registrationTimes()
      case .keys: try times { _ = try DVSKeyPair() }
      case .library: try libraryTimes()
      }
    for time in times.dropFirst(rounds / 10) { print(time) }
  }

  private func registrationTimes() throws -> [Double] {
    let (master, keys, pin) = (try MasterSecret(), try DVSKeyPair(), try UserPIN("4711"))
    let shares = try master.clientSecretShares(for: MPinIdentity(mpinId: [1], publicKey: keys.publicKey))
    return try times {
      let identity = try MPinIdentity(mpinId: [1], publicKey: keys.publicKey)
      _ = try MPinToken(identity: identity, shares: shares, keys: keys, pin: pin)
    }
  }

  private func loginTimes() throws -> [Double] {
    let (master, keys, pin) = (try MasterSecret(), try DVSKeyPair(), try UserPIN("4711"))
    let identity = try MPinIdentity(mpinId: [1], publicKey: keys.publicKey)
    let token = try MPinToken(
      identity: identity, shares: master.clientSecretShares(for: identity), keys: keys, pin: pin)
    let challenge = try ServerChallenge.draw()
    return try times { _ = try PassOne(identity: identity, token: token, pin: pin).answer(challenge) }
  }

  private func libraryTimes() throws -> [Double] {
    let bare = try BareMultiplication()
    return try times { try bare.multiply() }
  }

  private func times(_ body: () throws -> Void) throws -> [Double] {
    try (0..<(rounds + rounds / 10)).map { _ in
      let start = milliseconds()
      try body()
      return milliseconds() - start
    }
  }
}

/// Milliseconds of a clock that only goes forward.
private func milliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
