-- Lab 17, asynchronous copies: what the PTX ISA, the programming guide, and a paper say. lecture.lua has the fields.
return function(add)
  add({ source = "PTX" }, {
    { id = "PTX.cp_async.sizes", place = "cp.async",
      statement = "A thread copies 4, 8, or 16 bytes from global to shared memory." },
    { id = "PTX.cp_async.wait_group", place = "cp.async.wait_group",
      statement = "wait_group N waits until at most the N latest groups of the thread are pending." },
    { id = "PTX.cp_async.visible", place = "cp.async",
      statement = "The writes of a copy are visible to its own thread only after a wait for it." },
    { id = "PTX.mbarrier.phase", place = "Phase completion of the mbarrier object",
      statement = "A phase ends when its pending arrivals and its transaction count are zero." },
    { id = "PTX.bulk.size", place = "cp.async.bulk",
      statement = "Size and addresses of a bulk copy are multiples of 16 bytes." },
    { id = "PTX.tensor.outside", place = "Tensors, out-of-boundary access",
      statement = "Elements of a box beyond the tensor read as zeros, or as NaN if the map says so." },
  })
  add({ source = "CUDA" }, {
    { id = "CUDA.cluster.portable", place = "Thread Block Clusters",
      statement = "A cluster of up to eight blocks is portable." },
  })
  add({ source = "Luo24", place = "section on distributed shared memory" }, {
    { id = "Luo24.dsm.latency", value = 180, unit = "cycles", gpu = "H800",
      note = "a load from another SM's shared memory, a third less than one from L2; quoted from secondary sources" },
  })
end
