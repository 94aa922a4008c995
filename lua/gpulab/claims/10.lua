-- Lab 10, synchronisation: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "F10", slide = "Synchronization within the Block" }, {
    { id = "F10.barrier.all", statement = "All threads have to come to the barrier: beware of conditions." },
    { id = "F10.barrier.fast",
      statement = "__syncthreads() is one instruction, and very fast if it does not degrade parallelism." },
    { id = "F10.barrier.votes", statement = "From Fermi on it can also count, and form and and or." },
    { id = "F10.block.exchange",
      statement = "Threads of a block exchange data in shared memory; atomics or a barrier keep order." },
  })
  add({ source = "F10", slide = "Memory Latency Masking" }, {
    { id = "F10.barrier.others", statement = "While a warp waits at a barrier others run, as with memory." },
  })
  add({ source = "F10", slide = "Atomic operations" }, {
    { id = "F10.atomics.undisturbed",
      statement = "They read, modify and write a word of shared or global memory without interference by others." },
    { id = "F10.atomics.types",
      statement = "On integers of 32 and 64 bits from compute capability 1.2 on, on floats from 2.0 on.",
      note = "32 bits in global memory from 1.1 on; 64 bits in shared memory only from 2.0 on" },
    { id = "F10.atomics.spaces", statement = "In global memory from 1.1 on, in shared memory from 1.2 on." },
    { id = "F10.atomics.operations",
      statement = "Add, Sub, Exch, Min, Max, Inc, Dec, CAS, and bit by bit And, Or, Xor." },
  })
  add({ source = "F10", slide = "Synchronization of Memory Operations" }, {
    { id = "F10.memory.wait",
      statement = "What other threads wrote must not be read before it is there; __syncthreads() waits for it." },
    { id = "F10.memory.fence",
      statement = "The compiler may keep and reorder accesses; __threadfence() and __threadfence_block() make data "
        .. "visible to others." },
    { id = "F10.memory.volatile",
      statement = "With volatile all loads and stores happen in memory, which implicit warp synchrony needs." },
  })
  add({ source = "F10", slide = "Block Synchronization" }, {
    { id = "F10.global.none", statement = "There is no global barrier; kernel calls are one." },
    { id = "F10.global.atomics", statement = "Blocks see the same global memory, and have atomics on it." },
    { id = "F10.global.scalability",
      statement = "Little synchronisation between blocks makes programming hard, but lets programs scale very well." },
  })
  add({ source = "F10", slide = "Global Synchronization using Atomic Operations" }, {
    { id = "F10.global.last_block",
      statement = "Each block leaves its sum, fences, and counts itself by atomicInc; the last one adds up all sums.",
      note = "atomicInc(&count, gridDim.x) does not come back to 0 by itself; with gridDim.x - 1 it would" },
  })
end
