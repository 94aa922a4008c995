/* The module gpulab.ticker: one line on standard error about what takes longer than a moment. While it is waited for,
 * the terminal does not echo, so that keys typed ahead do not end up in the line; the prompt shows them afterwards. */
#pragma once

#include <lua.h>

int ticker_module(lua_State *L);
