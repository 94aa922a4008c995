/* Which registers may differ between the lanes of a warp that run an instruction together, as far as a compiler can
 * know. */
#pragma once

#include "ptx/analysis/cfg.h"

/* [nregs]; the caller frees. What a load from one address for all lanes returns is the same for them. */
bool *ptx_varying(const PtxCfg *cfg);
