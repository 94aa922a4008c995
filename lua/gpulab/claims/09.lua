-- Lab 9, host and device: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "F10", slide = "System-Local Memory" }, {
    { id = "F10.host.pcie", statement = "Host memory is connected to the GPU by PCIe." },
    { id = "F10.host.virtual",
      statement = "Transfers between host and device are complicated by virtual addressing." },
    { id = "F10.host.locked_cost",
      statement = "Pinned (page-locked) memory is limited, and using much of it may slow down the system." },
    { id = "F10.host.locked_speed", statement = "Pinned memory is transferred faster over PCIe." },
    { id = "F10.host.locked_overlap", statement = "With pinned memory, copies can overlap with a kernel." },
    { id = "F10.host.locked_mapped",
      statement = "Pinned memory can be mapped into the address space of the device." },
    { id = "F10.host.locked_combining",
      statement = "Pinned memory can be write-combining: the CPU does not cache it." },
    { id = "F10.host.portable",
      statement = "It is pinned for all threads of the CPU only with cudaHostAllocPortable." },
  })
  add({ source = "F10", slide = "Page-Locked Memory" }, {
    { id = "F10.host.two_addresses",
      statement = "Mapped memory has another address on the device, which cudaHostGetDevicePointer returns." },
    { id = "F10.host.map_flag",
      statement = "Before any other call cudaSetDeviceFlags has to be called with cudaDeviceMapHost." },
    { id = "F10.host.async",
      statement = "Calls with the suffix Async let copies and GPU work overlap with CPU work." },
    { id = "F10.host.uncached_slow", statement = "Non-cached memory is slow to access for the host." },
    { id = "F10.host.uncached_fast", statement = "Non-cached memory is faster to access for the device." },
    { id = "F10.host.uncached_clean", statement = "Non-cached memory does not flush the CPU's cache." },
  })
  add({ source = "O24", slide = "CPU-GPU memory transfers" }, {
    { id = "O24.host.fewer",
      statement = "Minimize transfers, often at the cost of less efficient work on the GPU." },
    { id = "O24.host.locked", statement = "Pinned memory can make transfers faster." },
    { id = "O24.host.large", statement = "Transferring large blocks at once is more efficient." },
    { id = "O24.host.overlap", statement = "Computation and transfers should overlap." },
  })
  add({ source = "O24", slide = "Problem Choice" }, {
    { id = "O24.host.choice",
      statement = "What is accelerated should be critical for the application, large enough, and parallelizable." },
    { id = "O24.host.enough_work", statement = "A GPU needs many operations per transfer over the slow PCIe." },
  })
end
