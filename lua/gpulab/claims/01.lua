-- Lab 1, SIMT: threads, warps, divergence: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "O24", slide = "Parallelization" }, {
    { id = "O24.simt.vector_add", statement = "Vector addition is data-parallel and needs no synchronization." },
  })
  add({ source = "F10", also = { "O24" }, slide = "SIMT" }, {
    { id = "F10.simt.warp", value = 32, unit = "threads", note = "execute the same instruction" },
    { id = "F10.simt.issue", value = 4, unit = "clocks", gpu = "GTX 280",
      note = "from one instruction of a warp to the next: 32 threads on 8 processors" },
    { id = "F10.simt.serialized",
      statement = "Where parts of a warp perform different instructions, these are performed one after the other." },
  })
  add({ source = "F10", slide = "Task Hierarchy" }, {
    { id = "F10.simt.numbering", statement = "A grid is made of blocks, a block of threads, in several dimensions." },
  })
  add({ source = "O24", slide = "Code divergence" }, {
    { id = "O24.simt.within_warp", statement = "Divergence costs where it happens within a warp." },
  })
  -- The title of this slide is lost; it stands between those on atomic operations and on memory operations.
  add({ source = "F10", slide = "(warp votes)" }, {
    { id = "F10.vote.all", statement = "__all is true if the predicate is true for all threads of the warp." },
    { id = "F10.vote.any", statement = "__any is true if it is true for at least one." },
    { id = "F10.vote.ballot", statement = "__ballot has a bit for each thread." },
  })
  add({ source = "F10", slide = "Parallelization" }, {
    { id = "F10.matmul.one_loop", statement = "Parallel over one loop a product does not scale: n threads." },
    { id = "F10.matmul.two_loops", statement = "Parallel over two loops it scales: n² threads." },
    { id = "F10.matmul.inner_loop", statement = "Parallel over the inner loop it is wrong without synchronization." },
  })
end
