-- Lab 1, SIMT: threads, warps, divergence: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "O24", slide = "Parallelization" }, {
    { id = "O24.simt.vector_add", statement = "Vector addition is data-parallel and needs no synchronization." },
  })
  add({ source = "F10", also = { "O24" }, slide = "SIMT" }, {
    { id = "F10.simt.warp", value = 32, unit = "threads", note = "execute the same instruction" },
    { id = "F10.simt.issue", value = 4, unit = "cycles",
      note = "per warp instruction: 32 threads on 8 cores; O24 says it of a multiprocessor of the G80" },
    { id = "F10.simt.serialized",
      statement = "If parts of a warp perform different instructions, these are serialized." },
  })
  add({ source = "F10", slide = "Task Hierarchy" }, {
    { id = "F10.simt.numbering", statement = "A grid consists of blocks, a block of threads, in several dimensions.",
      note = "how threads form warps is the CUDA C++ Programming Guide's rule" },
  })
  add({ source = "O24", slide = "Code divergence" }, {
    { id = "O24.simt.within_warp", statement = "Divergence costs where it happens within a warp." },
  })
  -- The slide's title is missing from the extracted text; it follows the slides on atomic operations.
  add({ source = "F10", slide = "(warp votes)" }, {
    { id = "F10.vote.all", statement = "__all is true if the predicate is true in all threads of the warp." },
    { id = "F10.vote.any", statement = "__any is true if the predicate is true in at least one thread of the warp." },
    { id = "F10.vote.ballot", statement = "__ballot returns one bit per thread." },
  })
  add({ source = "F10", slide = "Parallelization" }, {
    { id = "F10.matmul.one_loop", statement = "Parallelized over one loop, a product does not scale: n threads." },
    { id = "F10.matmul.two_loops", statement = "Parallelized over two loops, it scales: n² threads." },
    { id = "F10.matmul.inner_loop", statement = "Parallelized over the inner loop, it needs synchronization." },
  })
end
