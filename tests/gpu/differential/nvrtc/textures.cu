// Textures and surfaces by objects, layers too.
extern "C" __global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float *o, float x)
{
	o[0] = tex1D<float>(t, x) + tex2D<float>(t, x, x) + tex3D<float>(t, x, x, x) + tex1Dfetch<float>(t, 3);
	o[1] = tex1DLayered<float>(t, x, 3) + tex2DLayered<float4>(t, x, x, 5).w;
	o[2] = tex2DLayeredLod<float>(t, x, x, 1, 0.f) + tex1DLayeredLod<int>(t, x, 1, 0.f);
	o[3] = tex2DLayeredGrad<float>(t, x, x, 1, make_float2(1, 1), make_float2(1, 1));
	o[4] = tex2DLod<float>(t, x, x, 0.f) + tex2Dgather<float4>(t, x, x, 1).y;
	o[5] = surf1Dread<float>(s, 8) + surf2Dread<float>(s, 8, 3) + surf3Dread<float>(s, 8, 3, 1);
	o[6] = surf1DLayeredread<float>(s, 8, 2) + surf2DLayeredread<float2>(s, 8, 3, 2, cudaBoundaryModeZero).x;
	surf2DLayeredwrite(1.f, s, 4, 3, 2);
	surf1DLayeredwrite((short)1, s, 4, 3, cudaBoundaryModeClamp);
	surf2Dwrite(make_float4(x, x, x, x), s, 16, 3);
}
