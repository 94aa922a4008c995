-- Lab 11, hiding latency: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "F10", slide = "Memory Latency Masking", also = { "O24" } }, {
    { id = "F10.latency.global", statement = "Global memory has a latency of hundreds of cycles." },
    { id = "F10.latency.near", statement = "Registers and shared memory have a latency between writing and reading." },
    { id = "F10.latency.other_warps",
      statement = "When a warp waits for data, another one may run; switching is done by hardware, without overhead." },
    { id = "F10.latency.barriers", also = {},
      statement = "Other warps hide waiting for synchronization in the same way." },
    { id = "F10.latency.threads",
      statement = "The GPU needs an order of magnitude more threads than it has cores.",
      note = "the lecture of 2024: more threads than the number of GPU cores" },
    { id = "F10.latency.in_order",
      statement = "There is no out-of-order execution, and most memory types have no cache.",
      note = "the lecture of 2024: no or limited cache" },
  })
  add({ source = "O24", slide = "Memory Latency Masking" }, {
    { id = "O24.latency.ilp",
      statement = "ILP can be exploited by forcing finalization of a load just before its data are needed." },
  })
  add({ source = "O24", slide = "Global Memory Access Optimization" }, {
    { id = "O24.latency.cycles", statement = "Global memory has a latency of 400 to 600 cycles." },
  })
  add({ source = "F10", slide = "Thread-Local Memory" }, {
    { id = "F10.local.registers",
      statement = "Registers are used automatically if there are enough of them and array indexing is static." },
    { id = "F10.local.dram",
      statement = "Data that do not fit into registers go into local memory, which is in DRAM: slow, high latency.",
      note = "cached in L1 and L2 since Fermi" },
  })
end
