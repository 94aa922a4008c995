/* Many small allocations, given back every other one first. */
#include <cstdio>

static char *blocks[120000];

int main() {
	for (char *&p : blocks)
		if (cudaMalloc(&p, 1)) return 1;
	for (int odd = 0; odd < 2; odd++)
		for (size_t i = odd; i < sizeof blocks / sizeof *blocks; i += 2)
			if (cudaFree(blocks[i])) return 2;
	puts("done");
	return 0;
}
