// Written by varlink-generate from the .varlink files: change those, then `make generate`.

import { errorClass } from '../source/errors.js';

/** The errors of org.modemd.Modem. */
export const Modem = Object.freeze({
  NoModem: errorClass('org.modemd.Modem.NoModem'),
  MoreThanOneModem: errorClass('org.modemd.Modem.MoreThanOneModem'),
  NoSuchModem: errorClass('org.modemd.Modem.NoSuchModem'),
  PortUnavailable: errorClass('org.modemd.Modem.PortUnavailable'),
  WrongPIN: errorClass('org.modemd.Modem.WrongPIN'),
  LastAttempt: errorClass('org.modemd.Modem.LastAttempt'),
  PINNotRequired: errorClass('org.modemd.Modem.PINNotRequired'),
  InUse: errorClass('org.modemd.Modem.InUse'),
  NoSuchSlot: errorClass('org.modemd.Modem.NoSuchSlot'),
  SlotsNotSupported: errorClass('org.modemd.Modem.SlotsNotSupported'),
  ModemFailed: errorClass('org.modemd.Modem.ModemFailed'),
});

/** The errors of org.modemd.Bearer. */
export const Bearer = Object.freeze({
  NotReady: errorClass('org.modemd.Bearer.NotReady'),
  Refused: errorClass('org.modemd.Bearer.Refused'),
  NoAddress: errorClass('org.modemd.Bearer.NoAddress'),
  InUse: errorClass('org.modemd.Bearer.InUse'),
  NotResolved: errorClass('org.modemd.Bearer.NotResolved'),
  NotConnected: errorClass('org.modemd.Bearer.NotConnected'),
  DestinationNotAllowed: errorClass('org.modemd.Bearer.DestinationNotAllowed'),
  BudgetSpent: errorClass('org.modemd.Bearer.BudgetSpent'),
});

/** The errors of org.modemd.Verify. */
export const Verify = Object.freeze({
  InvalidArgument: errorClass('org.modemd.Verify.InvalidArgument'),
  NoProvider: errorClass('org.modemd.Verify.NoProvider'),
  MoreThanOneProvider: errorClass('org.modemd.Verify.MoreThanOneProvider'),
});

/** The errors of org.modemd.Check. */
export const Check = Object.freeze({
  InvalidURL: errorClass('org.modemd.Check.InvalidURL'),
  InvalidOption: errorClass('org.modemd.Check.InvalidOption'),
  TooManyFlows: errorClass('org.modemd.Check.TooManyFlows'),
});

/** The errors of org.modemd.Messages. */
export const Messages = Object.freeze({
  NoSuchMessage: errorClass('org.modemd.Messages.NoSuchMessage'),
  MessagesUnavailable: errorClass('org.modemd.Messages.MessagesUnavailable'),
  StorageFull: errorClass('org.modemd.Messages.StorageFull'),
  NoCode: errorClass('org.modemd.Messages.NoCode'),
  TooManyWaits: errorClass('org.modemd.Messages.TooManyWaits'),
  InvalidOption: errorClass('org.modemd.Messages.InvalidOption'),
});

/** The errors of org.modemd.Service. */
export const Service = Object.freeze({
  ReloadFailed: errorClass('org.modemd.Service.ReloadFailed'),
});

/** The errors of org.modemd.Usage. */
export const Usage = Object.freeze({
  NoSuchSocket: errorClass('org.modemd.Usage.NoSuchSocket'),
  OtherUser: errorClass('org.modemd.Usage.OtherUser'),
});

/** The errors of org.modemd.NumberVerification. */
export const NumberVerification = Object.freeze({});

/** The errors of org.modemd.SIMSwap. */
export const SIMSwap = Object.freeze({});

/** The errors of org.modemd.PhoneSignIn. */
export const PhoneSignIn = Object.freeze({
  NoSuchFlow: errorClass('org.modemd.PhoneSignIn.NoSuchFlow'),
  CodeRefused: errorClass('org.modemd.PhoneSignIn.CodeRefused'),
});

/** The errors of org.modemd.IPification. */
export const IPification = Object.freeze({});

/** The errors of org.modemd.MIRACL. */
export const MIRACL = Object.freeze({
  NoSuchFlow: errorClass('org.modemd.MIRACL.NoSuchFlow'),
  GivenBefore: errorClass('org.modemd.MIRACL.GivenBefore'),
  NoSuchIdentity: errorClass('org.modemd.MIRACL.NoSuchIdentity'),
  StoreFailed: errorClass('org.modemd.MIRACL.StoreFailed'),
});

/** The errors of org.modemd.MobileConnect. */
export const MobileConnect = Object.freeze({});

/** The errors of org.modemd.NumberRecycling. */
export const NumberRecycling = Object.freeze({});

/** The errors of org.modemd.TS43. */
export const TS43 = Object.freeze({});

/** The errors of org.modemd.TruID. */
export const TruID = Object.freeze({});
