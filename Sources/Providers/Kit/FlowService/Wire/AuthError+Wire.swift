import AuthCore
import ModemAPI
import Varlink

extension AuthError {
  /// The error of org.modemd.Verify for this; nil if each interface has its own error for it.
  package var onWire: VarlinkError? {
    switch code {
    case .invalidArgument(let argument, let expected):
      VarlinkError(VerifyInterface.InvalidArgument(argument: argument, expected: expected))
    case .noProvider, .notConfigured: VarlinkError(VerifyInterface.NoProvider(text: message))
    case .moreThanOneProvider(let names): VarlinkError(VerifyInterface.MoreThanOneProvider(providers: names))
    case .storeFailed: nil
    }
  }
}
