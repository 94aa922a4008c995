/* Nodes of graphs that allocate and free memory, or that run other graphs by a condition; and a node by its type. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "exec/runtime/operations.h"

static void *copied(const void *data, size_t bytes) {
	return memcpy(xmalloc(bytes), data, bytes);
}

/* --- memory: at an address of its own, from launch to launch ------------------------------------------------------ */

typedef struct {
	uint64_t addr;
	size_t bytes;
} GraphMemory;

static VEC(GraphMemory) owned; /* its addresses are never used again */

bool graph_owns(const void *at) {
	const uint64_t addr = (uint64_t)(uintptr_t)at;
	for (size_t i = 0; i < owned.len; i++)
		if (addr - owned.data[i].addr < owned.data[i].bytes) return !block_at(addr);
	return false;
}

static cudaError_t run_allocate(void *data) {
	const GraphMemory *m = data;
	void *at;
	if (!block_at(m->addr)) {
		const cudaError_t error = block_at_address(m->addr, m->bytes, BLOCK_DEVICE, &at);
		if (error == cudaSuccess) block_of_graphs(block_at(m->addr));
		return error;
	}
	because(
		"the memory that the graph's last launch allocated was not freed: add a node that frees it, free it before the "
		"next launch, or instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch");
	return cudaErrorInvalidValue;
}

static void free_left(void *data, bool frees) {
	const GraphMemory *m = data;
	void *at = (void *)(uintptr_t)m->addr; /* NOLINT(performance-no-int-to-ptr) */
	if (frees && block_at(m->addr)) block_free(at, false);
}

static cudaError_t run_free(void *data) {
	return block_free(*(void **)data, false);
}

cudaError_t graph_memory(Graph *g, void **out, size_t bytes) {
	if (!out || !bytes) return cudaErrorInvalidValue;
	const GraphMemory m = {block_reserve(bytes, BLOCK_DEVICE), bytes};
	vec_push(&owned, m);
	graph_add(g, 0, run_allocate, copied(&m, sizeof m));
	vec_last(&g->operations)->type = cudaGraphNodeTypeMemAlloc;
	vec_last(&g->operations)->begin = free_left;
	*out = (void *)(uintptr_t)m.addr; /* NOLINT(performance-no-int-to-ptr) */
	return cudaSuccess;
}

API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
										 size_t n, struct cudaMemAllocNodeParams *params) {
	Graph *g = (Graph *)graph;
	BEGIN_QUEUED;
	if (!g || !params || params->poolProps.location.type != cudaMemLocationTypeDevice)
		return returned(cudaErrorInvalidValue);
	const cudaError_t error = graph_memory(g, &params->dptr, params->bytesize);
	if (error == cudaSuccess) *out = vec_last(&g->operations)->node;
	return returned(node_after(graph, out, after, n, error));
}

FORWARD(cudaGraphAddMemFreeNode,
		(cudaGraphNode_t * out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n, void *at),
		node_after(graph, out, after, n,
				   at ? node_add(graph, cudaGraphNodeTypeMemFree, run_free, copied(&at, sizeof at), out)
					  : cudaErrorInvalidValue))

#if CUDART_VERSION >= 12030
/* --- conditions --------------------------------------------------------------------------------------------------- */

typedef struct {
	uint64_t handle; /* the address of the condition, on the device */
	unsigned first;
	bool begins; /* each launch begins with `first` */
} Handle;

typedef struct {
	Handle handle;
	enum cudaGraphConditionalNodeType type;
	unsigned n;
	cudaGraph_t bodies[]; /* the program fills them */
} Condition;

static VEC(Handle) handles;

static unsigned *value_of(uint64_t handle) {
	const Block *b = block_at(handle);
	return b && b->addr == handle && b->view ? (unsigned *)b->view : NULL;
}

API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *out, cudaGraph_t graph, unsigned first,
												 unsigned flags) {
	void *at;
	BEGIN_QUEUED;
	if (!out || !graph) return returned(cudaErrorInvalidValue);
	const cudaError_t error = block_new(sizeof(unsigned), BLOCK_DEVICE, &at);
	if (error != cudaSuccess) return returned(error);
	const Handle handle = {(uint64_t)(uintptr_t)at, first, flags & cudaGraphCondAssignDefault};
	*value_of(handle.handle) = first;
	vec_push(&handles, handle);
	*out = handle.handle;
	return returned(cudaSuccess);
}

static cudaError_t run_body(const Condition *c, unsigned i) {
	cudaGraph_t body = c->bodies[i];
	return graph_run(&body);
}

static cudaError_t run_condition(void *data) {
	const Condition *c = data;
	cudaError_t error = cudaSuccess;
	const unsigned *value = value_of(c->handle.handle);
	if (!value) return cudaErrorInvalidValue;
	if (c->type == cudaGraphCondTypeWhile) {
		while (*value && error == cudaSuccess) error = run_body(c, 0);
		return error;
	}
	const unsigned i = c->type == cudaGraphCondTypeIf ? !*value : *value;
	return i < c->n ? run_body(c, i) : cudaSuccess;
}

static void drop_condition(void *data) {
	const Condition *c = data;
	void *at = (void *)(uintptr_t)c->handle.handle; /* NOLINT(performance-no-int-to-ptr) */
	for (unsigned i = 0; i < c->n; i++) graph_drop((Graph *)c->bodies[i]);
	if (value_of(c->handle.handle)) block_free(at, false);
}

static void begin_condition(void *data, bool frees) {
	const Condition *c = data;
	unsigned *value = value_of(c->handle.handle);
	if (value && c->handle.begins) *value = c->handle.first;
	for (unsigned i = 0; i < c->n; i++) graph_begin((Graph *)c->bodies[i], frees);
}

/* The node has its handle from here on. */
static bool take_handle(uint64_t number, Handle *out) {
	for (size_t i = 0; i < handles.len; i++) {
		if (handles.data[i].handle != number) continue;
		*out = handles.data[i];
		handles.data[i] = handles.data[--handles.len];
		return true;
	}
	return false;
}

static cudaError_t add_condition(cudaGraphNode_t *out, cudaGraph_t graph, struct cudaConditionalNodeParams *p) {
	static const unsigned most[] = {
		[cudaGraphCondTypeIf] = 2, [cudaGraphCondTypeWhile] = 1, [cudaGraphCondTypeSwitch] = 1 << 16};
	const unsigned type = (unsigned)p->type;
	Handle handle;
	if (!graph || type >= sizeof most / sizeof *most || !p->size || p->size > most[type] ||
		!take_handle(p->handle, &handle))
		return cudaErrorInvalidValue;
	Condition *c = xmalloc(sizeof *c + p->size * sizeof *c->bodies);
	*c = (Condition){handle, p->type, p->size};
	for (unsigned i = 0; i < p->size; i++) c->bodies[i] = (cudaGraph_t)graph_new();
	p->phGraph_out = c->bodies;
	const cudaError_t error = node_add(graph, cudaGraphNodeTypeConditional, run_condition, c, out);
	if (error != cudaSuccess) return error;
	((Operation *)*out)->drop = drop_condition;
	((Operation *)*out)->begin = begin_condition;
	return cudaSuccess;
}

/* --- by type ------------------------------------------------------------------------------------------------------ */

static cudaError_t add_kernel(cudaGraphNode_t *out, cudaGraph_t graph, const struct cudaKernelNodeParamsV2 *p) {
	const struct cudaKernelNodeParams params = {.func = p->func,
												.gridDim = {p->gridDim.x, p->gridDim.y, p->gridDim.z},
												.blockDim = {p->blockDim.x, p->blockDim.y, p->blockDim.z},
												.sharedMemBytes = p->sharedMemBytes,
												.kernelParams = p->kernelParams,
												.extra = p->extra};
	return cudaGraphAddKernelNode(out, graph, NULL, 0, &params);
}

static cudaError_t add_by_type(cudaGraphNode_t *out, cudaGraph_t graph, struct cudaGraphNodeParams *p) {
	const struct cudaMemsetParamsV2 *m = &p->memset;
	switch ((int)p->type) {
	case cudaGraphNodeTypeKernel: return add_kernel(out, graph, &p->kernel);
	case cudaGraphNodeTypeMemcpy: return cudaGraphAddMemcpyNode(out, graph, NULL, 0, &p->memcpy.copyParams);
	case cudaGraphNodeTypeMemset:
		return cudaGraphAddMemsetNode(
			out, graph, NULL, 0,
			&(struct cudaMemsetParams){m->dst, m->pitch, m->value, m->elementSize, m->width, m->height});
	case cudaGraphNodeTypeHost:
		return cudaGraphAddHostNode(out, graph, NULL, 0, &(struct cudaHostNodeParams){p->host.fn, p->host.userData});
	case cudaGraphNodeTypeGraph: return cudaGraphAddChildGraphNode(out, graph, NULL, 0, p->graph.graph);
	case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(out, graph, NULL, 0);
	case cudaGraphNodeTypeMemAlloc:
		return cudaGraphAddMemAllocNode(out, graph, NULL, 0, (struct cudaMemAllocNodeParams *)&p->alloc);
	case cudaGraphNodeTypeMemFree: return cudaGraphAddMemFreeNode(out, graph, NULL, 0, p->free.dptr);
	case cudaGraphNodeTypeConditional: return add_condition(out, graph, &p->conditional);
	default: missing("cudaGraphAddNode of this type");
	}
}

API cudaError_t add_node_v2(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, const void *edges,
							size_t n, struct cudaGraphNodeParams *params) __asm__("cudaGraphAddNode_v2");
cudaError_t add_node_v2(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, const void *edges,
						size_t n, struct cudaGraphNodeParams *params) {
	return out && graph && params ? node_after(graph, out, after, n, add_by_type(out, graph, params))
								  : cudaErrorInvalidValue;
}

/* CUDA 12 passes no edges: the fifth argument is the address of the parameters, and not their number. */
API cudaError_t add_node(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, const void *edges,
						 uintptr_t n, struct cudaGraphNodeParams *params) __asm__("cudaGraphAddNode");
cudaError_t add_node(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, const void *edges,
					 uintptr_t n, struct cudaGraphNodeParams *params) {
	const bool old = n >> 20;
	return add_node_v2(out, graph, after, edges, old ? 0 : n, old ? (struct cudaGraphNodeParams *)n : params);
}
#endif
