"""All interfaces of the service."""
# Written by varlink-generate from the interfaces: change those, then `make generate`.

from .caller import AsyncCaller
from .bearer import AsyncBearerMethods
from .check import AsyncCheckMethods
from .ipification import AsyncIPificationMethods
from .messages import AsyncMessagesMethods
from .miracl import AsyncMIRACLMethods
from .mobile_connect import AsyncMobileConnectMethods
from .modem import AsyncModemMethods
from .number_recycling import AsyncNumberRecyclingMethods
from .number_verification import AsyncNumberVerificationMethods
from .phone_sign_in import AsyncPhoneSignInMethods
from .service import AsyncServiceMethods
from .sim_swap import AsyncSIMSwapMethods
from .truid import AsyncTruIDMethods
from .ts43 import AsyncTS43Methods
from .usage import AsyncUsageMethods
from .verify import AsyncVerifyMethods


class AsyncInterfaces:
    """The methods of each interface, under its name."""

    def __init__(self, caller: AsyncCaller) -> None:
        self.modem = AsyncModemMethods(caller)
        self.bearer = AsyncBearerMethods(caller)
        self.verify = AsyncVerifyMethods(caller)
        self.check = AsyncCheckMethods(caller)
        self.messages = AsyncMessagesMethods(caller)
        self.service = AsyncServiceMethods(caller)
        self.usage = AsyncUsageMethods(caller)
        self.number_verification = AsyncNumberVerificationMethods(caller)
        self.sim_swap = AsyncSIMSwapMethods(caller)
        self.phone_sign_in = AsyncPhoneSignInMethods(caller)
        self.ipification = AsyncIPificationMethods(caller)
        self.miracl = AsyncMIRACLMethods(caller)
        self.mobile_connect = AsyncMobileConnectMethods(caller)
        self.number_recycling = AsyncNumberRecyclingMethods(caller)
        self.ts43 = AsyncTS43Methods(caller)
        self.truid = AsyncTruIDMethods(caller)
