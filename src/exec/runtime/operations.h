/* Graphs: lists of operations in the order in which they were captured or added, which their dependencies allow.
 * Operations belong to all graphs that have them. */
#pragma once

#include <pthread.h>

#include "base/vec.h"
#include "exec/runtime/runtime.h"

typedef struct Operation Operation;
struct Operation {
	unsigned refs;
	cudaGraphNode_t node; /* by which the program knows it, also with other parameters */
	enum cudaGraphNodeType type;
	unsigned long long stream; /* in which it was captured, by its id; 0: in none */
	Work work;
	void *data;
	void (*drop)(void *data);              /* of what the data refers to; else NULL */
	void (*begin)(void *data, bool frees); /* before a launch of its graph (graph_begin); else NULL */
};

typedef struct {
	cudaGraphNode_t before, after;
} Edge;

struct Graph {
	VEC(Operation *) operations;
	VEC(Edge) edges; /* between nodes that were added, which the order of the operations follows */
	unsigned refs;   /* the program, executable graphs and launches */
	bool frees;      /* before a launch, memory that the last one left */
};

void operation_drop(Operation *o);
Graph *graph_copy(const Graph *from); /* graph_new and graph_add: runtime.h */
void graph_drop(Graph *g);
cudaError_t graph_run(void *data); /* as the work of an operation: data is a Graph ** */

/* graph.c: data is freed with the node, or if there is no graph. */
cudaError_t node_add(cudaGraph_t graph, enum cudaGraphNodeType type, Work work, void *data, cudaGraphNode_t *out);
/* The error of adding the node; or the node comes after these. */
cudaError_t node_after(cudaGraph_t graph, const cudaGraphNode_t *out, const cudaGraphNode_t *after, size_t n,
					   cudaError_t error);

/* graph_nodes.c: before a launch of the graph */
void graph_begin(const Graph *g, bool frees);

/* --- streams and events ------------------------------------------------------------------------------------------- */

/* Of a stream's nodes in a graph that is captured, those among its first so many. */
typedef struct {
	unsigned long long stream;
	size_t nodes;
} SeenNode;
typedef VEC(SeenNode) SeenNodes;
typedef struct Capture Capture;

typedef struct {
	unsigned flags;
	int priority;
	unsigned long long id;
	Capture *capture; /* it is captured; else NULL */
	SeenNodes seen;   /* then: nodes of other streams that are before what it is given */
	struct cudaAccessPolicyWindow window;
	enum cudaSynchronizationPolicy waiting;
	cudaLaunchMemSyncDomain domain;
	cudaLaunchMemSyncDomainMap domains;
} Stream;

typedef struct {
	unsigned flags;
	bool recorded;
	uint64_t record;            /* the operation that records it; 0: it was done at once */
	unsigned long long capture; /* of the stream that it was recorded in; 0: none */
	SeenNodes seen;
	double at;
} Event;

Stream *stream_of(cudaStream_t stream); /* never NULL: one that was destroyed has the id NO_STREAM */
/* The stream is captured, and gets a node that records an event outside of the graph, or waits for it. */
cudaError_t event_external(const Stream *s, Event *e, enum cudaGraphNodeType type);

struct Capture {
	unsigned long long number;
	Graph *graph;
	bool own; /* the graph: made for it */
	enum cudaStreamCaptureMode mode;
	pthread_t thread; /* that began it */
	const Stream *origin;
	VEC(Stream *) streams; /* in which it is: the origin, and those that waited for an event of it */
	char spoiled[64];      /* by which call; "": it is valid */
};

/* --- capture.c: why a call is refused, in because(), and makes captures invalid; cudaSuccess: it is not ----------- */

Graph *capture_graph(const Stream *s); /* NULL: it is not captured */
void capture_forget(Stream *s);        /* it is gone */
void capture_record(Event *e, const Stream *s);
cudaError_t capture_refuses_event(const Event *e, bool waits); /* to wait for it, or only to ask for its time */
Capture *capture_of(unsigned long long number);                /* NULL: it is over */
Capture *capture_begin(Stream *origin, Graph *graph, enum cudaStreamCaptureMode mode); /* graph NULL: a new one */
void capture_end(Capture *c);
void capture_join(Capture *c, Stream *s); /* it is captured along */
void capture_see(SeenNodes *seen, const SeenNodes *more);
cudaError_t capture_spoil(Capture *c, cudaError_t error); /* makes it invalid; returns the error */
cudaError_t capture_invalid(const Capture *c);            /* the error of one that is, and why */
enum cudaStreamCaptureMode capture_mode(enum cudaStreamCaptureMode of_this_thread); /* returns what it was */
