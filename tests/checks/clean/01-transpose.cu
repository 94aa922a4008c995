// @kernel transpose
// @grid 3 2
// @block 32 8
// @buffer out f32 6144 poison
// @buffer in f32 6144 i
// @arg out
// @arg in
// @arg i32 96
// @arg i32 64
// @expect out in[i % 64 * 96 + i / 64]
__global__ void transpose(float *out, const float *in, int width, int height)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int k = 0; k < 32; k += 8)
		tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int k = 0; k < 32; k += 8)
		out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}
