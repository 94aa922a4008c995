-- Site file for a cluster with Slurm: copy it to /etc/gpulab/site.lua (for all users) or ~/.config/gpulab/site.lua.
return {
  remote = "slurm:gpu", -- `run --remote` takes a GPU of the partition gpu

  slurm = {
    -- More words for srun: the account of the course, and what your partitions ask for.
    options = { "--account=my-course", "--cpus-per-task=2", "--mem=4G" },
    gpu = "H100",                            -- what the partition has; then nothing starts before a GPU is needed
    gpulab = "/opt/gpulab/bin/gpulab",       -- on the nodes
    warm = 20,                               -- seconds that a worker keeps its GPU after the last command
    wait = 1800,                             -- seconds that a command waits in the queue at most
  },
}
