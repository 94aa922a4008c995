extern "C" __global__ void checked(const int *in, int n)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i < n)
		assert(in[i] < 50);
}

extern "C" __global__ void trapped(int n)
{
	if (threadIdx.x == n)
		__trap();
}

extern "C" __global__ void null_pointer(int *p) { p[threadIdx.x] = 1; }

extern "C" __global__ void endless(volatile int *p)
{
	while (*p == 0) {
	}
}

extern "C" __global__ void forever() { while (1) asm volatile(""); }

extern "C" __global__ void wild_shared(int *out, int at)
{
	__shared__ int first[8], second[4];
	first[threadIdx.x & 7] = 1;
	second[threadIdx.x & 3] = 2;
	__syncthreads();
	out[threadIdx.x] = first[threadIdx.x + at] + second[0];
}

extern "C" __global__ void wrong_space(int **where, int *out)
{
	__shared__ int s;
	s = 4;
	*where = &s;
	__syncthreads();
	int *p = *where;
	if (__isShared(p))
		out[0] = *p;
	asm volatile("st.global.u32 [%0], 1;" ::"l"(p));
}

/* Cases (golden.c)

case an assertion
kernel checked
grid 2
block 32
status fault
buffer in i32 64 i
arg in
arg i32 64
fault assertion failed
line 5
at 1 0 0 18 0 0
threads 14
says in[i] < 50

case a trap
kernel trapped
block 64
status fault
arg i32 40
fault trap
line 11
at 0 0 0 40 0 0
threads 1

case a null pointer
kernel null_pointer
block 32
status fault
arg i64 0
fault out of bounds
line 14
threads 32
says null pointer

case waiting for nobody
kernel endless
block 32
grid 4
timeout 150
status timeout
buffer p i32 1 0
arg p
says The kernel never ends: block (

case an empty endless loop
kernel forever
block 64
grid 2
timeout 100
status timeout

case a wild index in shared memory
kernel wild_shared
block 32
status fault
buffer out i32 32 0
arg out
arg i32 8
fault out of bounds
line 30

case a shared address used as global
kernel wrong_space
block 1
status fault
buffer where i64 1 0
buffer out i32 1 0
arg where
arg out
expect out 4
fault wrong address space
line 42
says shared memory
*/
