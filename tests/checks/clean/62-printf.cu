// A kernel that only prints did something.
// @kernel hello
// @block 2
// @buffer unused i32 1 3
// @arg unused
// @expect unused 3
__global__ void hello(const int *unused)
{
	printf("thread %d sees %d\n", threadIdx.x, *unused);
}
