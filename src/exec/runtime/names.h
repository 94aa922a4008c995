/* Every function that libcudart 12 and 13 export. Some exist twice, for programs whose default stream is each thread's
 * own: Z, with _ptsz, those that take a stream; D, with _ptds, those that take none. */
#ifndef GPULAB_EXEC_RUNTIME_NAMES_H
#define GPULAB_EXEC_RUNTIME_NAMES_H

/* clang-format off */
#define Z(X, name) X(name)  X(name##_ptsz)
#define D(X, name) X(name)  X(name##_ptds)
#define RUNTIME_NAMES(X) \
	X(__cudaGetKernel)  X(__cudaGetProcAddress)  X(__cudaInitModule)  Z(X, __cudaLaunchKernel) \
	X(__cudaPopCallConfiguration)  X(__cudaPushCallConfiguration)  X(__cudaRegisterFatBinary) \
	X(__cudaRegisterFatBinaryEnd)  X(__cudaRegisterFunction)  X(__cudaRegisterHostVar)  X(__cudaRegisterManagedVar) \
	X(__cudaRegisterUnifiedTable)  X(__cudaRegisterVar)  X(__cudaUnregisterFatBinary)  X(cudaArrayGetInfo) \
	X(cudaArrayGetMemoryRequirements)  X(cudaArrayGetPlane)  X(cudaArrayGetSparseProperties)  X(cudaChooseDevice) \
	X(cudaCreateChannelDesc)  X(cudaCreateSurfaceObject)  X(cudaCreateTextureObject) \
	X(cudaCtxResetPersistingL2Cache)  X(cudaDestroyExternalMemory)  X(cudaDestroyExternalSemaphore) \
	X(cudaDestroySurfaceObject)  X(cudaDestroyTextureObject)  X(cudaDeviceCanAccessPeer) \
	X(cudaDeviceDisablePeerAccess)  X(cudaDeviceEnablePeerAccess)  X(cudaDeviceFlushGPUDirectRDMAWrites) \
	X(cudaDeviceGetAttribute)  X(cudaDeviceGetByPCIBusId)  X(cudaDeviceGetCacheConfig) \
	X(cudaDeviceGetDefaultMemPool)  X(cudaDeviceGetGraphMemAttribute)  X(cudaDeviceGetHostAtomicCapabilities) \
	X(cudaDeviceGetLimit)  X(cudaDeviceGetMemPool)  X(cudaDeviceGetNvSciSyncAttributes) \
	X(cudaDeviceGetP2PAtomicCapabilities)  X(cudaDeviceGetP2PAttribute)  X(cudaDeviceGetPCIBusId) \
	X(cudaDeviceGetSharedMemConfig)  X(cudaDeviceGetStreamPriorityRange)  X(cudaDeviceGetTexture1DLinearMaxWidth) \
	X(cudaDeviceGraphMemTrim)  X(cudaDeviceRegisterAsyncNotification)  X(cudaDeviceReset) \
	X(cudaDeviceSetCacheConfig)  X(cudaDeviceSetGraphMemAttribute)  X(cudaDeviceSetLimit)  X(cudaDeviceSetMemPool) \
	X(cudaDeviceSetSharedMemConfig)  X(cudaDeviceSynchronize)  X(cudaDeviceUnregisterAsyncNotification) \
	X(cudaDriverGetVersion)  X(cudaEGLStreamConsumerAcquireFrame)  X(cudaEGLStreamConsumerConnect) \
	X(cudaEGLStreamConsumerConnectWithFlags)  X(cudaEGLStreamConsumerDisconnect) \
	X(cudaEGLStreamConsumerReleaseFrame)  X(cudaEGLStreamProducerConnect)  X(cudaEGLStreamProducerDisconnect) \
	X(cudaEGLStreamProducerPresentFrame)  X(cudaEGLStreamProducerReturnFrame)  X(cudaEventCreate) \
	X(cudaEventCreateFromEGLSync)  X(cudaEventCreateWithFlags)  X(cudaEventDestroy)  X(cudaEventElapsedTime) \
	X(cudaEventElapsedTime_v2)  X(cudaEventQuery)  Z(X, cudaEventRecord)  Z(X, cudaEventRecordWithFlags) \
	X(cudaEventSynchronize)  X(cudaExternalMemoryGetMappedBuffer)  X(cudaExternalMemoryGetMappedMipmappedArray) \
	X(cudaFree)  X(cudaFreeArray)  Z(X, cudaFreeAsync)  X(cudaFreeHost)  X(cudaFreeMipmappedArray) \
	X(cudaFuncGetAttributes)  X(cudaFuncGetName)  X(cudaFuncGetParamInfo)  X(cudaFuncSetAttribute) \
	X(cudaFuncSetCacheConfig)  X(cudaFuncSetSharedMemConfig)  X(cudaGLGetDevices)  X(cudaGLMapBufferObject) \
	X(cudaGLMapBufferObjectAsync)  X(cudaGLRegisterBufferObject)  X(cudaGLSetBufferObjectMapFlags) \
	X(cudaGLSetGLDevice)  X(cudaGLUnmapBufferObject)  X(cudaGLUnmapBufferObjectAsync) \
	X(cudaGLUnregisterBufferObject)  X(cudaGetChannelDesc)  X(cudaGetDevice)  X(cudaGetDeviceCount) \
	X(cudaGetDeviceFlags)  X(cudaGetDeviceProperties)  X(cudaGetDeviceProperties_v2)  Z(X, cudaGetDriverEntryPoint) \
	Z(X, cudaGetDriverEntryPointByVersion)  X(cudaGetErrorName)  X(cudaGetErrorString)  X(cudaGetExportTable) \
	X(cudaGetFuncBySymbol)  X(cudaGetKernel)  X(cudaGetLastError)  X(cudaGetMipmappedArrayLevel) \
	X(cudaGetSurfaceObjectResourceDesc)  X(cudaGetSymbolAddress)  X(cudaGetSymbolSize) \
	X(cudaGetTextureObjectResourceDesc)  X(cudaGetTextureObjectResourceViewDesc)  X(cudaGetTextureObjectTextureDesc) \
	X(cudaGraphAddChildGraphNode)  X(cudaGraphAddDependencies)  X(cudaGraphAddDependencies_v2) \
	X(cudaGraphAddEmptyNode)  X(cudaGraphAddEventRecordNode)  X(cudaGraphAddEventWaitNode) \
	X(cudaGraphAddExternalSemaphoresSignalNode)  X(cudaGraphAddExternalSemaphoresWaitNode)  X(cudaGraphAddHostNode) \
	X(cudaGraphAddKernelNode)  X(cudaGraphAddMemAllocNode)  X(cudaGraphAddMemFreeNode)  X(cudaGraphAddMemcpyNode) \
	X(cudaGraphAddMemcpyNode1D)  X(cudaGraphAddMemcpyNodeFromSymbol)  X(cudaGraphAddMemcpyNodeToSymbol) \
	X(cudaGraphAddMemsetNode)  X(cudaGraphAddNode)  X(cudaGraphAddNode_v2)  X(cudaGraphChildGraphNodeGetGraph) \
	X(cudaGraphClone)  X(cudaGraphConditionalHandleCreate)  X(cudaGraphCreate)  X(cudaGraphDebugDotPrint) \
	X(cudaGraphDestroy)  X(cudaGraphDestroyNode)  X(cudaGraphEventRecordNodeGetEvent) \
	X(cudaGraphEventRecordNodeSetEvent)  X(cudaGraphEventWaitNodeGetEvent)  X(cudaGraphEventWaitNodeSetEvent) \
	X(cudaGraphExecChildGraphNodeSetParams)  X(cudaGraphExecDestroy)  X(cudaGraphExecEventRecordNodeSetEvent) \
	X(cudaGraphExecEventWaitNodeSetEvent)  X(cudaGraphExecExternalSemaphoresSignalNodeSetParams) \
	X(cudaGraphExecExternalSemaphoresWaitNodeSetParams)  X(cudaGraphExecGetFlags)  X(cudaGraphExecHostNodeSetParams) \
	X(cudaGraphExecKernelNodeSetParams)  X(cudaGraphExecMemcpyNodeSetParams)  X(cudaGraphExecMemcpyNodeSetParams1D) \
	X(cudaGraphExecMemcpyNodeSetParamsFromSymbol)  X(cudaGraphExecMemcpyNodeSetParamsToSymbol) \
	X(cudaGraphExecMemsetNodeSetParams)  X(cudaGraphExecNodeSetParams)  X(cudaGraphExecUpdate) \
	X(cudaGraphExternalSemaphoresSignalNodeGetParams)  X(cudaGraphExternalSemaphoresSignalNodeSetParams) \
	X(cudaGraphExternalSemaphoresWaitNodeGetParams)  X(cudaGraphExternalSemaphoresWaitNodeSetParams) \
	X(cudaGraphGetEdges)  X(cudaGraphGetEdges_v2)  X(cudaGraphGetNodes)  X(cudaGraphGetRootNodes) \
	X(cudaGraphHostNodeGetParams)  X(cudaGraphHostNodeSetParams)  X(cudaGraphInstantiate) \
	X(cudaGraphInstantiateWithFlags)  Z(X, cudaGraphInstantiateWithParams)  X(cudaGraphKernelNodeCopyAttributes) \
	X(cudaGraphKernelNodeGetAttribute)  X(cudaGraphKernelNodeGetParams)  X(cudaGraphKernelNodeSetAttribute) \
	X(cudaGraphKernelNodeSetParams)  Z(X, cudaGraphLaunch)  X(cudaGraphMemAllocNodeGetParams) \
	X(cudaGraphMemFreeNodeGetParams)  X(cudaGraphMemcpyNodeGetParams)  X(cudaGraphMemcpyNodeSetParams) \
	X(cudaGraphMemcpyNodeSetParams1D)  X(cudaGraphMemcpyNodeSetParamsFromSymbol) \
	X(cudaGraphMemcpyNodeSetParamsToSymbol)  X(cudaGraphMemsetNodeGetParams)  X(cudaGraphMemsetNodeSetParams) \
	X(cudaGraphNodeFindInClone)  X(cudaGraphNodeGetDependencies)  X(cudaGraphNodeGetDependencies_v2) \
	X(cudaGraphNodeGetDependentNodes)  X(cudaGraphNodeGetDependentNodes_v2)  X(cudaGraphNodeGetEnabled) \
	X(cudaGraphNodeGetType)  X(cudaGraphNodeSetEnabled)  X(cudaGraphNodeSetParams)  X(cudaGraphReleaseUserObject) \
	X(cudaGraphRemoveDependencies)  X(cudaGraphRemoveDependencies_v2)  X(cudaGraphRetainUserObject) \
	Z(X, cudaGraphUpload)  X(cudaGraphicsEGLRegisterImage)  X(cudaGraphicsGLRegisterBuffer) \
	X(cudaGraphicsGLRegisterImage)  X(cudaGraphicsMapResources)  X(cudaGraphicsResourceGetMappedEglFrame) \
	X(cudaGraphicsResourceGetMappedMipmappedArray)  X(cudaGraphicsResourceGetMappedPointer) \
	X(cudaGraphicsResourceSetMapFlags)  X(cudaGraphicsSubResourceGetMappedArray)  X(cudaGraphicsUnmapResources) \
	X(cudaGraphicsUnregisterResource)  X(cudaGraphicsVDPAURegisterOutputSurface) \
	X(cudaGraphicsVDPAURegisterVideoSurface)  X(cudaHostAlloc)  X(cudaHostGetDevicePointer)  X(cudaHostGetFlags) \
	X(cudaHostRegister)  X(cudaHostUnregister)  X(cudaImportExternalMemory)  X(cudaImportExternalSemaphore) \
	X(cudaInitDevice)  X(cudaIpcCloseMemHandle)  X(cudaIpcGetEventHandle)  X(cudaIpcGetMemHandle) \
	X(cudaIpcOpenEventHandle)  X(cudaIpcOpenMemHandle)  X(cudaKernelSetAttributeForDevice) \
	Z(X, cudaLaunchCooperativeKernel)  X(cudaLaunchCooperativeKernelMultiDevice)  Z(X, cudaLaunchHostFunc) \
	Z(X, cudaLaunchKernel)  Z(X, cudaLaunchKernelExC)  X(cudaLibraryEnumerateKernels)  X(cudaLibraryGetGlobal) \
	X(cudaLibraryGetKernel)  X(cudaLibraryGetKernelCount)  X(cudaLibraryGetManaged)  X(cudaLibraryGetUnifiedFunction) \
	X(cudaLibraryLoadData)  X(cudaLibraryLoadFromFile)  X(cudaLibraryUnload)  X(cudaLogsCurrent) \
	X(cudaLogsDumpToFile)  X(cudaLogsDumpToMemory)  X(cudaLogsRegisterCallback)  X(cudaLogsUnregisterCallback) \
	X(cudaMalloc)  X(cudaMalloc3D)  X(cudaMalloc3DArray)  X(cudaMallocArray)  Z(X, cudaMallocAsync) \
	Z(X, cudaMallocFromPoolAsync)  X(cudaMallocHost)  X(cudaMallocManaged)  X(cudaMallocMipmappedArray) \
	X(cudaMallocPitch)  X(cudaMemAdvise)  X(cudaMemAdvise_v2)  Z(X, cudaMemDiscardAndPrefetchBatchAsync) \
	Z(X, cudaMemDiscardBatchAsync)  X(cudaMemGetDefaultMemPool)  X(cudaMemGetInfo)  X(cudaMemGetMemPool) \
	X(cudaMemPoolCreate)  X(cudaMemPoolDestroy)  X(cudaMemPoolExportPointer)  X(cudaMemPoolExportToShareableHandle) \
	X(cudaMemPoolGetAccess)  X(cudaMemPoolGetAttribute)  X(cudaMemPoolImportFromShareableHandle) \
	X(cudaMemPoolImportPointer)  X(cudaMemPoolSetAccess)  X(cudaMemPoolSetAttribute)  X(cudaMemPoolTrimTo) \
	Z(X, cudaMemPrefetchAsync)  Z(X, cudaMemPrefetchAsync_v2)  Z(X, cudaMemPrefetchBatchAsync) \
	X(cudaMemRangeGetAttribute)  X(cudaMemRangeGetAttributes)  X(cudaMemSetMemPool)  D(X, cudaMemcpy) \
	D(X, cudaMemcpy2D)  D(X, cudaMemcpy2DArrayToArray)  Z(X, cudaMemcpy2DAsync)  D(X, cudaMemcpy2DFromArray) \
	Z(X, cudaMemcpy2DFromArrayAsync)  D(X, cudaMemcpy2DToArray)  Z(X, cudaMemcpy2DToArrayAsync)  D(X, cudaMemcpy3D) \
	Z(X, cudaMemcpy3DAsync)  Z(X, cudaMemcpy3DBatchAsync)  D(X, cudaMemcpy3DPeer)  Z(X, cudaMemcpy3DPeerAsync) \
	D(X, cudaMemcpyArrayToArray)  Z(X, cudaMemcpyAsync)  Z(X, cudaMemcpyBatchAsync)  D(X, cudaMemcpyFromArray) \
	Z(X, cudaMemcpyFromArrayAsync)  D(X, cudaMemcpyFromSymbol)  Z(X, cudaMemcpyFromSymbolAsync)  X(cudaMemcpyPeer) \
	X(cudaMemcpyPeerAsync)  D(X, cudaMemcpyToArray)  Z(X, cudaMemcpyToArrayAsync)  D(X, cudaMemcpyToSymbol) \
	Z(X, cudaMemcpyToSymbolAsync)  D(X, cudaMemset)  D(X, cudaMemset2D)  Z(X, cudaMemset2DAsync)  D(X, cudaMemset3D) \
	Z(X, cudaMemset3DAsync)  Z(X, cudaMemsetAsync)  X(cudaMipmappedArrayGetMemoryRequirements) \
	X(cudaMipmappedArrayGetSparseProperties)  X(cudaOccupancyAvailableDynamicSMemPerBlock) \
	X(cudaOccupancyMaxActiveBlocksPerMultiprocessor)  X(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) \
	X(cudaOccupancyMaxActiveClusters)  X(cudaOccupancyMaxPotentialClusterSize)  X(cudaPeekAtLastError) \
	X(cudaPointerGetAttributes)  X(cudaProfilerStart)  X(cudaProfilerStop)  X(cudaRuntimeGetVersion) \
	X(cudaSetDevice)  X(cudaSetDeviceFlags)  X(cudaSetDoubleForDevice)  X(cudaSetDoubleForHost) \
	X(cudaSetValidDevices)  Z(X, cudaSignalExternalSemaphoresAsync)  Z(X, cudaSignalExternalSemaphoresAsync_v2) \
	Z(X, cudaStreamAddCallback)  Z(X, cudaStreamAttachMemAsync)  Z(X, cudaStreamBeginCapture) \
	Z(X, cudaStreamBeginCaptureToGraph)  Z(X, cudaStreamCopyAttributes)  X(cudaStreamCreate) \
	X(cudaStreamCreateWithFlags)  X(cudaStreamCreateWithPriority)  X(cudaStreamDestroy)  Z(X, cudaStreamEndCapture) \
	Z(X, cudaStreamGetAttribute)  Z(X, cudaStreamGetCaptureInfo)  Z(X, cudaStreamGetCaptureInfo_v2) \
	Z(X, cudaStreamGetCaptureInfo_v3)  Z(X, cudaStreamGetDevice)  Z(X, cudaStreamGetFlags)  Z(X, cudaStreamGetId) \
	Z(X, cudaStreamGetPriority)  Z(X, cudaStreamIsCapturing)  Z(X, cudaStreamQuery)  Z(X, cudaStreamSetAttribute) \
	Z(X, cudaStreamSynchronize)  Z(X, cudaStreamUpdateCaptureDependencies) \
	Z(X, cudaStreamUpdateCaptureDependencies_v2)  Z(X, cudaStreamWaitEvent)  X(cudaThreadExchangeStreamCaptureMode) \
	X(cudaThreadExit)  X(cudaThreadGetCacheConfig)  X(cudaThreadGetLimit)  X(cudaThreadSetCacheConfig) \
	X(cudaThreadSetLimit)  X(cudaThreadSynchronize)  X(cudaUserObjectCreate)  X(cudaUserObjectRelease) \
	X(cudaUserObjectRetain)  X(cudaVDPAUGetDevice)  X(cudaVDPAUSetVDPAUDevice)  Z(X, cudaWaitExternalSemaphoresAsync) \
	Z(X, cudaWaitExternalSemaphoresAsync_v2)
/* clang-format on */

#endif
