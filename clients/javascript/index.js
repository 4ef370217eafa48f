// The client of modemd for JavaScript and TypeScript. Docs/clients.md says what every client does.

export { connect, defaultPath, Modemd } from './source/client.js';
export {
  BadReply,
  ConnectionError,
  DescriptorsUnsupported,
  Disconnected,
  ModemdError,
  OutcomeError,
  Service,
  Unanswered,
  Unreachable,
} from './source/errors.js';
export { Flow, Stream } from './source/stream.js';
export {
  Bearer,
  Check,
  IPification,
  Messages,
  MIRACL,
  MobileConnect,
  Modem,
  NumberRecycling,
  TS43,
  NumberVerification,
  PhoneSignIn,
  SIMSwap,
  TruID,
  Usage,
  Verify,
} from './generated/interfaces.js';
