/* operations.h */
#include "exec/runtime/operations.h"

#include <stdlib.h>

#include "base/arena.h"

void operation_drop(Operation *o) {
	if (--o->refs) return;
	if (o->drop) o->drop(o->data);
	free(o->data);
	free(o);
}

Graph *graph_new(void) {
	Graph *g = xcalloc(1, sizeof *g);
	g->refs = 1;
	handle_add(g, A_GRAPH);
	return g;
}

void graph_drop(Graph *g) {
	if (--g->refs) return;
	for (size_t i = 0; i < g->operations.len; i++) operation_drop(g->operations.data[i]);
	vec_free(&g->operations);
	vec_free(&g->edges);
	handle_remove(g);
	free(g);
}

Graph *graph_copy(const Graph *from) {
	Graph *g = graph_new();
	g->frees = from->frees;
	for (size_t i = 0; i < from->operations.len; i++) {
		vec_push(&g->operations, from->operations.data[i]);
		from->operations.data[i]->refs++;
	}
	return g;
}

void graph_add(Graph *g, unsigned long long stream, Work work, void *data) {
	Operation *o = xcalloc(1, sizeof *o);
	*o = (Operation){.refs = 1,
					 .node = (cudaGraphNode_t)o,
					 .type = cudaGraphNodeTypeKernel,
					 .stream = stream,
					 .work = work,
					 .data = data};
	vec_push(&g->operations, o);
}

cudaError_t graph_run(void *data) {
	Graph *g = *(Graph **)data;
	cudaError_t error = cudaSuccess;
	for (size_t i = 0; i < g->operations.len && error == cudaSuccess; i++)
		if (g->operations.data[i]->work) error = g->operations.data[i]->work(g->operations.data[i]->data);
	return error;
}

void graph_begin(const Graph *g, bool frees) {
	for (size_t i = 0; i < g->operations.len; i++) {
		const Operation *o = g->operations.data[i];
		if (o->work == graph_run) graph_begin(*(Graph **)o->data, frees);
		if (o->begin) o->begin(o->data, frees);
	}
}
