/* The runtime's functions for graphs. A launch of a graph is one operation of its stream. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "exec/runtime/operations.h"

static Graph *graph_of(cudaGraph_t graph) {
	return (Graph *)graph;
}

static cudaError_t run_and_drop(void *data) {
	Graph *g = *(Graph **)data;
	graph_begin(g, g->frees);
	const cudaError_t error = graph_run(data);
	graph_drop(g);
	return error;
}

/* --- graphs ------------------------------------------------------------------------------------------------------- */

API cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned flags) {
	BEGIN_FOR(out, false);
	*out = (cudaGraph_t)graph_new();
	return returned(cudaSuccess);
}

static cudaError_t destroy(Graph *g) {
	if (!is_handle(g, A_GRAPH)) return no_such("graph"), cudaErrorInvalidValue;
	handle_remove(g); /* launches may go on with it */
	graph_drop(g);
	return cudaSuccess;
}

CALL_QUEUED(cudaGraphDestroy, (cudaGraph_t graph), destroy(graph_of(graph)))
CALL_UNSAFE(cudaGraphExecDestroy, (cudaGraphExec_t exec), destroy(graph_of((cudaGraph_t)exec)))

API cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t graph) {
	BEGIN_FOR(out, false);
	if (!is_handle(graph, A_GRAPH)) return no_such("graph"), returned(cudaErrorInvalidValue);
	*out = (cudaGraph_t)graph_copy(graph_of(graph));
	return returned(cudaSuccess);
}

API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
	BEGIN_FOR(count, false);
	if (!graph) return returned(cudaErrorInvalidValue);
	const Graph *g = graph_of(graph);
	if (!nodes) *count = g->operations.len;
	for (size_t i = 0; nodes && i < *count; i++) nodes[i] = i < g->operations.len ? g->operations.data[i]->node : NULL;
	return returned(cudaSuccess);
}

API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
	if (!node || !type) return cudaErrorInvalidValue;
	*type = ((const Operation *)node)->type;
	return cudaSuccess;
}

/* Does nothing that is still to come have to be before it? */
static bool may_come(const Graph *g, cudaGraphNode_t node, const bool *done) {
	for (size_t e = 0; e < g->edges.len; e++) {
		if (g->edges.data[e].after != node) continue;
		for (size_t i = 0; i < g->operations.len; i++)
			if (!done[i] && g->operations.data[i]->node == g->edges.data[e].before) return false;
	}
	return true;
}

/* The operations in an order that the edges allow, as far as possible the one that they have. False: there is a
 * cycle. */
static bool put_in_order(Graph *g) {
	const size_t n = g->operations.len;
	AUTO_FREE bool *done = xcalloc(n + 1, sizeof *done);
	AUTO_FREE Operation **ordered = xcalloc(n + 1, sizeof *ordered);
	for (size_t k = 0; k < n; k++) {
		size_t i = 0;
		while (i < n && (done[i] || !may_come(g, g->operations.data[i]->node, done))) i++;
		if (i == n) return false;
		done[i] = true;
		ordered[k] = g->operations.data[i];
	}
	for (size_t k = 0; k < n; k++) g->operations.data[k] = ordered[k];
	return true;
}

static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags) {
	if (!out) return nowhere();
	if (!is_handle(graph, A_GRAPH)) return no_such("graph"), cudaErrorInvalidValue;
	const bool acyclic = put_in_order(graph_of(graph));
	if (!acyclic) because("the dependencies of the graph are a cycle");
	if (!acyclic) return cudaErrorInvalidValue;
	Graph *g = graph_copy(graph_of(graph));
	g->frees = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
	*out = (cudaGraphExec_t)g;
	return cudaSuccess;
}

CALL_UNSAFE(cudaGraphInstantiate, (cudaGraphExec_t * out, cudaGraph_t graph, unsigned long long flags),
			instantiate(out, graph, flags))
ALSO(cudaGraphInstantiateWithFlags, cudaGraphInstantiate)

/* Nodes come in the order in which they are added. */
NOTHING(cudaStreamUpdateCaptureDependencies)
NOTHING(cudaStreamUpdateCaptureDependencies_ptsz)
NOTHING(cudaStreamUpdateCaptureDependencies_v2)
NOTHING(cudaStreamUpdateCaptureDependencies_v2_ptsz)
CALL_QUEUED(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream),
			capture_refuses(stream_key(stream), CAPTURE_REFUSED))

/* Events that nodes record and wait for outside of their graph: its launch waits for them, and has recorded them once
 * it is done, by its number in the queue (0: it is about to be launched). Returns whether any is recorded. */
static bool launch_events(const Graph *g, StreamKey stream, uint64_t number) {
	bool any = false;
	for (size_t i = 0; i < g->operations.len; i++) {
		const Operation *o = g->operations.data[i];
		if (o->work == graph_run) any |= launch_events(*(Graph **)o->data, stream, number);
		const bool records = o->type == cudaGraphNodeTypeEventRecord;
		if (!records && o->type != cudaGraphNodeTypeWaitEvent) continue;
		Event *e = *(Event **)o->data;
		if (!is_handle(e, AN_EVENT)) continue;
		if (records && number) queue_run(e->record), e->record = number;
		if (!records && !number && e->record) queue_add(stream, e->record, NULL, NULL, NULL);
		any |= records;
	}
	return any;
}

API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
	BEGIN_QUEUED;
	uint64_t number = 0;
	const StreamKey key = stream_key(stream);
	if (!is_handle(exec, A_GRAPH)) return no_such("executable graph"), returned(cudaErrorInvalidValue);
	const cudaError_t refused = capture_refuses(key, CAPTURE_REFUSED);
	if (refused != cudaSuccess) return returned(refused);
	Graph *g = graph_copy(graph_of((cudaGraph_t)exec)), **data = xmalloc(sizeof *data); /* as it is now */
	*data = g;
	g->refs++; /* until its number is known */
	const bool records = launch_events(g, key, 0);
	const cudaError_t error = queue_add(key, 0, run_and_drop, data, records ? &number : NULL);
	if (number) launch_events(g, key, number);
	graph_drop(g);
	return returned(error);
}

/* The graph has to have the same nodes, in the same order. */
API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *result) {
	BEGIN_QUEUED;
	if (!exec || !graph) return returned(cudaErrorInvalidValue);
	Graph *e = graph_of((cudaGraph_t)exec);
	const Graph *g = graph_of(graph);
	bool same = e->operations.len == g->operations.len;
	for (size_t i = 0; same && i < g->operations.len; i++)
		same = e->operations.data[i]->work == g->operations.data[i]->work;
	if (result) memset(result, 0, sizeof *result);
	if (result) result->result = same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
	if (!same) return returned(cudaErrorGraphExecUpdateFailure);
	for (size_t i = 0; i < g->operations.len; i++) {
		operation_drop(e->operations.data[i]);
		e->operations.data[i] = g->operations.data[i];
		e->operations.data[i]->refs++;
	}
	return returned(cudaSuccess);
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static cudaError_t last_node(Graph *g, size_t before, enum cudaGraphNodeType type, cudaError_t error,
							 cudaGraphNode_t *out) {
	if (error != cudaSuccess) return error;
	if (g->operations.len == before) return cudaErrorInvalidValue;
	vec_last(&g->operations)->type = type;
	*out = vec_last(&g->operations)->node;
	return cudaSuccess;
}

static bool has_node(const Graph *g, cudaGraphNode_t node) {
	for (size_t i = 0; i < g->operations.len; i++)
		if (g->operations.data[i]->node == node) return true;
	return false;
}

static bool has_edge(const Graph *g, cudaGraphNode_t before, cudaGraphNode_t after) {
	for (size_t i = 0; i < g->edges.len; i++)
		if (g->edges.data[i].before == before && g->edges.data[i].after == after) return true;
	return false;
}

cudaError_t node_after(cudaGraph_t graph, const cudaGraphNode_t *out, const cudaGraphNode_t *after, size_t n,
					   cudaError_t error) {
	for (size_t i = 0; error == cudaSuccess && after && i < n; i++)
		vec_push(&graph_of(graph)->edges, ((Edge){after[i], *out}));
	return error;
}

static cudaError_t add_edges(Graph *g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n) {
	if (!g || (n && (!from || !to))) return cudaErrorInvalidValue;
	for (size_t i = 0; i < n; i++)
		if (!has_node(g, from[i]) || !has_node(g, to[i]) || has_edge(g, from[i], to[i])) return cudaErrorInvalidValue;
	for (size_t i = 0; i < n; i++) vec_push(&g->edges, ((Edge){from[i], to[i]}));
	put_in_order(g); /* a cycle is refused when the graph is instantiated */
	return cudaSuccess;
}

API cudaError_t add_dependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
									const void *edges, size_t n) __asm__("cudaGraphAddDependencies_v2");
cudaError_t add_dependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
								const void *edges, size_t n) {
	BEGIN_QUEUED;
	return returned(add_edges(graph_of(graph), from, to, n));
}

/* CUDA 12 passes no edges: the fourth argument is the number, and not an address. */
API cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
								 uintptr_t edges, size_t n) __asm__("cudaGraphAddDependencies");
cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, uintptr_t edges,
							 size_t n) {
	const bool old = edges && !(edges >> 20);
	return add_dependencies_v2(graph, from, to, NULL, old ? edges : n);
}

static cudaError_t capture_kernel(Graph *g, const struct cudaKernelNodeParams *p) {
	Graph *outer = stream_capture_all(g); /* as a stream's would be */
	const cudaError_t error =
		cudaLaunchKernel(p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, (cudaStream_t)0);
	stream_capture_all(outer);
	return error;
}

API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
									   const struct cudaKernelNodeParams *params) {
	if (!graph || !params) return cudaErrorInvalidValue;
	Graph *g = graph_of(graph);
	const size_t before = g->operations.len;
	return node_after(graph, out, after, n,
					  last_node(g, before, cudaGraphNodeTypeKernel, capture_kernel(g, params), out));
}

API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
									 const struct cudaHostNodeParams *params) {
	if (!graph) return cudaErrorInvalidValue;
	Graph *g = graph_of(graph);
	const size_t before = g->operations.len;
	Graph *outer = stream_capture_all(g);
	const cudaError_t error = cudaLaunchHostFunc((cudaStream_t)0, params->fn, params->userData);
	stream_capture_all(outer);
	return node_after(graph, out, after, n, last_node(g, before, cudaGraphNodeTypeHost, error, out));
}

cudaError_t node_add(cudaGraph_t graph, enum cudaGraphNodeType type, Work work, void *data, cudaGraphNode_t *out) {
	BEGIN_QUEUED;
	Graph *g = graph_of(graph);
	if (!g) {
		free(data);
		return returned(cudaErrorInvalidValue);
	}
	const size_t before = g->operations.len;
	graph_add(g, 0, work, data);
	return returned(last_node(g, before, type, cudaSuccess, out));
}

static void *copied(const void *data, size_t bytes) {
	return memcpy(xmalloc(bytes), data, bytes);
}

static cudaError_t run_fill(void *data) {
	const struct cudaMemsetParams *p = data;
	const struct cudaExtent e = {p->width * p->elementSize, p->height, 1};
	return fill_box((Box){p->dst, p->pitch, 0}, &p->value, p->elementSize, e);
}

FORWARD(cudaGraphAddMemcpyNode,
		(cudaGraphNode_t * out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
		 const struct cudaMemcpy3DParms *params),
		node_after(graph, out, after, n,
				   node_add(graph, cudaGraphNodeTypeMemcpy, copy_3d, copied(params, sizeof *params), out)))

API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
										 size_t n, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	const struct cudaMemcpy3DParms p = {.srcPtr = {.ptr = (void *)from, .pitch = bytes, .xsize = bytes, .ysize = 1},
										.dstPtr = {.ptr = to, .pitch = bytes, .xsize = bytes, .ysize = 1},
										.extent = {bytes, 1, 1},
										.kind = kind};
	return cudaGraphAddMemcpyNode(out, graph, after, n, &p);
}

API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
									   const struct cudaMemsetParams *params) {
	size_t bytes;
	if (!params || (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4) ||
		__builtin_mul_overflow(params->width, params->elementSize, &bytes))
		return cudaErrorInvalidValue;
	return node_after(graph, out, after, n,
					  node_add(graph, cudaGraphNodeTypeMemset, run_fill, copied(params, sizeof *params), out));
}

FORWARD(cudaGraphAddEmptyNode, (cudaGraphNode_t * out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n),
		node_after(graph, out, after, n, node_add(graph, cudaGraphNodeTypeEmpty, NULL, NULL, out)))

static void drop_child(void *data) {
	graph_drop(*(Graph **)data);
}

/* The child is copied: it may change afterwards. */
API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
										   size_t n, cudaGraph_t child) {
	cudaGraph_t copy;
	cudaError_t error = cudaGraphClone(&copy, child);
	if (error != cudaSuccess) return error;
	error = node_add(graph, cudaGraphNodeTypeGraph, graph_run, copied(&copy, sizeof copy), out);
	if (error == cudaSuccess) ((Operation *)*out)->drop = drop_child;
	return node_after(graph, out, after, n, error);
}

/* Of this executable graph alone. Launches that wait keep what they were given. */
API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
												 const struct cudaKernelNodeParams *params) {
	Graph *e = graph_of((cudaGraph_t)exec), *one = graph_new();
	cudaError_t error = e && node && params ? capture_kernel(one, params) : cudaErrorInvalidValue;
	size_t i = 0;
	while (error == cudaSuccess && i < e->operations.len && e->operations.data[i]->node != node) i++;
	if (error == cudaSuccess && (i == e->operations.len || !one->operations.len)) error = cudaErrorInvalidValue;
	if (error == cudaSuccess) {
		Operation *old = e->operations.data[i];
		e->operations.data[i] = one->operations.data[0];
		e->operations.data[i]->refs++;
		e->operations.data[i]->node = node;
		operation_drop(old);
	}
	graph_drop(one);
	return error;
}
