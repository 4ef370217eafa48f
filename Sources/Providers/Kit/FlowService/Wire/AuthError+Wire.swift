import AuthCore
import ModemAPI
import Varlink

extension AuthError {
  /// The error of org.modemd.Verify that says this; nil for what each interface has an error of its own for.
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
