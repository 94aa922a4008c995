/* Bytes as text in base64 (RFC 4648), as Lua functions. */
#pragma once

#include <lua.h>

int base64_encode(lua_State *L); /* (bytes) -> text */
int base64_decode(lua_State *L); /* (text) -> bytes; nil: it is not base64. Blanks and line breaks are skipped. */
