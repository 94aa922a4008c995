-- Site file for machines with GPUs that are reached by ssh: keys or Kerberos, since nothing can ask for a password.
return {
  remote = "ssh:gpu1.example.org",

  ssh = { options = { "-oControlMaster=auto", "-oControlPath=~/.ssh/gpulab-%C", "-oControlPersist=600" } },

  places = {
    second = { -- --device job:second
      start = { "ssh", "-T", "-oBatchMode=yes", "--", "gpu2.example.org", "{worker}" },
      device = "cuda:1",
      gpulab = "gpulab",
    },
  },
}
