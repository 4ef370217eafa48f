import ProviderSettings

extension TS43Document {
  package static let rows: [SettingsKeyRow] = [
    .asked(
      "server", "The https URL of the operator's entitlement server.",
      standard: "https://aes.mncNNN.mccNNN.pub.3gppnetwork.org of the SIM's home network",
      example: "https://entitlement.operator.example"),
    .asked(
      "appName",
      "The name under which the operator knows this application. Some operators serve the names of a list alone.",
      example: "example-gateway"),
    .key("appVersion", "The version of that application.", example: "1.0"),
    .key(
      "realm", "The realm of the SIM's identity. Virtual operators may have their own.",
      standard: "nai.epc.mncNNN.mccNNN.3gppnetwork.org of the home network", example: "nai.virtual.example"),
    .key(
      "versions",
      "The versions of TS.43 that are offered, best first, at most 8. The next one is offered where the server refuses one.",
      standard: "[\"12.0\", \"10.0\", \"8.0\", \"2.0\"]", example: "[\"10.0\"]"),
    .key(
      "terminalID",
      "What the server knows this machine by: imei, the modem's own, or a UUID. With another one, the SIM logs in anew.",
      standard: "imei", example: "0b0a3f5e-0d6c-4a0e-9a2c-5f1f3a0c7d11"),
    .key("terminalVendor", "The machine's maker, 1 to 4 characters.", standard: "Lnx", example: "Acme"),
    .key("terminalModel", "The machine's model, 1 to 10 characters.", standard: "modemd", example: "gateway-7"),
    .key(
      "terminalSoftware", "The version of the machine's software, 1 to 20 characters.", standard: "that of modemd",
      example: "2026.11"),
    .key(
      "userAgent", "The field User-Agent of requests, for operators that look at it.",
      standard: "in the form of TS.43, of the keys above",
      example: "PRD-TS43 term-Acme/gateway-7 client-IMS-Entitlement/1.0 OS-Linux/6.1"),
    .key(
      "method", "How requests are first sent: get or post. The other one follows where the server refuses it.",
      standard: "get", example: "post"),
    .key("eap", "How the SIM logs in: aka (EAP-AKA) or akaPrime (EAP-AKA').", standard: "aka", example: "akaPrime"),
    .key(
      "networkName", "With akaPrime: the name of the network that the server must use.", standard: "any",
      example: "WLAN"),
    .key(
      "reauthenticate", "Whether pseudonyms and fast re-authentication are used if the server offers them.",
      standard: "false", example: "true"),
    .key(
      "sendGroupID", "Whether the SIM's Group Identifier Level 1 is sent, as some virtual operators need.",
      standard: "false", example: "true"),
    .key(
      "verification",
      "How a number is verified: operation, where the server compares it, or number, where modemd reads the SIM's number and compares it.",
      standard: "operation", example: "number"),
    .key("route", "The network for all requests: host or bearer.", standard: "host", example: "bearer"),
  ]
}
