// The tiled transpose of tests/ptx/transpose.cu, in OpenCL, for the bench beside Oclgrind.
__kernel void tile(__global float *out, __global const float *in, int n)
{
	__local float s[32][33];
	int x = get_group_id(0) * 32 + get_local_id(0), y = get_group_id(1) * 32 + get_local_id(1);
	for (int i = 0; i < 32; i += 8)
		s[get_local_id(1) + i][get_local_id(0)] = in[(y + i) * n + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	x = get_group_id(1) * 32 + get_local_id(0);
	y = get_group_id(0) * 32 + get_local_id(1);
	for (int i = 0; i < 32; i += 8)
		out[(y + i) * n + x] = s[get_local_id(0)][get_local_id(1) + i];
}
