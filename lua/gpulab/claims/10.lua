-- Lab 10, synchronization: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "F10", slide = "Synchronization within the Block" }, {
    { id = "F10.barrier.all", statement = "All threads have to enter the barrier: beware of conditions." },
    { id = "F10.barrier.fast",
      statement = "__syncthreads() is one instruction, and very fast if it doesn't degrade parallelism." },
    { id = "F10.barrier.votes", statement = "From Fermi on a barrier can also count, and compute and and or." },
    { id = "F10.block.exchange",
      statement = "Threads of a block exchange data in shared memory; atomics or a barrier synchronize them." },
  })
  add({ source = "F10", slide = "Memory Latency Masking" }, {
    { id = "F10.barrier.others", statement = "While a warp waits at a barrier other warps run, as with memory." },
  })
  add({ source = "F10", slide = "Atomic operations" }, {
    { id = "F10.atomics.undisturbed",
      statement = "Atomics read, modify and write a word of shared or global memory without interference." },
    { id = "F10.atomics.types",
      statement = "On 32-bit and 64-bit integers from compute capability 1.2 on, on floats from 2.0 on.",
      note = "32 bits in global memory from 1.1 on; 64 bits in shared memory only from 2.0 on" },
    { id = "F10.atomics.spaces", statement = "In global memory from 1.1 on, in shared memory from 1.2 on." },
    { id = "F10.atomics.operations",
      statement = "Add, Sub, Exch, Min, Max, Inc, Dec, CAS, and bitwise And, Or, Xor." },
  })
  add({ source = "F10", slide = "Synchronization of Memory Operations" }, {
    { id = "F10.memory.wait",
      statement = "Data of other threads must not be read before they are visible; __syncthreads() waits for that." },
    { id = "F10.memory.fence",
      statement = "The compiler may keep and reorder accesses; __threadfence() and __threadfence_block() make data "
        .. "visible to others." },
    { id = "F10.memory.volatile",
      statement = "With volatile all loads and stores happen in memory, which implicit warp synchrony needs." },
  })
  add({ source = "F10", slide = "Block Synchronization" }, {
    { id = "F10.global.none", statement = "There is no global barrier; kernel calls are one." },
    { id = "F10.global.atomics", statement = "Blocks share global memory, and can use atomics on it." },
    { id = "F10.global.scalability",
      statement = "Poor options for global synchronization make programming hard but allow very good scaling." },
  })
  add({ source = "F10", slide = "Global Synchronization using Atomic Operations" }, {
    { id = "F10.global.last_block",
      statement = "Each block stores its sum, fences, and calls atomicInc on a counter; the last one adds all sums.",
      note = "atomicInc(&count, gridDim.x) does not wrap to 0 by itself; with gridDim.x - 1 it would" },
  })
end
