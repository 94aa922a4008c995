#ifndef GPULAB_PTX_RECONVERGENCE_H
#define GPULAB_PTX_RECONVERGENCE_H

#include "ptx/analysis/cfg.h"

/* Fills meet of each block, after ipdom; work: memory for the time of the call. */
void cfg_meet(Arena *work, PtxCfg *cfg);

#endif
