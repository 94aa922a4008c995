/* Lua's view of the house: the modules gpulab.gpu (lua/gpulab/meta.lua says what is in it) and gpulab.host, and the Lua
 * sources built into the program. Everything above talks to devices through Lua values made here; C errors become Lua
 * errors here and only here. */
#ifndef GPULAB_BIND_BIND_H
#define GPULAB_BIND_BIND_H

#include <lua.h>
#include <stdbool.h>

/* A state with Lua's libraries, require "gpulab.NAME", the global gpu, and interrupts that reach it. NULL: no
 * memory. */
lua_State *bind_new(void);
void bind_free(lua_State *L);

/* The device that gpu.device opens at first use; NULL or "": "auto". The name is copied. */
void bind_default_device(lua_State *L, const char *name);

/* lua_pcall with a traceback for plain errors, after which an interrupt that stopped the call is forgotten. The
 * outermost call is an interrupted one if Ctrl-C came too late to stop anything in it. */
int bind_protect(lua_State *L, int nargs, int nresults);

/* --- Ctrl-C (interrupt.c) --------------------------------------------------------------------------------------------
 *
 * SIGINT sets cancel_flag, which stops whatever a device does, and arms a hook that stops whatever Lua does; both end
 * in an error of kind "interrupted". */
void bind_catch_signals(void);                 /* again, after a library installed handlers of its own */
bool bind_interrupted(void);                   /* pressed since the last prompt */
bool bind_is_interrupt(lua_State *L, int idx); /* is this what it raised? */
void bind_interrupt_heard(void);               /* this one has become an error: cancel_flag is clear again */
void bind_interrupt_forget(void);              /* all is as before the first press: back at the prompt */
bool bind_interrupt_unheard(void);
void bind_interrupt_pressed(void); /* counts as a press: a command died of it, or what runs beside the line did */

#endif
