/* The second half of cfg.c: which registers hold a value that is still needed. */
#pragma once

#include "ptx/analysis/cfg.h"

/* Fills live_in, live_out, live_words, max_live_words32. work: for what is not needed afterwards. */
void cfg_liveness(Arena *arena, Arena *work, PtxCfg *cfg);
