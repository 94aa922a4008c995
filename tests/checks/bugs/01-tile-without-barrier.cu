// A tile is read across before all of it is written.
// @kernel transpose
// @schedules
// @grid 2 2
// @block 16 16
// @buffer out f32 1024 poison
// @buffer in f32 1024 i
// @arg out
// @arg in
// @arg i32 32
__global__ void transpose(float *out, const float *in, int n)
{
	__shared__ float tile[16][17];
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	tile[threadIdx.y][threadIdx.x] = in[y * n + x];
	x = blockIdx.y * 16 + threadIdx.x;
	y = blockIdx.x * 16 + threadIdx.y;
	out[y * n + x] = tile[threadIdx.x][threadIdx.y]; // @race // @init
}
