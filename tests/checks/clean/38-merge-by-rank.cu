// @kernel merge
// @block 64
// @buffer out i32 128 poison
// @buffer a i32 64 2 * i
// @buffer b i32 64 2 * i + 1
// @arg out
// @arg a
// @arg b
// @expect out i
__device__ int rank(const int *list, int n, int v)
{
	int lo = 0, hi = n;
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (list[mid] < v)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
__global__ void merge(int *out, const int *a, const int *b)
{
	int t = threadIdx.x;
	out[t + rank(b, 64, a[t])] = a[t];
	out[t + rank(a, 64, b[t])] = b[t];
}
