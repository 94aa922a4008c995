/* Lines from a terminal, through GNU Readline: editing, completion, history. The module gpulab.line of repl.lua. */
#ifndef GPULAB_REPL_LINE_H
#define GPULAB_REPL_LINE_H

#include <lua.h>

int line_module(lua_State *L); /* luaopen function */

#endif
