/* Loads that an assembler can sink: move behind the last branch at which lanes leave the kernel, because only what is
 * behind it uses them. Lanes that leave do not make such a load. */
#pragma once

#include "ptx/analysis/cfg.h"

/* Loads of shared memory, and of global memory through the read-only path, are set in sinkable[ninstrs]. Returns the
 * number of the branch; ninstrs: there is none. */
uint32_t ptx_sinkable(const PtxCfg *cfg, bool *sinkable);
