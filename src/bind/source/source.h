/* Between the files of gpulab.source. */
#pragma once

#include "bind/internal.h"

int source_ptx(lua_State *L);
