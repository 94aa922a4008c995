/* Immediate dominators of any graph: nodes 0 to n-1, and edges. Post-dominators are those of the reversed edges. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t from, to;
} GraphEdge;

enum { NO_DOMINATOR = UINT32_MAX };

/* Fills idom[n]: the root has itself, a node that cannot be reached from it NO_DOMINATOR. */
void ptx_dominators(uint32_t n, const GraphEdge *edges, size_t nedges, uint32_t root, uint32_t *idom);
