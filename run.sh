#!/usr/bin/env bash
# Builds tickproof if need be, and runs it with the arguments given. With none,
# it runs the main job (the last line). Works from any directory.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=cmake/setup.sh
source "$(dirname -- "$(readlink -f -- "$0")")/cmake/setup.sh"

set_up tickproof
if (($#)); then exec "$build/tickproof" "$@"; fi

# The main job:
exec "$build/tickproof" sweep "$root/cases/powerpc-hz/story.toml"
