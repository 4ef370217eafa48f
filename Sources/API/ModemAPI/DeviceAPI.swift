// Who uses modemd's interfaces needs those of its modems too. modemd-port has them without the
// rest.
@_exported import DeviceAPI
