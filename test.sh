#!/usr/bin/env bash
# Builds everything if need be, and runs all tests. Arguments go to ctest:
# ./test.sh -R model
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=cmake/setup.sh
source "$(dirname -- "$(readlink -f -- "$0")")/cmake/setup.sh"

set_up all
exec ctest --test-dir "$build" --output-on-failure --no-tests=error -j"$(nproc)" "$@"
