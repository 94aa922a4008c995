// @kernel reverse
// @block 128
// @buffer out i32 128 poison
// @buffer in i32 128 i
// @arg out
// @arg in
__global__ void reverse(int *out, const int *in)
{
	__shared__ int s[128];
	s[threadIdx.x] = in[threadIdx.x]; // @race
	__syncwarp();
	out[threadIdx.x] = s[127 - threadIdx.x]; // @init // @race
}
