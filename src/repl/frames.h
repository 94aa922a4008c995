/* The module gpulab.frames: messages of JSON-RPC on standard input and output, `Content-Length: N\r\n\r\n` and N bytes.
 * A thread reads them, so that a cancellation or `exit` acts while a request runs: it raises the same interrupt as
 * Ctrl-C. From open() on, descriptor 1 is standard error: only frames reach the client. */
#pragma once

#include <lua.h>

int frames_module(lua_State *L);
