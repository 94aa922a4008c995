/* Lua's view of the house: the modules gpulab.gpu (lua/gpulab/meta.lua says what is in it) and gpulab.host, and the Lua
 * sources built into the program. Everything above talks to devices through Lua values made here; C errors become Lua
 * errors here and only here. */
#pragma once

#include <lua.h>
#include <stdbool.h>

#include "base/err.h"

/* A state with Lua's libraries, require "gpulab.NAME", the global gpu, and interrupts that reach it. NULL: no
 * memory. at_last_press (may be NULL) gives the terminal back, in a signal handler, before Ctrl-C ends the program. */
lua_State *bind_new(void (*at_last_press)(void));
void bind_free(lua_State *L); /* Ctrl-C then ends the program at once */

/* The device that gpu.device opens at first use; NULL or "": "auto". The name is copied. */
void bind_default_device(lua_State *L, const char *name);

int bind_raise(lua_State *L, const Err *err);                                /* raise.c; does not return */
void bind_add_module(lua_State *L, const char *name, lua_CFunction open);    /* "gpulab.NAME" */
void bind_push_function(lua_State *L, const char *module, const char *name); /* of one of gpulab's own Lua modules */

/* lua_pcall with a traceback for plain errors. A press of Ctrl-C in it that nothing caught is its error; then it is
 * forgotten, what a script broke for gpulab's own Lua is put back (own.c), and a debug hook that it set is gone. */
int bind_protect(lua_State *L, int nargs, int nresults);

/* --- Ctrl-C (interrupt.c) --------------------------------------------------------------------------------------------
 *
 * SIGINT sets cancel_flag, which stops whatever a device does, and arms a hook that stops whatever Lua does; both end
 * in an error of kind "interrupted". */
void bind_catch_signals(void);                 /* again, after a library installed handlers of its own */
bool bind_interrupted(void);                   /* pressed since the last prompt */
bool bind_interrupt_unheard(void);             /* and nothing acted on it yet */
bool bind_is_interrupt(lua_State *L, int idx); /* is this what it raised? */
void bind_interrupt_heard(void);               /* this one has become an error: cancel_flag is clear again */
/* All is as before the first press: back at the prompt. False: there was none that was not caught. */
bool bind_interrupt_forget(void);

/* What a kernel prints while its launch runs is written after f; NULL: nothing is before it. */
void bind_before_printing(void (*f)(void));
