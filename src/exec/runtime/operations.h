/* Graphs: lists of operations in the order in which they were captured or added, which their dependencies allow.
 * Operations belong to all graphs that have them. */
#pragma once

#include "base/vec.h"
#include "exec/runtime/runtime.h"

typedef struct Operation Operation;
struct Operation {
	unsigned refs;
	cudaGraphNode_t node; /* by which the program knows it, also with other parameters */
	enum cudaGraphNodeType type;
	Work work;
	void *data;
	void (*drop)(void *data);              /* of what the data refers to; else NULL */
	void (*begin)(void *data, bool frees); /* before a launch of its graph (graph_begin); else NULL */
};

struct Graph {
	VEC(Operation *) operations;
	unsigned refs; /* the program, executable graphs and launches */
	bool frees;    /* before a launch, memory that the last one left */
};

void operation_drop(Operation *o);
Graph *graph_copy(const Graph *from); /* graph_new and graph_add: runtime.h */
void graph_drop(Graph *g);
cudaError_t graph_run(void *data); /* as the work of an operation: data is a Graph ** */

/* graph.c: data is freed with the node, or if there is no graph. */
cudaError_t node_add(cudaGraph_t graph, enum cudaGraphNodeType type, Work work, void *data, cudaGraphNode_t *out);

/* graph_nodes.c: before a launch of the graph */
void graph_begin(const Graph *g, bool frees);
