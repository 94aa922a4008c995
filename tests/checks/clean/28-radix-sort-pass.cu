// One bit a pass, ranks by ballot.
// @kernel sort
// @block 32
// @buffer a i32 32 i * 13 % 32
// @arg a
// @expect a i
__global__ void sort(int *a)
{
	__shared__ int s[32];
	int l = threadIdx.x, v = a[l];
	for (int bit = 0; bit < 5; bit++) {
		unsigned ones = __ballot_sync(0xffffffff, v >> bit & 1);
		unsigned below = (1u << l) - 1;
		int at = v >> bit & 1 ? __popc(~ones) + __popc(ones & below) : __popc(~ones & below);
		s[at] = v;
		__syncwarp();
		v = s[l];
		__syncwarp();
	}
	a[l] = v;
}
