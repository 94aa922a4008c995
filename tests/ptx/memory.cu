__constant__ int numbers[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int counter = 41;
__device__ float squares[4] = {0, 1, 4, 9};
__device__ int *where = &counter;

extern "C" __global__ void constants(int *out)
{
	int i = threadIdx.x;
	out[i] = numbers[i & 7] * 10 + numbers[2] + (i == 0 ? ++*where : (int)squares[i & 3]);
}

extern "C" __global__ void locals(int *out, int k)
{
	int a[16];
	for (int i = 0; i < 16; i++)
		a[i] = i * k + threadIdx.x;
	int s = 0;
	for (int i = 0; i < 16; i++)
		s += a[(i * threadIdx.x) & 15];
	out[threadIdx.x] = s;
}

__device__ __noinline__ int through(const int *p) { return *p; }

extern "C" __global__ void generic(int *out, const int *in)
{
	__shared__ int s[32];
	int l[2] = {7, (int)threadIdx.x}, i = threadIdx.x;
	s[i] = 100 + i;
	__syncwarp();
	const int *p = i % 3 == 0 ? &in[i] : i % 3 == 1 ? &s[31 - i] : &l[i & 1];
	out[i] = through(p);
}

extern "C" __global__ void bytes(unsigned char *b, short *h, const signed char *in)
{
	int i = threadIdx.x;
	b[i] = in[i] + 200;
	h[i] = in[i] * 3;
}

struct Big {
	int n[20];
};

extern "C" __global__ void by_value(Big big, int *out) { out[threadIdx.x] = big.n[(threadIdx.x * 7) % 20]; }

/* Cases (golden.c)

case constants and module variables
kernel constants
block 32
buffer out i32 32 0
arg out
values out 76 15 48 23 54 95 28 73 34 15 48 23 54 95 28 73 34 15 48 23 54 95 28 73 34 15 48 23 54 95 28 73

case arrays in local memory
kernel locals
block 8
buffer out i32 8 0
arg out
arg i32 3
# the sum of 3 (i t mod 16) over i, and 16 t
expect out 16 * i + 3 * (i == 0 ? 0 : i & 1 ? 120 : i % 4 == 2 ? 112 : 96)

case generic addresses
kernel generic
block 32
buffer out i32 32 0
buffer in i32 32 i * 5
arg out
arg in
expect out i % 3 == 0 ? i * 5 : i % 3 == 1 ? 131 - i : i & 1 ? i : 7

case bytes and shorts
kernel bytes
block 64
buffer b u8 64 0
buffer h u16 64 0
buffer in u8 64 i * 4
arg b
arg h
arg in
expect b i * 4 + 200 & 255
expect h (i * 4 < 128 ? i * 4 : i * 4 - 256) * 3 & 65535
count global_store_requests 4
count global_store_sectors 2 * 1 + 2 * 2

case a struct by value, indexed
kernel by_value
block 32
buffer out i32 32 0
arg struct i32 1 i32 2 i32 5 i32 10 i32 17 i32 26 i32 37 i32 50 i32 65 i32 82 i32 101 i32 122 i32 145 i32 170 i32 197 i32 226 i32 257 i32 290 i32 325 i32 362
arg out
expect out (i * 7 % 20) * (i * 7 % 20) + 1
*/
