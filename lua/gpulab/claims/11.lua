-- Lab 11, hiding latency: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "F10", slide = "Memory Latency Masking", also = { "O24" } }, {
    { id = "F10.latency.global", statement = "Global memory has a latency of hundreds of clocks." },
    { id = "F10.latency.near", statement = "Registers and shared memory have a latency between writing and reading." },
    { id = "F10.latency.other_warps",
      statement = "When a warp waits for data, another one may run; switching is done by hardware, without overhead." },
    { id = "F10.latency.threads",
      statement = "It takes an order of magnitude more threads than the GPU has cores.",
      note = "the lecture of 2024 says only: more threads than cores" },
    { id = "F10.latency.in_order",
      statement = "Nothing is executed out of order, and most kinds of memory have no cache.",
      note = "the lecture of 2024: no or limited cache" },
  })
  add({ source = "O24", slide = "Memory Latency Masking" }, {
    { id = "O24.latency.ilp",
      statement = "Independent instructions can be used by waiting for a load only just before its data are needed." },
  })
  add({ source = "O24", slide = "Global Memory Access Optimization" }, {
    { id = "O24.latency.clocks", statement = "Global memory has a latency of 400 to 600 clocks." },
  })
end
