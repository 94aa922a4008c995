// The next tile is loaded while other warps still sum the last one.
// @kernel sums
// @schedules
// @block 128
// @buffer out f32 128 poison
// @buffer in f32 1024 i
// @arg out
// @arg in
// @arg i32 1024
__global__ void sums(float *out, const float *in, int n)
{
	__shared__ float tile[128];
	float sum = 0;
	for (int base = 0; base < n; base += 128) {
		tile[threadIdx.x] = in[base + threadIdx.x]; // @race
		__syncthreads();
#pragma unroll 1
		for (int k = 0; k < 128; k++)
			sum += tile[k] * (threadIdx.x + 1);
	}
	out[threadIdx.x] = sum;
}
