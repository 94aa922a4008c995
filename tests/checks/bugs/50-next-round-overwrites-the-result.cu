// Thread 0 hands out the total, and the next round's sums come before all have read it.
// @kernel rounds
// @schedules
// @block 64
// @buffer out i32 64 poison
// @buffer in i32 256 i
// @arg out
// @arg in
__global__ void rounds(int *out, const int *in)
{
	__shared__ int total;
	int sum = 0;
#pragma unroll 1
	for (int k = 0; k < 4; k++) {
		if (threadIdx.x == 0)
			total = in[k * 64]; // @race
		__syncthreads();
		sum += total;
	}
	out[threadIdx.x] = sum;
}
