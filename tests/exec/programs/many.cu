/* Many small allocations, given back every other one first. */
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int, char **argv) {
	std::vector<char *> blocks(atoi(argv[1]));
	for (char *&p : blocks)
		if (cudaMalloc(&p, 1)) return 1;
	for (int odd = 0; odd < 2; odd++)
		for (size_t i = odd; i < blocks.size(); i += 2)
			if (cudaFree(blocks[i])) return 2;
	puts("done");
	return 0;
}
