// Lane 0 writes what the others read without waiting.
// @kernel broadcast
// @schedules
// @block 32
// @buffer out i32 32 poison
// @buffer in i32 1 7
// @arg out
// @arg in
__global__ void broadcast(int *out, const int *in)
{
	__shared__ int s;
	if (threadIdx.x == 0)
		s = in[0]; // @race
	out[threadIdx.x] = s; // @init
}
