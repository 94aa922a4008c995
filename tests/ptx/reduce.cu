extern "C" __global__ void shuffles(int *out, const int *in)
{
	int l = threadIdx.x, v = in[l];
	out[l] = __shfl_down_sync(~0u, v, 3);
	out[32 + l] = __shfl_up_sync(~0u, v, 5);
	out[64 + l] = __shfl_xor_sync(~0u, v, 9);
	out[96 + l] = __shfl_sync(~0u, v, l * 7, 16);
	out[128 + l] = __shfl_down_sync(~0u, v, 2, 8);
}

extern "C" __global__ void votes(unsigned *out, const int *in)
{
	int l = threadIdx.x, v = in[l];
	out[l] = __ballot_sync(~0u, v > 100);
	out[32 + l] = __all_sync(~0u, v >= 0) + 2 * __any_sync(~0u, v == 93) + 4 * __all_sync(~0u, v > 3);
	out[64 + l] = __match_any_sync(~0u, v / 64);
	if (l & 1)
		out[96 + l] = __activemask();
	else
		out[96 + l] = __popc(__ballot_sync(0x55555555, l > 7));
}

extern "C" __global__ void sum(float *out, const float *in, int n)
{
	__shared__ float part[32];
	float v = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		v += in[i];
	for (int d = 16; d; d >>= 1)
		v += __shfl_down_sync(~0u, v, d);
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = v;
	__syncthreads();
	if (threadIdx.x < 32) {
		v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
		for (int d = 16; d; d >>= 1)
			v += __shfl_down_sync(~0u, v, d);
		if (threadIdx.x == 0)
			atomicAdd(out, v);
	}
}

extern "C" __global__ void tree(int *out, const int *in)
{
	extern __shared__ int s[];
	s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
	__syncthreads();
	for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
		if (threadIdx.x < d)
			s[threadIdx.x] += s[threadIdx.x + d];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = s[0];
}

/* Cases (golden.c)

case shuffles
kernel shuffles
block 32
buffer out i32 160 0
buffer in i32 32 i * 3
arg out
arg in
expect out i < 32 ? (i + 3 < 32 ? 3 * (i + 3) : 3 * i) : i < 64 ? (i - 32 >= 5 ? 3 * (i - 37) : 3 * (i - 32)) : i < 96 ? 3 * ((i - 64) ^ 9) : i < 128 ? 3 * (((i - 96) & 16) + (i - 96) * 7 % 16) : 3 * ((i & 7) + 2 < 8 ? i - 128 + 2 : i - 128)

case votes
kernel votes
block 32
buffer out u32 128 0
buffer in i32 32 i * 3 + 3
arg out
arg in
# v = 3 l + 3, at most 99
expect out i < 32 ? 0 : i < 64 ? 3 : i < 96 ? (i - 64 < 21 ? 0x1fffff : 0xffe00000) : i & 1 ? 0xaaaaaaaa : 12

case a sum by shuffles
kernel sum
grid 4
block 128
buffer out f32 1 0
buffer in f32 3000 1 + i % 4
arg out
arg in
arg i32 3000
expect out 7500
count atomics 4
count shared_store_wavefronts 16

case a tree in dynamic shared memory
kernel tree
grid 5
block 256
shared 1024
buffer out i32 5 0
buffer in i32 1280 i
arg out
arg in
expect out 256 * 256 * i + 32640
count barriers 5 * 8 * 9

case dynamic shared memory too small
kernel tree
status fault
block 256
shared 512
buffer out i32 1 0
buffer in i32 256 i
arg out
arg in
fault out of bounds
line 46
target s 512 512
at 0 0 0 128 0 0
*/
