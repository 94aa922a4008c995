// A kernel that prints elements that are wrong has nothing to do where all are right.
// @kernel compare
// @block 32
// @buffer values i32 32 3
// @arg values
// @expect values 3
__global__ void compare(const int *values)
{
	if (values[threadIdx.x] != 3)
		printf("element %d is %d\n", threadIdx.x, values[threadIdx.x]);
}
