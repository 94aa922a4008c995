/* Prints the errors of the CUDA runtime as lines for C: X(number, "name", "text"). Built and run with the toolkit that
 * gpulab is built with, whose runtime knows them all. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

int main(void) {
	enum { LAST = 2000 };
	for (int i = 0; i <= LAST; i++) {
		const char *name = cudaGetErrorName((cudaError_t)i);
		if (strncmp(name, "cudaError", 9) == 0 || strcmp(name, "cudaSuccess") == 0)
			printf("X(%d, \"%s\", \"%s\")\n", i, name, cudaGetErrorString((cudaError_t)i));
	}
	return 0;
}
