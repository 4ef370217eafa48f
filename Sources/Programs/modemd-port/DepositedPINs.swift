import GLibBridge
import ModemPort
import SystemdSupport

extension ModemPort.Dependencies {
  /// Reads PINs from the service's credentials, and remembers refused ones in a place that outlives
  /// the process.
  ///
  /// - Parameters:
  ///   - environment: names the credentials and a folder that survives a reboot.
  ///   - folder: where to remember instead; nil for nowhere.
  mutating func take(pinsOf environment: ServiceEnvironment, rememberingIn folder: String?) {
    if let credentials = CredentialsDirectory(environment) {
      deposit = PINDeposit { try credentials.read($0) }
    }
    if let folder = environment.stateDirectory ?? folder {
      refusedPINs = PINMemoryFolder(path: folder, digest: Checksum.sha256)
    }
  }
}
