import GLibBridge
import ModemPort
import SystemdSupport

extension ModemPort.Surroundings {
  /// Takes PINs from the service's credentials, and remembers the refused ones where that outlives the process.
  ///
  /// - Parameters:
  ///   - environment: tells of credentials and of a folder that outlives a reboot.
  ///   - folder: where to remember in place of that; nil for nowhere.
  mutating func take(pinsOf environment: ServiceEnvironment, rememberingIn folder: String?) {
    if let credentials = CredentialsDirectory(environment) {
      deposit = PINDeposit { try credentials.read($0) }
    }
    if let folder = environment.stateDirectory ?? folder {
      refusedPINs = PINMemoryFolder(path: folder, digest: Checksum.sha256)
    }
  }
}
