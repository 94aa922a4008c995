/* dominators.h, by the iteration of Cooper, Harvey and Kennedy, as cfg.c has it for post-dominators. */
#include "ptx/analysis/dominators.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/arena.h"

/* The neighbors of node k: list[start[k]] to list[start[k + 1] - 1]. */
typedef struct {
	uint32_t *start, *list;
} Neighbors;

static Neighbors neighbors(uint32_t n, const GraphEdge *edges, size_t nedges, bool back) {
	Neighbors b = {xcalloc((size_t)n + 2, sizeof *b.start), xcalloc(nedges + 1, sizeof *b.list)};
	for (size_t i = 0; i < nedges; i++) b.start[(back ? edges[i].to : edges[i].from) + 2]++;
	for (uint32_t k = 2; k < n + 2; k++) b.start[k] += b.start[k - 1];
	for (size_t i = 0; i < nedges; i++)
		b.list[b.start[(back ? edges[i].to : edges[i].from) + 1]++] = back ? edges[i].from : edges[i].to;
	return b;
}

static void neighbors_free(Neighbors *b) {
	free(b->start);
	free(b->list);
}

/* Numbers the nodes in the order in which a depth-first search leaves them; returns how many it found. */
static uint32_t number_nodes(const Neighbors *next, uint32_t n, uint32_t root, uint32_t *number, uint32_t *by_number) {
	uint32_t *stack = xcalloc((size_t)n + 1, sizeof *stack), *at = xcalloc((size_t)n + 1, sizeof *at);
	uint32_t depth = 0, left = 0;
	for (uint32_t k = 0; k < n; k++) {
		number[k] = NO_DOMINATOR;
		at[k] = next->start[k];
	}
	stack[depth++] = root;
	number[root] = 0; /* seen */
	while (depth) {
		const uint32_t k = stack[depth - 1];
		if (at[k] == next->start[k + 1]) {
			by_number[left] = k;
			number[k] = left++;
			depth--;
			continue;
		}
		const uint32_t to = next->list[at[k]++];
		if (number[to] != NO_DOMINATOR) continue;
		number[to] = 0;
		stack[depth++] = to;
	}
	free(stack);
	free(at);
	return left;
}

void ptx_dominators(uint32_t n, const GraphEdge *edges, size_t nedges, uint32_t root, uint32_t *idom) {
	Neighbors next = neighbors(n, edges, nedges, false), before = neighbors(n, edges, nedges, true);
	uint32_t *number = xcalloc((size_t)n + 1, sizeof *number), *by_number = xcalloc((size_t)n + 1, sizeof *by_number);
	const uint32_t found = number_nodes(&next, n, root, number, by_number);
	for (uint32_t k = 0; k < n; k++) idom[k] = NO_DOMINATOR;
	idom[root] = root;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = found; i-- > 0;) {
			const uint32_t k = by_number[i];
			uint32_t best = NO_DOMINATOR;
			if (k == root) continue;
			for (uint32_t p = before.start[k]; p < before.start[k + 1]; p++) {
				uint32_t a = before.list[p], b = best;
				if (idom[a] == NO_DOMINATOR) continue;
				while (b != NO_DOMINATOR && a != b) {
					while (number[a] < number[b]) a = idom[a];
					while (number[b] < number[a]) b = idom[b];
				}
				best = a;
			}
			changed |= idom[k] != best;
			idom[k] = best;
		}
	}
	neighbors_free(&next);
	neighbors_free(&before);
	free(number);
	free(by_number);
}
