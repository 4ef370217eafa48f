/// All words of the pages, in each language. `{name}` stands for the backend's name; other words in
/// braces are said beside.
package enum Words: Hashable, Sendable, CaseIterable {
  // What is asked.
  case offerTitle, askVerify, askSimChange, askSignIn, askLogin, offerNote, numberLine, proceed, cancel, back
  // While it goes on.
  case runningTitle, running, reporting, lost, stepBearer, stepHost, stepModem, stepCaller, stepFailed
  // Questions.
  case codeTitle, codeLabel, codeWrong, codeAttempts, pinTitle, pinLabel, purposeLine, send
  // Ends.
  case doneTitle, verified, notVerified, simChanged, simUnchanged, signedIn, goingBack
  case failedTitle, notDetermined, noConnection, noModem, notSupported, busyOperator, codeEnd, refusedByPerson
  case cancelled, unreported, denied, serviceGone
  // Before it begins.
  case problemTitle, badLink, unknownSite, used, expired, unreachable, badTicket, tooMany, notThisUser, gone, notFound
  case otherPage
  // The inspector.
  case inspectTitle, inspectLive, inspectClosed, inspectEnd, inspectModems, inspectHistory, inspectRunning
  case inspectNothing, inspectUnanswered, inspectFault, inspectDevice, inspectModel, inspectIMEI, inspectSIM
  case inspectAttempts, inspectNumber, inspectIMSI, inspectICCID, inspectHome, inspectRegistration, inspectNetwork
  case inspectTechnology, inspectSignal, inspectCause, inspectBearer, inspectAccessPoint, inspectTraffic, inspectGuard
  case inspectInterface, inspectAddress, inspectNextAttempt

  /// - Returns: the text, before `{…}` is filled in.
  package func text(_ language: Language) -> String {
    let (english, german) = both
    return language == .de ? german : english
  }

  private var both: (String, String) {
    switch self {
    case .offerTitle: ("{name} asks for a check", "{name} bittet um eine Prüfung")
    case .askVerify:
      (
        "Does a phone number that {name} knows belong to the SIM card in this device?",
        "Gehört eine Telefonnummer, die {name} kennt, zur SIM-Karte in diesem Gerät?"
      )
    case .askSimChange:
      (
        "Did a phone number move to another SIM card lately?",
        "Ist eine Telefonnummer kürzlich auf eine andere SIM-Karte umgezogen?"
      )
    case .askSignIn:
      (
        "Sign in at {name} with a phone number. You will be asked for a code from a message.",
        "Anmeldung bei {name} mit einer Telefonnummer. Sie werden nach einem Code aus einer Nachricht gefragt."
      )
    case .askLogin: ("Log in at {name} with your PIN.", "Anmeldung bei {name} mit Ihrer PIN.")
    case .offerNote:
      (
        "The check uses the mobile connection of this device. {name} gets the result; no web page learns a number.",
        "Die Prüfung nutzt die Mobilfunkverbindung dieses Geräts. {name} erhält das Ergebnis; keine Webseite erfährt eine Nummer."
      )
    case .numberLine: ("Number: {number}", "Nummer: {number}")
    case .proceed: ("Continue", "Weiter")
    case .cancel: ("Cancel", "Abbrechen")
    case .back: ("Back to {name}", "Zurück zu {name}")
    case .runningTitle: ("Check for {name}", "Prüfung für {name}")
    case .running: ("The check is running.", "Die Prüfung läuft.")
    case .reporting: ("{name} is being told the result.", "{name} wird das Ergebnis mitgeteilt.")
    case .lost:
      (
        "This page has lost its connection to the service on this device. It keeps trying.",
        "Diese Seite hat die Verbindung zum Dienst auf diesem Gerät verloren. Sie versucht es weiter."
      )
    case .stepBearer:
      ("Question to the mobile operator, over the mobile connection", "Frage an den Mobilfunkanbieter, über Mobilfunk")
    case .stepHost: ("Question to the provider of the check", "Frage an den Anbieter der Prüfung")
    case .stepModem: ("Question to the modem", "Frage an das Modem")
    case .stepCaller: ("Your entry", "Ihre Eingabe")
    case .stepFailed: ("{step}: failed", "{step}: fehlgeschlagen")
    case .codeTitle: ("Enter the code from the message", "Geben Sie den Code aus der Nachricht ein")
    case .codeLabel: ("One-time code", "Einmalcode")
    case .codeWrong: ("That code was wrong.", "Dieser Code war falsch.")
    case .codeAttempts: ("Attempts left: {count}.", "Verbleibende Versuche: {count}.")
    case .pinTitle: ("Enter your PIN", "Geben Sie Ihre PIN ein")
    case .pinLabel: ("PIN, {shortest} to {longest} digits", "PIN, {shortest} bis {longest} Ziffern")
    case .purposeLine: ("For: {purpose}", "Für: {purpose}")
    case .send: ("Send", "Senden")
    case .doneTitle: ("The check is done", "Die Prüfung ist fertig")
    case .verified:
      ("The number belongs to the SIM card in this device.", "Die Nummer gehört zur SIM-Karte in diesem Gerät.")
    case .notVerified:
      (
        "The number does not belong to the SIM card in this device.",
        "Die Nummer gehört nicht zur SIM-Karte in diesem Gerät."
      )
    case .simChanged:
      (
        "The number moved to another SIM card lately.",
        "Die Nummer ist kürzlich auf eine andere SIM-Karte umgezogen."
      )
    case .simUnchanged:
      (
        "The number did not move to another SIM card lately.",
        "Die Nummer ist nicht kürzlich auf eine andere SIM-Karte umgezogen."
      )
    case .signedIn: ("You are signed in.", "Sie sind angemeldet.")
    case .goingBack: ("You are being led back to {name}.", "Sie werden zu {name} zurückgeleitet.")
    case .failedTitle: ("The check has no result", "Die Prüfung hat kein Ergebnis")
    case .notDetermined:
      (
        "The question could not be answered. Please try again later.",
        "Die Frage konnte nicht beantwortet werden. Bitte versuchen Sie es später noch einmal."
      )
    case .noConnection:
      (
        "The mobile connection could not be used. Check the SIM card and the reception, then try again.",
        "Die Mobilfunkverbindung konnte nicht genutzt werden. Prüfen Sie SIM-Karte und Empfang, und versuchen Sie es noch einmal."
      )
    case .noModem:
      (
        "This device has no modem that can be used now.",
        "Dieses Gerät hat zurzeit kein Modem, das genutzt werden kann."
      )
    case .notSupported:
      (
        "This check is not set up for the SIM card in this device.",
        "Diese Prüfung ist für die SIM-Karte in diesem Gerät nicht eingerichtet."
      )
    case .busyOperator:
      (
        "The provider accepts no further check at the moment. Please try again later.",
        "Der Anbieter nimmt im Moment keine weitere Prüfung an. Bitte versuchen Sie es später noch einmal."
      )
    case .codeEnd:
      (
        "The code or the PIN was wrong too often, or came too late.",
        "Der Code oder die PIN war zu oft falsch oder kam zu spät."
      )
    case .refusedByPerson: ("The sign-in was refused.", "Die Anmeldung wurde abgelehnt.")
    case .cancelled: ("The check was cancelled.", "Die Prüfung wurde abgebrochen.")
    case .unreported:
      (
        "{name} could not be told the result. Go back and try again.",
        "{name} konnte das Ergebnis nicht mitgeteilt werden. Gehen Sie zurück, und versuchen Sie es noch einmal."
      )
    case .denied:
      (
        "The service on this device does not allow this check.",
        "Der Dienst auf diesem Gerät erlaubt diese Prüfung nicht."
      )
    case .serviceGone:
      (
        "The service for the modem on this device does not answer.",
        "Der Dienst für das Modem auf diesem Gerät antwortet nicht."
      )
    case .problemTitle: ("This cannot be done", "Das geht nicht")
    case .badLink: ("The link is not complete.", "Der Link ist nicht vollständig.")
    case .unknownSite:
      (
        "The link is from a site that is not set up on this device.",
        "Der Link kommt von einer Seite, die auf diesem Gerät nicht eingerichtet ist."
      )
    case .used:
      (
        "This link was used before. Go back and begin again.",
        "Dieser Link wurde schon benutzt. Gehen Sie zurück, und beginnen Sie neu."
      )
    case .expired:
      (
        "This link is too old. Go back and begin again.",
        "Dieser Link ist zu alt. Gehen Sie zurück, und beginnen Sie neu."
      )
    case .unreachable:
      (
        "{name} does not answer. Please try again later.",
        "{name} antwortet nicht. Bitte versuchen Sie es später noch einmal."
      )
    case .badTicket:
      (
        "{name} asks something that cannot be asked here.",
        "{name} fragt etwas, das hier nicht gefragt werden kann."
      )
    case .tooMany:
      (
        "There are too many checks at the moment. Wait a minute and try again.",
        "Im Moment laufen zu viele Prüfungen. Warten Sie eine Minute, und versuchen Sie es noch einmal."
      )
    case .notThisUser:
      (
        "The user of this browser may not use this service. The administrator of this device can change that.",
        "Der Benutzer dieses Browsers darf diesen Dienst nicht nutzen. Die Verwaltung dieses Geräts kann das ändern."
      )
    case .gone:
      (
        "This check has ended. Go back and begin again.",
        "Diese Prüfung ist beendet. Gehen Sie zurück, und beginnen Sie neu."
      )
    case .notFound: ("There is no such page.", "Diese Seite gibt es nicht.")
    case .otherPage:
      (
        "This page can only be used from its own buttons. Go back and begin again.",
        "Diese Seite kann nur mit ihren eigenen Knöpfen benutzt werden. Gehen Sie zurück, und beginnen Sie neu."
      )
    default: inspectorWords
    }
  }
}

/// The words for one reader.
package struct Text: Sendable {
  package let language: Language
  /// Of the backend; empty before one is known.
  let name: String

  package init(_ language: Language, name: String = "") {
    self.language = language
    self.name = name
  }

  /// A text with its blanks filled in, each once: what is filled in is not read again.
  package func callAsFunction(_ words: Words, _ values: [String: String] = [:]) -> String {
    var rest = Substring(words.text(language))
    var result = ""
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      let key = String(rest[rest.index(after: start)..<end])
      result += rest[..<start] + (key == "name" ? name : values[key] ?? "")
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
