// What lies between the fields is copied unwritten, and nobody looks at it.
// @kernel swap
// @block 32
// @buffer out i32 32 poison
// @arg out
// @expect out (31 - i) * 3
struct Pair {
	char tag;
	int value;
};
__global__ void swap(int *out)
{
	__shared__ Pair s[32];
	int t = threadIdx.x;
	Pair mine = s[t];
	mine.tag = 1;
	mine.value = t * 3;
	s[t].tag = mine.tag;
	s[t].value = mine.value;
	__syncthreads();
	Pair other = s[31 - t];
	out[t] = other.value * other.tag;
}
