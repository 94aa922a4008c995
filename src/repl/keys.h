/* Single keys from the terminal, for a demo: no line to edit, nothing echoed. The module gpulab.keys of demo.lua. */
#ifndef GPULAB_REPL_KEYS_H
#define GPULAB_REPL_KEYS_H

#include <lua.h>

int keys_module(lua_State *L); /* luaopen function */

#endif
