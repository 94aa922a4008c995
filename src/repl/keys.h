/* Single keys from the terminal, for a demo: no line to edit, nothing echoed. The module gpulab.keys of demo.lua. */
#pragma once

#include <lua.h>

int keys_module(lua_State *L); /* luaopen function */
