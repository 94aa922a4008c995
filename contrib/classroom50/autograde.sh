#!/usr/bin/env bash
# The test of a Classroom 50 assignment: writes result.json in the working folder. Exit code 0 means that the grader ran.
#
#     autograde.sh SCHEME SUBMISSION      CLASSROOM, ASSIGNMENT, USERNAMES, SUBMISSION_ID, COMMIT, RELEASE, REVIEW are optional
set -euo pipefail

exec "${GPULAB:-gpulab}" grade "$2" --name "${USERNAMES:-submission}" --scheme "$1" --out "${TMPDIR:-/tmp}/grades" \
	--classroom result.json --about "classroom=${CLASSROOM:-}" --about "assignment=${ASSIGNMENT:-}" \
	--about "usernames=${USERNAMES:-}" --about "submission=${SUBMISSION_ID:-}" \
	--about "commit=${COMMIT:-$(git -C "$2" rev-parse HEAD 2>/dev/null || true)}" \
	--about "release=${RELEASE:-}" --about "review=${REVIEW:-}"
