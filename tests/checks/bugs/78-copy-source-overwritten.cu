// A thread stores to what its own copy may still be reading.
// @kernel increment
// @block 64
// @buffer data i32 64 i
// @buffer out i32 64 poison
// @arg data
// @arg out
__global__ void increment(int *data, int *out)
{
	__shared__ int tile[64];
	unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(data + threadIdx.x) : "memory"); // @race
	asm volatile("cp.async.commit_group;" ::: "memory");
	data[threadIdx.x] = -1; // @race
	asm volatile("cp.async.wait_group 0;" ::: "memory");
	__syncthreads();
	out[threadIdx.x] = tile[63 - threadIdx.x];
}
