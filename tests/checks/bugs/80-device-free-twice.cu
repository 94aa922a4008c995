// @kernel twice
// @block 1
// @buffer out i32 1 0
// @arg out
__global__ void twice(int *out)
{
	int *mine = (int *)malloc(16);
	mine[0] = 5;
	*out = mine[0];
	free(mine);
	free(mine); // @memory
}
