// A barrier, but no wait: the copies may still be under way.
// @kernel load
// @block 64
// @buffer out i32 64 poison
// @buffer in i32 64 i
// @arg out
// @arg in
#include <cuda_pipeline.h>
__global__ void load(int *out, const int *in)
{
	__shared__ int tile[64];
	unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + threadIdx.x) : "memory"); // @race
	asm volatile("cp.async.commit_group;" ::: "memory");
	__syncthreads();
	out[threadIdx.x] = tile[63 - threadIdx.x]; // @race
}
