// The words of the inspector, beside those of the pages of sites.
extension Words {
  /// In English and German. What modemd says stays in its own words.
  var inspectorWords: (String, String) {
    switch self {
    case .inspectTitle: ("Modems of this device", "Modems dieses Geräts")
    case .inspectLive: ("This page shows changes as they happen.", "Diese Seite zeigt Änderungen, sobald es sie gibt.")
    case .inspectClosed:
      (
        "This page needs a new link. Get one with: modemctl web open",
        "Diese Seite braucht einen neuen Link. Sie bekommen ihn mit: modemctl web open"
      )
    case .inspectEnd: ("End session", "Sitzung beenden")
    case .inspectModems: ("All modems", "Alle Modems")
    case .inspectHistory: ("Last checks", "Letzte Prüfungen")
    case .inspectRunning: ("Now: {ask} for {site}, user {user}", "Jetzt: {ask} für {site}, Benutzer {user}")
    case .inspectNothing: ("none", "keine")
    case .inspectUnanswered: ("modemd gives no answer", "modemd gibt keine Antwort")
    case .inspectFault: ("Fault", "Störung")
    case .inspectDevice: ("Device", "Gerät")
    case .inspectModel: ("Model", "Modell")
    case .inspectIMEI: ("IMEI (device)", "IMEI (Gerät)")
    case .inspectSIM: ("SIM card", "SIM-Karte")
    case .inspectAttempts: ("Attempts left", "Verbleibende Versuche")
    case .inspectNumber: ("Number", "Nummer")
    case .inspectIMSI: ("IMSI (subscriber)", "IMSI (Teilnehmer)")
    case .inspectICCID: ("ICCID (card)", "ICCID (Karte)")
    case .inspectHome: ("Home network", "Heimatnetz")
    case .inspectRegistration: ("Registration", "Einbuchung")
    case .inspectNetwork: ("Network", "Netz")
    case .inspectTechnology: ("Technology", "Technik")
    case .inspectSignal: ("Signal strength", "Signalstärke")
    case .inspectCause: ("Cause", "Ursache")
    case .inspectBearer: ("Bearer", "Bearer (Datenverbindung)")
    case .inspectAccessPoint: ("Access point", "Zugangspunkt")
    case .inspectTraffic: ("Traffic", "Verkehr")
    case .inspectGuard: ("Guard", "Schutz")
    case .inspectInterface: ("Interface", "Schnittstelle")
    case .inspectAddress: ("Address", "Adresse")
    case .inspectNextAttempt: ("Next attempt", "Nächster Versuch")
    default: ("", "")
    }
  }
}
