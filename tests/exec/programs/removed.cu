// What CUDA 12 and 13 removed, a case for each macro.
#include <cstdio>
#include <cuda.h>

#ifdef TEXTURE
texture<float, 1> table;
#endif
#ifdef IN_KERNEL
__global__ void waits() { cudaDeviceSynchronize(); }
#endif

int main() {
	int *p = nullptr;
	cudaDeviceProp about;
	cudaGetDeviceProperties(&about, 0);
#ifdef CLOCK
	printf("%d\n", about.clockRate);
#endif
#ifdef OVERLAP
	printf("%d\n", about.deviceOverlap);
#endif
#ifdef PREFETCH
	cudaMemPrefetchAsync(p, 4, 0, 0);
#endif
#ifdef CONTEXT
	CUcontext context;
	cuCtxCreate(&context, 0, 0);
#endif
#ifdef THREAD
	cudaThreadSynchronize();
#endif
	printf("%d\n", p == nullptr);
}
