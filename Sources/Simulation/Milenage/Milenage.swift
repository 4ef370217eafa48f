// To be written: 3GPP TS 35.206.
