/* Every function that libcuda exports (CUDA 13.0). Those that exist twice are Z and D of the runtime's. */
#ifndef GPULAB_EXEC_DRIVER_NAMES_H
#define GPULAB_EXEC_DRIVER_NAMES_H

#include "exec/runtime/names.h"

/* clang-format off */
#define DRIVER_NAMES(X) \
	X(cuArray3DCreate)  X(cuArray3DCreate_v2)  X(cuArray3DGetDescriptor)  X(cuArray3DGetDescriptor_v2) \
	X(cuArrayCreate)  X(cuArrayCreate_v2)  X(cuArrayDestroy)  X(cuArrayGetDescriptor)  X(cuArrayGetDescriptor_v2) \
	X(cuArrayGetMemoryRequirements)  X(cuArrayGetPlane)  X(cuArrayGetSparseProperties) \
	X(cuCheckpointProcessCheckpoint)  X(cuCheckpointProcessGetRestoreThreadId)  X(cuCheckpointProcessGetState) \
	X(cuCheckpointProcessLock)  X(cuCheckpointProcessRestore)  X(cuCheckpointProcessUnlock) \
	X(cuCoredumpGetAttribute)  X(cuCoredumpGetAttributeGlobal)  X(cuCoredumpSetAttribute) \
	X(cuCoredumpSetAttributeGlobal)  X(cuCtxAttach)  X(cuCtxCreate)  X(cuCtxCreate_v2)  X(cuCtxCreate_v3) \
	X(cuCtxCreate_v4)  X(cuCtxDestroy)  X(cuCtxDestroy_v2)  X(cuCtxDetach)  X(cuCtxDisablePeerAccess) \
	X(cuCtxEnablePeerAccess)  X(cuCtxFromGreenCtx)  X(cuCtxGetApiVersion)  X(cuCtxGetCacheConfig)  X(cuCtxGetCurrent) \
	X(cuCtxGetDevResource)  X(cuCtxGetDevice)  X(cuCtxGetDevice_v2)  X(cuCtxGetExecAffinity)  X(cuCtxGetFlags) \
	X(cuCtxGetId)  X(cuCtxGetLimit)  X(cuCtxGetSharedMemConfig)  X(cuCtxGetStreamPriorityRange)  X(cuCtxPopCurrent) \
	X(cuCtxPopCurrent_v2)  X(cuCtxPushCurrent)  X(cuCtxPushCurrent_v2)  X(cuCtxRecordEvent) \
	X(cuCtxResetPersistingL2Cache)  X(cuCtxSetCacheConfig)  X(cuCtxSetCurrent)  X(cuCtxSetFlags)  X(cuCtxSetLimit) \
	X(cuCtxSetSharedMemConfig)  X(cuCtxSynchronize)  X(cuCtxSynchronize_v2)  X(cuCtxWaitEvent) \
	X(cuDestroyExternalMemory)  X(cuDestroyExternalSemaphore)  X(cuDevResourceGenerateDesc) \
	X(cuDevSmResourceSplitByCount)  X(cuDeviceCanAccessPeer)  X(cuDeviceComputeCapability)  X(cuDeviceGet) \
	X(cuDeviceGetAttribute)  X(cuDeviceGetByPCIBusId)  X(cuDeviceGetCount)  X(cuDeviceGetDefaultMemPool) \
	X(cuDeviceGetDevResource)  X(cuDeviceGetExecAffinitySupport)  X(cuDeviceGetGraphMemAttribute) \
	X(cuDeviceGetHostAtomicCapabilities)  X(cuDeviceGetLuid)  X(cuDeviceGetMemPool)  X(cuDeviceGetName) \
	X(cuDeviceGetNvSciSyncAttributes)  X(cuDeviceGetP2PAtomicCapabilities)  X(cuDeviceGetP2PAttribute) \
	X(cuDeviceGetPCIBusId)  X(cuDeviceGetProperties)  X(cuDeviceGetTexture1DLinearMaxWidth)  X(cuDeviceGetUuid) \
	X(cuDeviceGetUuid_v2)  X(cuDeviceGraphMemTrim)  X(cuDevicePrimaryCtxGetState)  X(cuDevicePrimaryCtxRelease) \
	X(cuDevicePrimaryCtxRelease_v2)  X(cuDevicePrimaryCtxReset)  X(cuDevicePrimaryCtxReset_v2) \
	X(cuDevicePrimaryCtxRetain)  X(cuDevicePrimaryCtxSetFlags)  X(cuDevicePrimaryCtxSetFlags_v2) \
	X(cuDeviceRegisterAsyncNotification)  X(cuDeviceSetGraphMemAttribute)  X(cuDeviceSetMemPool)  X(cuDeviceTotalMem) \
	X(cuDeviceTotalMem_v2)  X(cuDeviceUnregisterAsyncNotification)  X(cuDriverGetVersion)  X(cuEventCreate) \
	X(cuEventDestroy)  X(cuEventDestroy_v2)  X(cuEventElapsedTime)  X(cuEventElapsedTime_v2)  X(cuEventQuery) \
	Z(X, cuEventRecord)  Z(X, cuEventRecordWithFlags)  X(cuEventSynchronize)  X(cuExternalMemoryGetMappedBuffer) \
	X(cuExternalMemoryGetMappedMipmappedArray)  X(cuFlushGPUDirectRDMAWrites)  X(cuFuncGetAttribute) \
	X(cuFuncGetModule)  X(cuFuncGetName)  X(cuFuncGetParamInfo)  X(cuFuncIsLoaded)  X(cuFuncLoad) \
	X(cuFuncSetAttribute)  X(cuFuncSetBlockShape)  X(cuFuncSetCacheConfig)  X(cuFuncSetSharedMemConfig) \
	X(cuFuncSetSharedSize)  X(cuGetErrorName)  X(cuGetErrorString)  X(cuGetExportTable)  X(cuGetProcAddress) \
	X(cuGetProcAddress_v2)  X(cuGraphAddBatchMemOpNode)  X(cuGraphAddChildGraphNode)  X(cuGraphAddDependencies) \
	X(cuGraphAddDependencies_v2)  X(cuGraphAddEmptyNode)  X(cuGraphAddEventRecordNode)  X(cuGraphAddEventWaitNode) \
	X(cuGraphAddExternalSemaphoresSignalNode)  X(cuGraphAddExternalSemaphoresWaitNode)  X(cuGraphAddHostNode) \
	X(cuGraphAddKernelNode)  X(cuGraphAddKernelNode_v2)  X(cuGraphAddMemAllocNode)  X(cuGraphAddMemFreeNode) \
	X(cuGraphAddMemcpyNode)  X(cuGraphAddMemsetNode)  X(cuGraphAddNode)  X(cuGraphAddNode_v2) \
	X(cuGraphBatchMemOpNodeGetParams)  X(cuGraphBatchMemOpNodeSetParams)  X(cuGraphChildGraphNodeGetGraph) \
	X(cuGraphClone)  X(cuGraphConditionalHandleCreate)  X(cuGraphCreate)  X(cuGraphDebugDotPrint)  X(cuGraphDestroy) \
	X(cuGraphDestroyNode)  X(cuGraphEventRecordNodeGetEvent)  X(cuGraphEventRecordNodeSetEvent) \
	X(cuGraphEventWaitNodeGetEvent)  X(cuGraphEventWaitNodeSetEvent)  X(cuGraphExecBatchMemOpNodeSetParams) \
	X(cuGraphExecChildGraphNodeSetParams)  X(cuGraphExecDestroy)  X(cuGraphExecEventRecordNodeSetEvent) \
	X(cuGraphExecEventWaitNodeSetEvent)  X(cuGraphExecExternalSemaphoresSignalNodeSetParams) \
	X(cuGraphExecExternalSemaphoresWaitNodeSetParams)  X(cuGraphExecGetFlags)  X(cuGraphExecHostNodeSetParams) \
	X(cuGraphExecKernelNodeSetParams)  X(cuGraphExecKernelNodeSetParams_v2)  X(cuGraphExecMemcpyNodeSetParams) \
	X(cuGraphExecMemsetNodeSetParams)  X(cuGraphExecNodeSetParams)  X(cuGraphExecUpdate)  X(cuGraphExecUpdate_v2) \
	X(cuGraphExternalSemaphoresSignalNodeGetParams)  X(cuGraphExternalSemaphoresSignalNodeSetParams) \
	X(cuGraphExternalSemaphoresWaitNodeGetParams)  X(cuGraphExternalSemaphoresWaitNodeSetParams)  X(cuGraphGetEdges) \
	X(cuGraphGetEdges_v2)  X(cuGraphGetNodes)  X(cuGraphGetRootNodes)  X(cuGraphHostNodeGetParams) \
	X(cuGraphHostNodeSetParams)  X(cuGraphInstantiate)  X(cuGraphInstantiateWithFlags) \
	Z(X, cuGraphInstantiateWithParams)  X(cuGraphInstantiate_v2)  X(cuGraphKernelNodeCopyAttributes) \
	X(cuGraphKernelNodeGetAttribute)  X(cuGraphKernelNodeGetParams)  X(cuGraphKernelNodeGetParams_v2) \
	X(cuGraphKernelNodeSetAttribute)  X(cuGraphKernelNodeSetParams)  X(cuGraphKernelNodeSetParams_v2) \
	Z(X, cuGraphLaunch)  X(cuGraphMemAllocNodeGetParams)  X(cuGraphMemFreeNodeGetParams) \
	X(cuGraphMemcpyNodeGetParams)  X(cuGraphMemcpyNodeSetParams)  X(cuGraphMemsetNodeGetParams) \
	X(cuGraphMemsetNodeSetParams)  X(cuGraphNodeFindInClone)  X(cuGraphNodeGetDependencies) \
	X(cuGraphNodeGetDependencies_v2)  X(cuGraphNodeGetDependentNodes)  X(cuGraphNodeGetDependentNodes_v2) \
	X(cuGraphNodeGetEnabled)  X(cuGraphNodeGetType)  X(cuGraphNodeSetEnabled)  X(cuGraphNodeSetParams) \
	X(cuGraphReleaseUserObject)  X(cuGraphRemoveDependencies)  X(cuGraphRemoveDependencies_v2) \
	X(cuGraphRetainUserObject)  Z(X, cuGraphUpload)  Z(X, cuGraphicsMapResources) \
	X(cuGraphicsResourceGetMappedMipmappedArray)  X(cuGraphicsResourceGetMappedPointer) \
	X(cuGraphicsResourceGetMappedPointer_v2)  X(cuGraphicsResourceSetMapFlags)  X(cuGraphicsResourceSetMapFlags_v2) \
	X(cuGraphicsSubResourceGetMappedArray)  Z(X, cuGraphicsUnmapResources)  X(cuGraphicsUnregisterResource) \
	X(cuGreenCtxCreate)  X(cuGreenCtxDestroy)  X(cuGreenCtxGetDevResource)  X(cuGreenCtxGetId) \
	X(cuGreenCtxRecordEvent)  X(cuGreenCtxStreamCreate)  X(cuGreenCtxWaitEvent)  X(cuImportExternalMemory) \
	X(cuImportExternalSemaphore)  X(cuInit)  X(cuIpcCloseMemHandle)  X(cuIpcGetEventHandle)  X(cuIpcGetMemHandle) \
	X(cuIpcOpenEventHandle)  X(cuIpcOpenMemHandle)  X(cuIpcOpenMemHandle_v2)  X(cuKernelGetAttribute) \
	X(cuKernelGetFunction)  X(cuKernelGetLibrary)  X(cuKernelGetName)  X(cuKernelGetParamInfo) \
	X(cuKernelSetAttribute)  X(cuKernelSetCacheConfig)  X(cuLaunch)  Z(X, cuLaunchCooperativeKernel) \
	X(cuLaunchCooperativeKernelMultiDevice)  X(cuLaunchGrid)  X(cuLaunchGridAsync)  Z(X, cuLaunchHostFunc) \
	Z(X, cuLaunchKernel)  Z(X, cuLaunchKernelEx)  X(cuLibraryEnumerateKernels)  X(cuLibraryGetGlobal) \
	X(cuLibraryGetKernel)  X(cuLibraryGetKernelCount)  X(cuLibraryGetManaged)  X(cuLibraryGetModule) \
	X(cuLibraryGetUnifiedFunction)  X(cuLibraryLoadData)  X(cuLibraryLoadFromFile)  X(cuLibraryUnload) \
	X(cuLinkAddData)  X(cuLinkAddData_v2)  X(cuLinkAddFile)  X(cuLinkAddFile_v2)  X(cuLinkComplete)  X(cuLinkCreate) \
	X(cuLinkCreate_v2)  X(cuLinkDestroy)  X(cuLogsCurrent)  X(cuLogsDumpToFile)  X(cuLogsDumpToMemory) \
	X(cuLogsRegisterCallback)  X(cuLogsUnregisterCallback)  X(cuMemAddressFree)  X(cuMemAddressReserve) \
	X(cuMemAdvise)  X(cuMemAdvise_v2)  X(cuMemAlloc)  Z(X, cuMemAllocAsync)  Z(X, cuMemAllocFromPoolAsync) \
	X(cuMemAllocHost)  X(cuMemAllocHost_v2)  X(cuMemAllocManaged)  X(cuMemAllocPitch)  X(cuMemAllocPitch_v2) \
	X(cuMemAlloc_v2)  Z(X, cuMemBatchDecompressAsync)  X(cuMemCreate)  Z(X, cuMemDiscardAndPrefetchBatchAsync) \
	Z(X, cuMemDiscardBatchAsync)  X(cuMemExportToShareableHandle)  X(cuMemFree)  Z(X, cuMemFreeAsync) \
	X(cuMemFreeHost)  X(cuMemFree_v2)  X(cuMemGetAccess)  X(cuMemGetAddressRange)  X(cuMemGetAddressRange_v2) \
	X(cuMemGetAllocationGranularity)  X(cuMemGetAllocationPropertiesFromHandle)  X(cuMemGetDefaultMemPool) \
	X(cuMemGetHandleForAddressRange)  X(cuMemGetInfo)  X(cuMemGetInfo_v2)  X(cuMemGetMemPool)  X(cuMemHostAlloc) \
	X(cuMemHostGetDevicePointer)  X(cuMemHostGetDevicePointer_v2)  X(cuMemHostGetFlags)  X(cuMemHostRegister) \
	X(cuMemHostRegister_v2)  X(cuMemHostUnregister)  X(cuMemImportFromShareableHandle)  X(cuMemMap) \
	Z(X, cuMemMapArrayAsync)  X(cuMemPoolCreate)  X(cuMemPoolDestroy)  X(cuMemPoolExportPointer) \
	X(cuMemPoolExportToShareableHandle)  X(cuMemPoolGetAccess)  X(cuMemPoolGetAttribute) \
	X(cuMemPoolImportFromShareableHandle)  X(cuMemPoolImportPointer)  X(cuMemPoolSetAccess)  X(cuMemPoolSetAttribute) \
	X(cuMemPoolTrimTo)  Z(X, cuMemPrefetchAsync)  Z(X, cuMemPrefetchAsync_v2)  Z(X, cuMemPrefetchBatchAsync) \
	X(cuMemRangeGetAttribute)  X(cuMemRangeGetAttributes)  X(cuMemRelease)  X(cuMemRetainAllocationHandle) \
	X(cuMemSetAccess)  X(cuMemSetMemPool)  X(cuMemUnmap)  D(X, cuMemcpy)  X(cuMemcpy2D)  X(cuMemcpy2DAsync) \
	Z(X, cuMemcpy2DAsync_v2)  X(cuMemcpy2DUnaligned)  D(X, cuMemcpy2DUnaligned_v2)  D(X, cuMemcpy2D_v2) \
	X(cuMemcpy3D)  X(cuMemcpy3DAsync)  Z(X, cuMemcpy3DAsync_v2)  Z(X, cuMemcpy3DBatchAsync) \
	Z(X, cuMemcpy3DBatchAsync_v2)  D(X, cuMemcpy3DPeer)  Z(X, cuMemcpy3DPeerAsync)  D(X, cuMemcpy3D_v2) \
	Z(X, cuMemcpyAsync)  X(cuMemcpyAtoA)  D(X, cuMemcpyAtoA_v2)  X(cuMemcpyAtoD)  D(X, cuMemcpyAtoD_v2) \
	X(cuMemcpyAtoH)  X(cuMemcpyAtoHAsync)  Z(X, cuMemcpyAtoHAsync_v2)  D(X, cuMemcpyAtoH_v2) \
	Z(X, cuMemcpyBatchAsync)  Z(X, cuMemcpyBatchAsync_v2)  X(cuMemcpyDtoA)  D(X, cuMemcpyDtoA_v2)  X(cuMemcpyDtoD) \
	X(cuMemcpyDtoDAsync)  Z(X, cuMemcpyDtoDAsync_v2)  D(X, cuMemcpyDtoD_v2)  X(cuMemcpyDtoH)  X(cuMemcpyDtoHAsync) \
	Z(X, cuMemcpyDtoHAsync_v2)  D(X, cuMemcpyDtoH_v2)  X(cuMemcpyHtoA)  X(cuMemcpyHtoAAsync) \
	Z(X, cuMemcpyHtoAAsync_v2)  D(X, cuMemcpyHtoA_v2)  X(cuMemcpyHtoD)  X(cuMemcpyHtoDAsync) \
	Z(X, cuMemcpyHtoDAsync_v2)  D(X, cuMemcpyHtoD_v2)  D(X, cuMemcpyPeer)  Z(X, cuMemcpyPeerAsync)  X(cuMemsetD16) \
	Z(X, cuMemsetD16Async)  D(X, cuMemsetD16_v2)  X(cuMemsetD2D16)  Z(X, cuMemsetD2D16Async)  D(X, cuMemsetD2D16_v2) \
	X(cuMemsetD2D32)  Z(X, cuMemsetD2D32Async)  D(X, cuMemsetD2D32_v2)  X(cuMemsetD2D8)  Z(X, cuMemsetD2D8Async) \
	D(X, cuMemsetD2D8_v2)  X(cuMemsetD32)  Z(X, cuMemsetD32Async)  D(X, cuMemsetD32_v2)  X(cuMemsetD8) \
	Z(X, cuMemsetD8Async)  D(X, cuMemsetD8_v2)  X(cuMipmappedArrayCreate)  X(cuMipmappedArrayDestroy) \
	X(cuMipmappedArrayGetLevel)  X(cuMipmappedArrayGetMemoryRequirements)  X(cuMipmappedArrayGetSparseProperties) \
	X(cuModuleEnumerateFunctions)  X(cuModuleGetFunction)  X(cuModuleGetFunctionCount)  X(cuModuleGetGlobal) \
	X(cuModuleGetGlobal_v2)  X(cuModuleGetLoadingMode)  X(cuModuleGetSurfRef)  X(cuModuleGetTexRef)  X(cuModuleLoad) \
	X(cuModuleLoadData)  X(cuModuleLoadDataEx)  X(cuModuleLoadFatBinary)  X(cuModuleUnload)  X(cuMulticastAddDevice) \
	X(cuMulticastBindAddr)  X(cuMulticastBindMem)  X(cuMulticastCreate)  X(cuMulticastGetGranularity) \
	X(cuMulticastUnbind)  X(cuOccupancyAvailableDynamicSMemPerBlock)  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
	X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)  X(cuOccupancyMaxActiveClusters) \
	X(cuOccupancyMaxPotentialBlockSize)  X(cuOccupancyMaxPotentialBlockSizeWithFlags) \
	X(cuOccupancyMaxPotentialClusterSize)  X(cuParamSetSize)  X(cuParamSetTexRef)  X(cuParamSetf)  X(cuParamSeti) \
	X(cuParamSetv)  X(cuPointerGetAttribute)  X(cuPointerGetAttributes)  X(cuPointerSetAttribute) \
	X(cuProfilerInitialize)  X(cuProfilerStart)  X(cuProfilerStop)  Z(X, cuSignalExternalSemaphoresAsync) \
	Z(X, cuStreamAddCallback)  Z(X, cuStreamAttachMemAsync)  Z(X, cuStreamBatchMemOp)  Z(X, cuStreamBatchMemOp_v2) \
	Z(X, cuStreamBeginCapture)  Z(X, cuStreamBeginCaptureToGraph)  Z(X, cuStreamBeginCapture_v2) \
	Z(X, cuStreamCopyAttributes)  X(cuStreamCreate)  X(cuStreamCreateWithPriority)  X(cuStreamDestroy) \
	X(cuStreamDestroy_v2)  Z(X, cuStreamEndCapture)  Z(X, cuStreamGetAttribute)  Z(X, cuStreamGetCaptureInfo) \
	Z(X, cuStreamGetCaptureInfo_v2)  Z(X, cuStreamGetCaptureInfo_v3)  Z(X, cuStreamGetCtx)  Z(X, cuStreamGetCtx_v2) \
	Z(X, cuStreamGetDevice)  Z(X, cuStreamGetFlags)  X(cuStreamGetGreenCtx)  Z(X, cuStreamGetId) \
	Z(X, cuStreamGetPriority)  Z(X, cuStreamIsCapturing)  Z(X, cuStreamQuery)  Z(X, cuStreamSetAttribute) \
	Z(X, cuStreamSynchronize)  Z(X, cuStreamUpdateCaptureDependencies)  Z(X, cuStreamUpdateCaptureDependencies_v2) \
	Z(X, cuStreamWaitEvent)  Z(X, cuStreamWaitValue32)  Z(X, cuStreamWaitValue32_v2)  Z(X, cuStreamWaitValue64) \
	Z(X, cuStreamWaitValue64_v2)  Z(X, cuStreamWriteValue32)  Z(X, cuStreamWriteValue32_v2) \
	Z(X, cuStreamWriteValue64)  Z(X, cuStreamWriteValue64_v2)  X(cuSurfObjectCreate)  X(cuSurfObjectDestroy) \
	X(cuSurfObjectGetResourceDesc)  X(cuSurfRefGetArray)  X(cuSurfRefSetArray)  X(cuTensorMapEncodeIm2col) \
	X(cuTensorMapEncodeIm2colWide)  X(cuTensorMapEncodeTiled)  X(cuTensorMapReplaceAddress)  X(cuTexObjectCreate) \
	X(cuTexObjectDestroy)  X(cuTexObjectGetResourceDesc)  X(cuTexObjectGetResourceViewDesc) \
	X(cuTexObjectGetTextureDesc)  X(cuTexRefCreate)  X(cuTexRefDestroy)  X(cuTexRefGetAddress) \
	X(cuTexRefGetAddressMode)  X(cuTexRefGetAddress_v2)  X(cuTexRefGetArray)  X(cuTexRefGetBorderColor) \
	X(cuTexRefGetFilterMode)  X(cuTexRefGetFlags)  X(cuTexRefGetFormat)  X(cuTexRefGetMaxAnisotropy) \
	X(cuTexRefGetMipmapFilterMode)  X(cuTexRefGetMipmapLevelBias)  X(cuTexRefGetMipmapLevelClamp) \
	X(cuTexRefGetMipmappedArray)  X(cuTexRefSetAddress)  X(cuTexRefSetAddress2D)  X(cuTexRefSetAddress2D_v2) \
	X(cuTexRefSetAddress2D_v3)  X(cuTexRefSetAddressMode)  X(cuTexRefSetAddress_v2)  X(cuTexRefSetArray) \
	X(cuTexRefSetBorderColor)  X(cuTexRefSetFilterMode)  X(cuTexRefSetFlags)  X(cuTexRefSetFormat) \
	X(cuTexRefSetMaxAnisotropy)  X(cuTexRefSetMipmapFilterMode)  X(cuTexRefSetMipmapLevelBias) \
	X(cuTexRefSetMipmapLevelClamp)  X(cuTexRefSetMipmappedArray)  X(cuThreadExchangeStreamCaptureMode) \
	X(cuUserObjectCreate)  X(cuUserObjectRelease)  X(cuUserObjectRetain)  Z(X, cuWaitExternalSemaphoresAsync)
/* clang-format on */

#endif
