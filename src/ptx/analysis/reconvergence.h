#pragma once

#include "ptx/analysis/cfg.h"

/* Fills meet of each block, after ipdom; work: memory for the time of the call. */
void cfg_meet(Arena *work, PtxCfg *cfg);
