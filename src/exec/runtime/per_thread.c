/* The functions that take a stream, as programs compiled with -default-stream per-thread know them: their stream 0 is
 * the thread's own. Those that need no form of their own are next to the functions themselves (ALSO). */
#include "exec/runtime/runtime.h"

static cudaStream_t own(cudaStream_t stream) {
	return stream ? stream : cudaStreamPerThread;
}

#define OWN(name, params, ...) FORWARD(name##_ptsz, params, name(__VA_ARGS__))

/* --- launches ----------------------------------------------------------------------------------------------------- */

OWN(cudaLaunchKernel, (const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream),
	function, grid, block, args, shared, own(stream))
ALSO(__cudaLaunchKernel_ptsz, cudaLaunchKernel_ptsz)
OWN(cudaLaunchCooperativeKernel,
	(const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream), function, grid,
	block, args, shared, own(stream))

API cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *function, void **args) {
	cudaLaunchConfig_t with_own = *config;
	with_own.stream = own(config->stream);
	return cudaLaunchKernelExC(&with_own, function, args);
}

OWN(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *user), own(stream), function, user)
OWN(cudaStreamAddCallback, (cudaStream_t stream, cudaStreamCallback_t callback, void *user, unsigned flags),
	own(stream), callback, user, flags)
OWN(cudaStreamAttachMemAsync, (cudaStream_t stream, void *at, size_t bytes, unsigned flags), own(stream), at, bytes,
	flags)
OWN(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), exec, own(stream))
OWN(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), exec, own(stream))

/* --- memory ------------------------------------------------------------------------------------------------------- */

OWN(cudaMallocAsync, (void **out, size_t bytes, cudaStream_t stream), out, bytes, own(stream))
OWN(cudaMallocFromPoolAsync, (void **out, size_t bytes, cudaMemPool_t pool, cudaStream_t stream), out, bytes, pool,
	own(stream))
OWN(cudaFreeAsync, (void *at, cudaStream_t stream), at, own(stream))

/* --- streams and events ------------------------------------------------------------------------------------------- */

OWN(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), event, own(stream))
OWN(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags), event, own(stream), flags)
OWN(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags), own(stream), event, flags)
OWN(cudaStreamSynchronize, (cudaStream_t stream), own(stream))
OWN(cudaStreamQuery, (cudaStream_t stream), own(stream))
OWN(cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags), own(stream), flags)
OWN(cudaStreamGetPriority, (cudaStream_t stream, int *priority), own(stream), priority)
OWN(cudaStreamGetId, (cudaStream_t stream, unsigned long long *id), own(stream), id)
OWN(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode), own(stream), mode)
#if CUDART_VERSION >= 12030
OWN(cudaStreamBeginCaptureToGraph,
	(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after, const cudaGraphEdgeData *edges, size_t n,
	 enum cudaStreamCaptureMode mode),
	own(stream), graph, after, edges, n, mode)
#endif
OWN(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *out), own(stream), out)
OWN(cudaStreamIsCapturing, (cudaStream_t stream, enum cudaStreamCaptureStatus *status), own(stream), status)
OWN(cudaStreamSetAttribute, (cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue *value),
	own(stream), attribute, value)
OWN(cudaStreamGetAttribute, (cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value), own(stream),
	attribute, value)
OWN(cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from), own(to), own(from))
