/* The handlers of out_of_line.def, and what else the files that define them share. */
#pragma once

#include "emu/warp/access.h"

#define HANDLER(name) const Op *run_##name(Warp *warp, const Op *op);
#include "emu/code/out_of_line.def"
#undef HANDLER

/* --- barrier.c ---------------------------------------------------------------------------------------------------- */

void barrier_check(Block *block);                           /* releases what is complete, after threads ended */
void barrier_deadlock(const Cluster *cluster);              /* no warp can run: a fault */
void barrier_report(Warp *warp, const Op *op, uint32_t id); /* notifies the observers */
void barrier_report_done(const Block *block, const BarrierDone *done);

/* --- registers.c -------------------------------------------------------------------------------------------------- */

void registers_check(Block *block);    /* warps whose registers are there now continue */
bool registers_deadlock(Block *block); /* no warp can run, and one waits for registers: a fault */

/* --- wgmma.c ------------------------------------------------------------------------------------------------------ */

bool wgmma_deadlock(const Block *block); /* no warp can run, and one waits for its warpgroup: a fault */

/* --- cluster.c ---------------------------------------------------------------------------------------------------- */

uint64_t cluster_block(const Run *run, uint64_t cluster, uint32_t rank); /* its number in the grid */
uint64_t cluster_threads(const Cluster *cluster);                        /* that have not ended */
void cluster_left(Warp *warp, uint32_t lanes);                           /* threads ended */

/* --- convert.c ---------------------------------------------------------------------------------------------------- */

/* x with `keep` mantissa bits, least exponent `least` (as frexp counts) and at most `largest`, as a double. */
double round_narrow(double x, int keep, int least, double largest, PtxRound round);
