/* The second half of cfg.c: which registers hold a value that is still needed. */
#ifndef GPULAB_PTX_LIVENESS_H
#define GPULAB_PTX_LIVENESS_H

#include "ptx/analysis/cfg.h"

void cfg_liveness(Arena *arena, PtxCfg *cfg); /* fills live_in, live_out, live_words, max_live_words32 */

#endif
