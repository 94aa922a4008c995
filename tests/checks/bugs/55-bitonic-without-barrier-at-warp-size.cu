// Below 32 elements apart the barrier is left out, but __syncwarp() is missing too.
// @kernel sort
// @schedules
// @block 64
// @buffer a i32 64 i * 37 % 64
// @arg a
__global__ void sort(int *a)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = a[t];
	__syncthreads();
#pragma unroll 1
	for (int size = 2; size <= 64; size *= 2)
#pragma unroll 1
		for (int step = size / 2; step > 0; step /= 2) {
			int other = t ^ step;
			if (other > t && (s[t] > s[other]) == ((t & size) == 0)) { // @race
				int swap = s[t];
				s[t] = s[other]; // @race
				s[other] = swap; // @race
			}
			if (step >= 32)
				__syncthreads();
		}
	__syncthreads();
	a[t] = s[t];
}
