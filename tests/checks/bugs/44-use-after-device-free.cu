// @kernel keep
// @block 1
// @buffer out i32 1 0
// @arg out
__global__ void keep(int *out)
{
	int *mine = (int *)malloc(16 * sizeof(int));
	mine[3] = 5;
	free(mine);
	*out = mine[3]; // @memory
}
