// Warps that wait for another one in every way there is, and some that wait for ever.
__device__ int busy(int n)
{
	int x = threadIdx.x;
#pragma unroll 1
	for (int i = 0; i < n; i++)
		x = x * 3 + (x >> 5);
	return x;
}
__device__ unsigned place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void at_a_flag(int *out, int n)
{
	__shared__ volatile int flag;
	if (threadIdx.x == 0)
		flag = 0;
	__syncthreads();
	if (threadIdx.x < 32) {
		out[threadIdx.x] = busy(n);
		flag = 1;
	} else {
		while (!flag) {
		}
	}
	out[threadIdx.x] = 1;
}

extern "C" __global__ void asleep(int *out, int n)
{
	__shared__ volatile int flag;
	if (threadIdx.x == 0)
		flag = 0;
	__syncthreads();
	if (threadIdx.x < 32) {
		out[threadIdx.x] = busy(n);
		flag = 1;
	} else {
		int turns = 0;
		while (!flag) {
			__nanosleep(100);
			turns++;
		}
		out[threadIdx.x] = turns;
	}
	out[threadIdx.x] = 1;
}

extern "C" __global__ void at_a_lock(int *out, int n)
{
	__shared__ int lock;
	if (threadIdx.x == 0)
		lock = 1;
	__syncthreads();
	if (threadIdx.x < 32) {
		out[threadIdx.x] = busy(n);
		atomicExch(&lock, 0);
	} else if (threadIdx.x % 32 == 0) {
		while (atomicCAS(&lock, 0, 1) != 0) {
		}
		atomicExch(&lock, 0);
	}
	out[threadIdx.x] = 1;
}

extern "C" __global__ void at_a_barrier(int *out, int n)
{
	if (threadIdx.x < 32)
		out[threadIdx.x] = busy(n);
	asm volatile("bar.sync 3, 1024;" ::: "memory");
	out[threadIdx.x] = 1;
}

#if __CUDA_ARCH__ >= 900
#define AWAIT(bar, what)                                                                                               \
	for (unsigned over = 0; !over;)                                                                                    \
		asm volatile("{ .reg .pred p; mbarrier." what ".parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"         \
		             : "=r"(over)                                                                                      \
		             : "r"(place(bar))                                                                                 \
		             : "memory")
#endif

// Older GPUs have no barriers in memory; a flag does for them.
template <bool TRY> __device__ void at_an_mbarrier(int *out, int n)
{
	__shared__ unsigned long long bar;
	volatile unsigned long long *flag = &bar;
	if (threadIdx.x == 0)
#if __CUDA_ARCH__ >= 900
		asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(place(&bar)) : "memory");
#else
		*flag = 0;
#endif
	__syncthreads();
	if (threadIdx.x < 32) {
		out[threadIdx.x] = busy(n);
#if __CUDA_ARCH__ >= 900
		asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(place(&bar)) : "memory");
	} else if (TRY) {
		AWAIT(&bar, "try_wait");
	} else {
		AWAIT(&bar, "test_wait");
#else
		*flag = 1;
	} else {
		while (!*flag) {
		}
#endif
	}
	out[threadIdx.x] = 1;
}
extern "C" __global__ void tries(int *out, int n) { at_an_mbarrier<true>(out, n); }
extern "C" __global__ void tests(int *out, int n) { at_an_mbarrier<false>(out, n); }

extern "C" __global__ void for_the_last_block(volatile int *flag, int *out, int n)
{
	if (blockIdx.x == gridDim.x - 1) {
		out[blockIdx.x * blockDim.x + threadIdx.x] = busy(n);
		__threadfence();
		*flag = 1;
	} else {
		while (!*flag) {
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// One lane of each warp waits for a block that computes for long; the others wait for that lane, and do not go on without it.
extern "C" __global__ void whole_warps(volatile int *flag, int *out, int n)
{
	if (blockIdx.x == gridDim.x - 1) {
		out[blockIdx.x * blockDim.x + threadIdx.x] = busy(n);
		if (threadIdx.x == 0) *flag = 1;
	} else if (threadIdx.x % 32 == 0) {
		while (!*flag) {
		}
	}
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// It counts while it waits, so it does not only wait.
extern "C" __global__ void counts(volatile int *flag, int *out)
{
	int turns = 0;
	while (!*flag && turns < 5000)
		turns++;
	out[threadIdx.x] = turns;
}

// Reads of a clock are no waits: it ends by itself.
extern "C" __global__ void until(volatile int *flag, int *out)
{
	const long long begin = clock64();
	while (!*flag && clock64() - begin < 100000) {
	}
	out[threadIdx.x] = 1;
}

// As other threads and blocks do, or an atomic does that changes nothing.
extern "C" __global__ void never(volatile int *flag, int way)
{
	if (way == 0) {
		while (!*flag) {
		}
	} else if (way == 1) {
		while (atomicCAS((int *)flag, 1, 2) != 1)
			__nanosleep(10);
	} else if (threadIdx.x < 32) {
		asm volatile("bar.sync 1, 64;" ::: "memory");
	} else {
		while (atomicExch((int *)flag, 0) == 0) {
		}
	}
}

/* Cases (golden.c)
# A warp computes for 50000 basic blocks, and 31 wait for it. What waits takes little of the limit of work.
case 31 warps at a flag
kernel at_a_flag
block 1024
work 75000
buffer out i32 1024 0
arg out
arg i32 50000
expect out 1

case 31 warps that sleep
kernel asleep
block 1024
work 75000
buffer out i32 1024 0
arg out
arg i32 50000
expect out 1

case 31 warps at a lock
kernel at_a_lock
block 1024
work 75000
buffer out i32 1024 0
arg out
arg i32 50000
expect out 1

case 31 warps at a named barrier
kernel at_a_barrier
block 1024
work 75000
buffer out i32 1024 0
arg out
arg i32 50000
expect out 1

case 31 warps that try an mbarrier
kernel tries
block 1024
work 75000
buffer out i32 1024 0
arg out
arg i32 50000
expect out 1

case 31 warps that test an mbarrier
kernel tests
block 1024
work 75000
buffer out i32 1024 0
arg out
arg i32 50000
expect out 1

case 15 blocks that wait for the last one
kernel for_the_last_block
grid 16
block 64
work 175000 # two warps of it compute
buffer flag i32 1 0
buffer out i32 1024 0
arg flag
arg out
arg i32 50000
expect out 1

case lanes that one of their warp keeps waiting
kernel whole_warps
grid 8
block 64
buffer flag i32 1 0
buffer out i32 512 0
arg flag
arg out
arg i32 5000
expect out 1
count barriers 16

case a loop that counts
kernel counts
grid 4
block 32
buffer flag i32 1 0
buffer out i32 32 0
arg flag
arg out
expect out 5000

case a loop until a time
kernel until
grid 4
block 32
buffer flag i32 1 0
buffer out i32 32 0
arg flag
arg out
expect out 1

# What waits for ever ends at once; a limit of an hour is not met here.
case a flag that no thread sets
kernel never
grid 5
block 64
timeout 3600000
status timeout
buffer flag i32 1 0
arg flag
arg i32 0
says The kernel never ends: block (
says Every warp waits for another. In this block 2 warps wait in line 
says for memory to change.

case a lock that no thread releases
kernel never
grid 500
block 32
timeout 3600000
status timeout
buffer flag i32 1 0
arg flag
arg i32 1
says The kernel never ends: block (

case a warp at a barrier, and others at a flag
kernel never
block 128
timeout 3600000
status timeout
buffer flag i32 1 0
arg flag
arg i32 2
says at a barrier, 3 wait in line 
says for memory to change.

case blocks that wait for one that has no room
kernel for_the_last_block
grid 100000
block 64
shared 48000
timeout 3600000
status timeout
buffer flag i32 1 0
buffer out i32 1024 0
arg flag
arg out
arg i32 10
says blocks have not begun, since there is no room for more at a time.
*/
