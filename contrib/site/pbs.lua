-- Site file for PBS, with the options that MetaCentrum documents. A job holds the GPU, and a connection by ssh to its
-- node carries the data, so your site has to allow ssh to the node of your own running job.
return {
  remote = "pbs:gpu",

  pbs = {
    -- Words for qsub.
    options = { "-lselect=1:ncpus=2:ngpus=1:mem=4gb:gpu_mem=8gb", "-lwalltime=0:05:00" },
    gpulab = "$HOME/gpulab/bin/gpulab", -- on the nodes
    wait = 3600,
  },
}
