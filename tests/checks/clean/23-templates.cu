// @kernel apply<Square, 4>
// @grid 2
// @block 32
// @buffer out i32 256 poison
// @buffer in i32 256 i
// @arg out
// @arg in
// @expect out i * i
struct Square {
	__device__ int operator()(int x) const { return x * x; }
};
template <class F, int N>
__global__ void apply(int *out, const int *in)
{
	F f;
#pragma unroll
	for (int k = 0; k < N; k++) {
		int i = (blockIdx.x * N + k) * 32 + threadIdx.x;
		out[i] = f(in[i]);
	}
}
