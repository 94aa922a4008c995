// Two groups in flight, and one may stay: the second is read.
// @kernel load
// @block 32
// @buffer out i32 32 poison
// @buffer in i32 64 i
// @arg out
// @arg in
__global__ void load(int *out, const int *in)
{
	__shared__ int tile[2][32];
	for (int k = 0; k < 2; k++) {
		unsigned at = (unsigned)__cvta_generic_to_shared(&tile[k][threadIdx.x]);
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + 32 * k + threadIdx.x) : "memory"); // @race
		asm volatile("cp.async.commit_group;" ::: "memory");
	}
	asm volatile("cp.async.wait_group 1;" ::: "memory");
	__syncthreads();
	out[threadIdx.x] = tile[0][threadIdx.x] + tile[1][31 - threadIdx.x]; // @race
}
