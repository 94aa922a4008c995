#!/usr/bin/env bash
# Gradescope runs this once, when it builds the autograder's image: Ubuntu 22.04 or Debian, as root, with a network.
#
# Upload a zip file with setup.sh, run_autograder, scheme.csv (or scheme.lua), and gpulab.tar.gz, which is made in gpulab's
# folder by
#
#     git archive --format=tar.gz --prefix=gpulab/ -o gpulab.tar.gz HEAD
set -euo pipefail

source=${GRADESCOPE_SOURCE:-/autograder/source}
home=${GPULAB_PREFIX:-/opt/gpulab}

mkdir -p "$home"
tar -xzf "$source/gpulab.tar.gz" -C "$home" --strip-components=1
"$home/bootstrap" --version                # builds it, with CUDA's compiler; no GPU is needed
