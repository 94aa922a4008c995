// @kernel sort
// @block 128
// @buffer a i32 256 i * 37 % 256
// @arg a
// @expect a i
__global__ void sort(int *a)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = a[t];
	s[t + 128] = a[t + 128];
	for (int size = 2; size <= 256; size *= 2)
		for (int step = size / 2; step > 0; step /= 2) {
			__syncthreads();
			int i = 2 * t - (t & (step - 1)), j = i + step;
			bool up = (i & size) == 0;
			if ((s[i] > s[j]) == up) {
				int swap = s[i];
				s[i] = s[j];
				s[j] = swap;
			}
		}
	__syncthreads();
	a[t] = s[t];
	a[t + 128] = s[t + 128];
}
