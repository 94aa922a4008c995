/* The loops of a function, the inner ones too: sets of basic blocks that can reach each other. Of a loop without its
 * first block, what still can reach each other is an inner loop. */
#pragma once

#include "ptx/analysis/cfg.h"

/* inside[nblocks]: the blocks of a loop. */
typedef void (*PtxLoopVisit)(void *data, const bool *inside);
void ptx_each_loop(const PtxCfg *cfg, PtxLoopVisit visit, void *data);
