extern "C" __global__ void one_a_block(int *lock, int *value)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0, 1) != 0) {
		}
		__threadfence();
		int v = *(volatile int *)value;
		*(volatile int *)value = v + 1;
		__threadfence();
		atomicExch(lock, 0);
	}
}

extern "C" __global__ void every_thread(int *lock, int *value)
{
	while (atomicCAS(lock, 0, 1) != 0) {
	}
	__threadfence();
	*(volatile int *)value += 1;
	__threadfence();
	atomicExch(lock, 0);
}

extern "C" __global__ void last_block(int *out, const int *in, int *part, unsigned *count)
{
	__shared__ bool last;
	atomicAdd(&part[blockIdx.x], in[blockIdx.x * blockDim.x + threadIdx.x]);
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		last = atomicInc(count, gridDim.x) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		int sum = 0;
		for (int i = 0; i < gridDim.x; i++)
			sum += ((volatile int *)part)[i];
		*out = sum;
	}
}

extern "C" __global__ void chain(volatile int *flag, int *out)
{
	/* each block waits for its predecessor; the first to run waits for all that come later */
	int next = gridDim.x - 1 - blockIdx.x;
	if (threadIdx.x == 0) {
		while (flag[next] == 0) {
		}
		out[blockIdx.x] = next;
		__threadfence();
		flag[next + 1] = 1;
	}
}

extern "C" __global__ void ping(int *out)
{
	__shared__ volatile int ball;
	if (threadIdx.x == 0)
		ball = 0;
	__syncthreads();
	int me = threadIdx.x / 32;
	if (threadIdx.x % 32 == 0) {
		for (int k = 0; k < 10; k++) {
			while (ball != 2 * k + me) {
			}
			ball = 2 * k + me + 1;
		}
	}
	__syncthreads();
	out[threadIdx.x] = ball;
}

/* Cases (golden.c)

case a lock taken once a block
kernel one_a_block
grid 40
block 64
buffer lock i32 1 0
buffer value i32 1 0
arg lock
arg value
expect value 40
expect lock 0

case a lock taken by every thread
kernel every_thread
grid 2
block 64
buffer lock i32 1 0
buffer value i32 1 0
arg lock
arg value
expect value 128

case the last block sums up
kernel last_block
grid 20
block 128
buffer out i32 1 0
buffer in i32 2560 i
buffer part i32 20 0
buffer count u32 1 0
arg out
arg in
arg part
arg count
expect out 2560 * 2559 / 2

case blocks that wait for later ones
kernel chain
grid 12
block 32
buffer flag i32 13 i == 0
buffer out i32 12 0
arg flag
arg out
expect out 11 - i
expect flag 1

case warps that hand over to each other
kernel ping
block 64
buffer out i32 64 0
arg out
expect out 20
*/
