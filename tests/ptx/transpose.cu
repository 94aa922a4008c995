#define TILE 32
#define ROWS 8

extern "C" __global__ void copy(float *out, const float *in, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += ROWS)
		out[x + (y + k) * n] = in[x + (y + k) * n];
}

extern "C" __global__ void naive(float *out, const float *in, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += ROWS)
		out[x * n + y + k] = in[x + (y + k) * n];
}

template <int PAD> __global__ void tile(float *out, const float *in, int n)
{
	__shared__ float t[TILE][TILE + PAD];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += ROWS)
		t[threadIdx.y + k][threadIdx.x] = in[x + (y + k) * n];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += ROWS)
		out[x + (y + k) * n] = t[threadIdx.x][threadIdx.y + k];
}
template __global__ void tile<0>(float *, const float *, int);
template __global__ void tile<1>(float *, const float *, int);

/* Cases (golden.c)

# 64 x 64 elements in 2 x 2 blocks of 32 x 8 threads: 32 warps, 4 loads and 4 stores each
case copy
kernel copy
grid 2 2
block 32 8
buffer out f32 4096 -1
buffer in f32 4096 i
arg out
arg in
arg i32 64
expect out in[i]
count global_load_requests 128
count global_load_sectors 4 * 128
count global_store_sectors 4 * 128
count shared_load_requests 0
case naive
kernel naive
grid 2 2
block 32 8
buffer out f32 4096 -1
buffer in f32 4096 i
arg out
arg in
arg i32 64
expect out in[(i % 64) * 64 + i / 64]
count global_load_sectors 4 * 128
count global_store_requests 128
count global_store_sectors 32 * 128
case tile
kernel _Z4tileILi0EEvPfPKfi
grid 2 2
block 32 8
buffer out f32 4096 -1
buffer in f32 4096 i
arg out
arg in
arg i32 64
expect out in[(i % 64) * 64 + i / 64]
count global_load_sectors 4 * 128
count global_store_sectors 4 * 128
count shared_load_requests 128
count shared_load_wavefronts 32 * 128
count shared_store_wavefronts 128
count barriers 32
case tile padded
kernel _Z4tileILi1EEvPfPKfi
grid 2 2
block 32 8
buffer out f32 4096 -1
buffer in f32 4096 i
arg out
arg in
arg i32 64
expect out in[(i % 64) * 64 + i / 64]
count shared_load_requests 128
count shared_load_wavefronts 128
count shared_store_wavefronts 128
# 16 banks and half-warps: 16 passes for each of 2 x 128 requests
case tile by the rules of the GTX 280
gpu GTX 280
kernel _Z4tileILi0EEvPfPKfi
grid 2 2
block 32 8
buffer out f32 4096 -1
buffer in f32 4096 i
arg out
arg in
arg i32 64
expect out in[(i % 64) * 64 + i / 64]
count shared_load_requests 256
count shared_load_wavefronts 16 * 256
count shared_store_wavefronts 256
case tile padded by the rules of the GTX 280
gpu GTX 280
kernel _Z4tileILi1EEvPfPKfi
grid 2 2
block 32 8
buffer out f32 4096 -1
buffer in f32 4096 i
arg out
arg in
arg i32 64
expect out in[(i % 64) * 64 + i / 64]
count shared_load_requests 256
count shared_load_wavefronts 256
case more threads than the GTX 280 allows
gpu GTX 280
status limit
kernel copy
block 32 32
buffer out f32 4096 -1
buffer in f32 4096 i
arg out
arg in
arg i32 64
expect out -1
says 1024
says 512
*/
