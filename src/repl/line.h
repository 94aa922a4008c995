/* Lines from a terminal: editing, completion, history. The module gpulab.line of repl.lua. */
#pragma once

#include <lua.h>

int line_module(lua_State *L); /* luaopen function */
