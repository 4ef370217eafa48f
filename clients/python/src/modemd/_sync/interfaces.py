"""All interfaces of the service."""
# Written by varlink-generate from the interfaces: change those, then `make generate`.

from .caller import Caller
from .bearer import BearerMethods
from .check import CheckMethods
from .ipification import IPificationMethods
from .messages import MessagesMethods
from .miracl import MIRACLMethods
from .mobile_connect import MobileConnectMethods
from .modem import ModemMethods
from .number_recycling import NumberRecyclingMethods
from .number_verification import NumberVerificationMethods
from .phone_sign_in import PhoneSignInMethods
from .service import ServiceMethods
from .sim_swap import SIMSwapMethods
from .truid import TruIDMethods
from .ts43 import TS43Methods
from .usage import UsageMethods
from .verify import VerifyMethods


class Interfaces:
    """The methods of each interface, under its name."""

    def __init__(self, caller: Caller) -> None:
        self.modem = ModemMethods(caller)
        self.bearer = BearerMethods(caller)
        self.verify = VerifyMethods(caller)
        self.check = CheckMethods(caller)
        self.messages = MessagesMethods(caller)
        self.service = ServiceMethods(caller)
        self.usage = UsageMethods(caller)
        self.number_verification = NumberVerificationMethods(caller)
        self.sim_swap = SIMSwapMethods(caller)
        self.phone_sign_in = PhoneSignInMethods(caller)
        self.ipification = IPificationMethods(caller)
        self.miracl = MIRACLMethods(caller)
        self.mobile_connect = MobileConnectMethods(caller)
        self.number_recycling = NumberRecyclingMethods(caller)
        self.ts43 = TS43Methods(caller)
        self.truid = TruIDMethods(caller)
