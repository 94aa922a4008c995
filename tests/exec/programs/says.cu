// Two launches of a kernel that prints; the second prints more lines than are shown.
#include <cstdio>
__global__ void says(int launch) { printf("launch %d, thread %d\n", launch, threadIdx.x); }
__global__ void silent() { }
int main()
{
	says<<<1, 2>>>(1);
	silent<<<1, 1>>>();
	says<<<1, 64>>>(2);
	return cudaDeviceSynchronize() != cudaSuccess;
}
