-- Lab 9, host and device: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "F10", slide = "System-Local Memory" }, {
    { id = "F10.host.pcie", statement = "The memory of the host is connected to the GPU by PCIe." },
    { id = "F10.host.locked_cost",
      statement = "Page-locked memory is limited, and the system may become slower by it." },
    { id = "F10.host.locked_speed", statement = "Page-locked memory is transferred faster over PCIe." },
    { id = "F10.host.locked_overlap", statement = "Page-locked memory lets copies run beside a kernel." },
    { id = "F10.host.locked_mapped",
      statement = "Page-locked memory can be mapped into the address space of the device." },
    { id = "F10.host.locked_combining",
      statement = "Page-locked memory can be write-combining: the CPU does not cache it." },
    { id = "F10.host.portable",
      statement = "It is page-locked for all threads of the CPU only with cudaHostAllocPortable." },
  })
  add({ source = "F10", slide = "Page-Locked Memory" }, {
    { id = "F10.host.two_addresses",
      statement = "Mapped memory has another address on the device, which cudaHostGetDevicePointer tells." },
    { id = "F10.host.map_flag",
      statement = "Before any other call cudaSetDeviceFlags has to be called with cudaDeviceMapHost." },
    { id = "F10.host.async",
      statement = "Calls with the suffix Async let the GPU's work and copies go on beside the CPU's work." },
    { id = "F10.host.uncached_slow", statement = "Non-cached memory is slow to access for the host." },
    { id = "F10.host.uncached_fast", statement = "Non-cached memory is faster to access for the device." },
    { id = "F10.host.uncached_clean", statement = "Non-cached memory leaves the CPU's cache as it is." },
  })
  add({ source = "O24", slide = "CPU-GPU memory transfers" }, {
    { id = "O24.host.fewer",
      statement = "Transfers are to be few, often at the cost of less efficient work on the GPU." },
    { id = "O24.host.locked", statement = "Page-locked memory can make transfers faster." },
    { id = "O24.host.large", statement = "Large blocks at once are more efficient." },
    { id = "O24.host.overlap", statement = "Computation and transfers should overlap." },
  })
  add({ source = "O24", slide = "Problem Choice" }, {
    { id = "O24.host.enough_work", statement = "A GPU wants many operations for each transfer over the slow PCIe." },
  })
end
