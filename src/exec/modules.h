/* The modules of a process's program, as its worker has them. */
#pragma once

#include "base/vec.h"
#include "device/backend/backend.h"
#include "exec/blob.h"
#include "exec/calls.h"
#include "exec/exec.h"
#include "ptx/module.h"

typedef struct {
	uint64_t number; /* the worker's */
	PtxModule *ptx;
	Blob *text;                        /* NULL: no launch is stepped or kept */
	Blob *cubin;                       /* NULL: the program has none for the GPU */
	VEC(const PtxFunction *) launched; /* with a cubin: those whose accesses were reported */
} Code;

typedef struct {
	Backend *backend;
	const Gpu *gpu;
	bool steps, keeps; /* launches are stepped, or kept */
	VEC(Code) list;
	VEC(uint64_t) variables; /* those that kernels can write: put back between schedules */
} Modules;

/* The process knows a module by its place in the list, from 1 on. */
bool modules_load(Modules *m, const ModuleCode *code, Number *out, Err *err);
const Code *modules_code(const Modules *m, uint64_t module, Err *err); /* NULL with err: there is none */
bool modules_variable(const Modules *m, const SymbolRequest *r, SymbolPlace *out, Err *err);
bool modules_kernel(const Modules *m, const SymbolRequest *r, Arena *arena, ExecKernel *out, Err *err);
bool modules_occupancy(const Modules *m, const KernelRequest *r, Number *out, Err *err);
ParamPlace *param_places(const PtxFunction *f, Arena *arena);
/* With a kernel's first launch: what its SASS has fewer of than its PTX. */
bool modules_fused(Modules *m, const BackendLaunch *launch, Fused *out);
/* Makes a launch of the program the worker's. NULL with err: it is of no kernel there. */
const PtxFunction *modules_launched(const Modules *m, BackendLaunch *launch, Arena *arena, const Code **code, Err *err);
/* Can host code find out how far the kernel is, because it orders what it does for the host, too? */
bool modules_order_host(const Code *code, const PtxFunction *kernel);
void modules_free(Modules *m);
