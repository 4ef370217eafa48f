/// Varlink's `object` is any JSON value; who speaks Varlink has it without another import.
@_exported import enum JSONTree.JSONValue
