/* Instructions of kinds that show a detour around what an exercise is about: conversions between floats and integers
 * (fixed point instead of floats), texture gathers (instead of the texture's filter). */
#ifndef GPULAB_EMU_KINDS_H
#define GPULAB_EMU_KINDS_H

#include "emu/observer.h"

enum { KIND_CONVERSION = 1, KIND_GATHER = 2 };

uint8_t *kinds_of(const LaunchInfo *info); /* [ninstrs] or-ed kinds; the caller frees */

#endif
