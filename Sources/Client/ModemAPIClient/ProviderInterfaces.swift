// The wire types of each provider's interfaces, one line for each provider.
@_exported import CAMARAAPI
@_exported import FirebaseAPI
@_exported import IPificationAPI
@_exported import MIRACLAPI
@_exported import MobileConnectAPI
@_exported import NumberRecyclingAPI
@_exported import TS43API
@_exported import TruIDAPI
