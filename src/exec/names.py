#!/usr/bin/env python3
"""The functions of the CUDA runtime and of the driver by name, as two lists for C, out of the toolkit's headers.

    names.py INCLUDE OUT

Some exist twice, for programs whose default stream is each thread's own: with _ptsz those that take a stream, with
_ptds those that take none."""
import pathlib
import re
import sys

# What nvcc's own code calls, and what only some toolkits from CUDA 12 on declare. Programs of any of them are run.
MORE_OF_RUNTIME = '''
    __cudaGetKernel __cudaGetProcAddress __cudaInitModule __cudaLaunchKernel __cudaLaunchKernel_ptsz
    __cudaPopCallConfiguration __cudaPushCallConfiguration __cudaRegisterFatBinary __cudaRegisterFatBinaryEnd
    __cudaRegisterFunction __cudaRegisterHostVar __cudaRegisterManagedVar __cudaRegisterUnifiedTable
    __cudaRegisterVar __cudaUnregisterFatBinary cudaEventElapsedTime_v2 cudaFuncGetParamInfo
    cudaGetDeviceProperties_v2 cudaGetFuncBySymbol cudaGraphAddDependencies_v2 cudaGraphAddNode_v2
    cudaGraphGetEdges_v2 cudaGraphNodeGetDependencies_v2 cudaGraphNodeGetDependentNodes_v2
    cudaGraphRemoveDependencies_v2 cudaLaunchCooperativeKernelMultiDevice cudaLibraryGetGlobal cudaLibraryGetKernel
    cudaLibraryLoadData cudaLibraryLoadFromFile cudaLibraryUnload cudaMemAdvise_v2 cudaMemPrefetchAsync_v2
    cudaMemPrefetchAsync_v2_ptsz cudaProfilerStart cudaProfilerStop cudaSetDoubleForDevice cudaSetDoubleForHost
    cudaSignalExternalSemaphoresAsync_v2 cudaSignalExternalSemaphoresAsync_v2_ptsz cudaStreamGetCaptureInfo_v2
    cudaStreamGetCaptureInfo_v2_ptsz cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo_v3_ptsz
    cudaStreamUpdateCaptureDependencies_v2 cudaStreamUpdateCaptureDependencies_v2_ptsz cudaThreadExit
    cudaThreadGetCacheConfig cudaThreadGetLimit cudaThreadSetCacheConfig cudaThreadSetLimit cudaThreadSynchronize
    cudaWaitExternalSemaphoresAsync_v2 cudaWaitExternalSemaphoresAsync_v2_ptsz'''
RUNTIME = 'cuda_runtime_api.h', 'cuda_gl_interop.h', 'cuda_egl_interop.h', 'cuda_vdpau_interop.h', 'cuda_profiler_api.h'
DRIVER = 'cuda.h', 'cudaProfiler.h', 'cudaGL.h', 'cudaEGL.h', 'cudaVDPAU.h'


def declared(include, headers, convention, prefix):
    paths = [include / name for name in headers]
    text = '\n'.join(path.read_text(encoding='utf-8', errors='replace') for path in paths if path.exists())
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.DOTALL)
    names = set(re.findall(rf'{convention}\s+({prefix}[A-Z]\w*)\s*\(', text))
    names |= set(re.findall(rf'#\s*define\s+{prefix}[A-Z]\w*\s+({prefix}[A-Z]\w*)\s*$', text, flags=re.MULTILINE))
    for form in 'PTSZ', 'PTDS':
        found = re.findall(rf'#\s*define\s+{prefix}\w+\s+__CUD\w*_API_{form}\((\w+)\)', text)
        names |= {name + suffix for name in found for suffix in ('', '_' + form.lower())}
    return names


def defined(name, functions):
    return f'#define {name}(X) \\\n' + ' \\\n'.join(f'X({function})' for function in sorted(functions)) + '\n'


def main(include, out):
    runtime = declared(include, RUNTIME, 'CUDARTAPI', 'cuda') | set(MORE_OF_RUNTIME.split())
    driver = declared(include, DRIVER, 'CUDAAPI', 'cu')
    out.write_text(defined('RUNTIME_NAMES', runtime) + defined('DRIVER_NAMES', driver), encoding='utf-8')


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
