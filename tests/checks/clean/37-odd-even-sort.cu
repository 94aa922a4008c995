// @kernel sort
// @block 32
// @buffer a i32 64 63 - i
// @arg a
// @expect a i
__global__ void sort(int *a)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = a[t];
	s[t + 32] = a[t + 32];
	for (int round = 0; round < 64; round++) {
		__syncthreads();
		int i = 2 * t + round % 2;
		if (i + 1 < 64 && s[i] > s[i + 1]) {
			int swap = s[i];
			s[i] = s[i + 1];
			s[i + 1] = swap;
		}
	}
	__syncthreads();
	a[t] = s[t];
	a[t + 32] = s[t + 32];
}
