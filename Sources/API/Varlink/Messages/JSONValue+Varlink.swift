/// Varlink's `object` is any JSON value; code that uses Varlink needs no other import for it.
@_exported import enum JSONTree.JSONValue
