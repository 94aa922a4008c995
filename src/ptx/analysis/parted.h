/* Where lanes of a warp that have parted do not meet again at the post-dominator, because SASS yields (YIELD): its
 * convergence barriers then hold none back. */
#ifndef GPULAB_PTX_PARTED_H
#define GPULAB_PTX_PARTED_H

#include "ptx/analysis/cfg.h"

/* Where all lanes of the warp wait for each other, in SASS, too. */
bool ptx_lanes_meet(const PtxInstr *in);

/* Marks in alone[ninstrs] what lanes can run by themselves from the block's beginning; meet: until all meet. */
void ptx_run_alone(const PtxCfg *cfg, uint32_t block, bool meet, bool *alone);

typedef enum {
	CALL_STAYS,
	CALL_PARTS,   /* lanes that make it go on by themselves where they would meet those that do not */
	CALL_SCATTERS /* so do lanes that call different functions */
} CallParts;

/* Of a call; alone[ninstrs], all false: set for what lanes run by themselves then. ptxas yields before an atomic and
 * before a load that other threads' stores concern, in a function that is called. */
CallParts ptx_call_parts(const PtxCfg *cfg, const PtxModule *module, const bool *varying, uint32_t call, bool *alone);

/* Calls visit for each function that the call may lead to: through a register, each of the module that has a body. */
void ptx_each_callee(const PtxModule *module, const PtxInstr *call, void (*visit)(void *, const PtxFunction *),
					 void *data);

#endif
