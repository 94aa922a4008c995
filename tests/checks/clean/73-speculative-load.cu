// The compiler loads what is used only if a condition holds, and discards it.
// @kernel pop
// @block 64
// @buffer out i32 64 poison
// @arg out
// @expect out -1
struct Stack {
	int n;
	int *d;
	__device__ virtual bool pop(int &e)
	{
		int i = atomicAdd(&n, -1);
		if (i >= 0) {
			e = d[i];
			return true;
		}
		return false;
	}
};
__device__ int data[64];
__global__ void pop(int *out)
{
	__shared__ Stack *s;
	__shared__ __align__(8) char room[sizeof(Stack)];
	if (threadIdx.x == 0) {
		s = new (room) Stack;
		s->n = -1;
		s->d = data;
	}
	__syncthreads();
	int v;
	out[threadIdx.x] = s->pop(v) ? v : -1;
}
