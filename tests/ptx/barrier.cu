extern "C" __global__ void divergent(int *out)
{
	if (threadIdx.x < 16)
		__syncthreads();
	else
		out[threadIdx.x] = 1;
	__syncthreads();
}

extern "C" __global__ void named(int *out)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t < 64) { /* two warps on a barrier of their own */
		s[t] = t;
		asm volatile("bar.sync 1, 64;");
		out[t] = s[63 - t];
	} else {
		out[t] = -t;
	}
}

extern "C" __global__ void stuck(int *out)
{
	if (threadIdx.x < 32)
		asm volatile("bar.sync 1, 64;");
	else
		asm volatile("bar.sync 2, 64;");
	out[threadIdx.x] = 1;
}

extern "C" __global__ void counted(int *out)
{
	int t = threadIdx.x;
	int n = __syncthreads_count(t % 3 == 0);
	int all = __syncthreads_and(t < 96), any = __syncthreads_or(t == 95);
	out[t] = n * 4 + (all != 0) * 2 + (any != 0);
}

extern "C" __global__ void producer(int *out)
{
	__shared__ int s[32];
	int t = threadIdx.x;
	for (int k = 0; k < 4; k++) {
		if (t < 32) {
			s[t] = t * 10 + k;
			asm volatile("bar.sync 3, 64;");
		} else {
			asm volatile("bar.sync 3, 64;");
			out[k * 32 + t - 32] = s[63 - t];
		}
		asm volatile("bar.sync 4, 64;");
	}
}

extern "C" __global__ void warps(int *out)
{
	__shared__ volatile int s[32];
	int l = threadIdx.x;
	s[l] = l;
	__syncwarp();
	int v = s[l ^ 1];
	if (l < 16) {
		s[l] = v + 100;
		__syncwarp(0xffff);
		v = s[15 - l];
	}
	out[l] = v;
}

extern "C" __global__ void rounds(int *out, int n)
{
	__shared__ int turn;
	if (threadIdx.x == 0)
		turn = 0;
	__syncthreads();
	for (int k = 0; k < n; k++) {
		if (threadIdx.x == k * 37 % blockDim.x)
			turn = turn * 3 % 1000 + k;
		__syncthreads();
	}
	out[threadIdx.x] = turn;
}

/* Cases (golden.c)

case in divergent code
kernel divergent
block 32
status fault
buffer out i32 32 0
arg out
fault barrier never completed
says different places

case named
kernel named
block 128
buffer out i32 128 0
arg out
expect out i < 64 ? 63 - i : -i
count barriers 2

case each waits for the other
kernel stuck
block 64
status fault
buffer out i32 64 0
arg out
fault barrier never completed
line 26
says forever

case counting threads
kernel counted
block 96
buffer out i32 96 0
arg out
expect out 32 * 4 + 3

case a producer and a consumer
kernel producer
block 64
buffer out i32 128 0
arg out
expect out (31 - i % 32) * 10 + i / 32

case of a warp
kernel warps
block 32
buffer out i32 32 0
arg out
expect out i < 16 ? ((15 - i) ^ 1) + 100 : i ^ 1

case twenty rounds
kernel rounds
block 256
buffer out i32 256 0
arg out
arg i32 20
expect out 90
count barriers 21 * 8
*/
