/* Between the files of gpulab.source. */
#ifndef GPULAB_BIND_SOURCE_H
#define GPULAB_BIND_SOURCE_H

#include "bind/internal.h"

int source_ptx(lua_State *L);

#endif
