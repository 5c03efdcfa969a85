# shellcheck shell=bash
# What run.sh, test.sh and .ci/run share: installs the missing packages, then
# configures and builds. It writes nothing to stdout and reads nothing from stdin.
#
# The environment:
#   TICKPROOF_BUILD_DIR    where to build; ./build of the source tree by default
#   TICKPROOF_CMAKE_ARGS   more arguments for cmake, separated by spaces:
#                          "-DTICKPROOF_WERROR=ON -DCMAKE_BUILD_TYPE=Debug"

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
build=$(realpath -m -- "${TICKPROOF_BUILD_DIR:-$root/build}")

say() { printf 'tickproof: %s\n' "$*" >&2; }

# 125: the program never ran. tickproof itself does not use it, and
# `git bisect run` skips such a commit.
die() {
  say "$@"
  exit 125
}

# quietly LOG NOTE COMMAND...: runs the command with its output appended to LOG.
# NOTE goes to stderr if that takes more than a moment; on failure, LOG does.
quietly() {
  local log=$1 note=$2 status=0 timer
  shift 2
  # A read that never ends is a sleep without a process to leave behind.
  { read -rt 0.4 <> <(:) || say "$note"; } >/dev/null &
  timer=$!
  "$@" </dev/null >>"$log" 2>&1 || status=$?
  kill "$timer" 2>/dev/null || true
  wait "$timer" 2>/dev/null || true
  if ((status)); then cat -- "$log" >&2; fi
  return "$status"
}

# packages_of SECTION...: the names that packages.txt has in these sections.
packages_of() {
  local line wanted=0 section
  while read -r line; do
    line=${line%%#*}
    line=${line//[[:space:]]/}
    case $line in
      '') ;;
      \[*\])
        wanted=0
        for section; do
          if [[ $line == "[$section]" ]]; then wanted=1; fi
        done
        ;;
      *) if ((wanted)); then printf '%s\n' "$line"; fi ;;
    esac
  done <"$root/packages.txt"
}

# install_packages SECTION...: installs what is missing of these sections.
install_packages() {
  local names name status log as_root=()
  local -A installed=()
  local missing=()
  if ! command -v dpkg-query >/dev/null; then return 0; fi # not Debian: cmake will tell

  mapfile -t names < <(packages_of "$@")
  while read -r name status; do
    if [[ $status == installed ]]; then installed[$name]=1; fi
  done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null || true)
  for name in "${names[@]}"; do
    if [[ ! ${installed[$name]-} ]]; then missing+=("$name"); fi
  done
  if ! ((${#missing[@]})); then return 0; fi

  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      die "packages are missing, and only root can install them (there is no sudo)." \
        "As root: apt-get install ${missing[*]}"
    fi
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  say "installing ${missing[*]}"
  mkdir -p -- "$build"
  log=$build/packages.log
  : >"$log"
  # The update may fail, off the network for one; then the lists at hand have to do.
  "${as_root[@]}" update </dev/null >>"$log" 2>&1 || true
  quietly "$log" "this takes a few minutes (log: $log)" \
    "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" ||
    die "these packages could not be installed: ${missing[*]}"
}

# Whether $build has been configured, by whatever means, for this source tree.
is_configured() {
  [[ -f $build/build.ninja || -f $build/Makefile ]] &&
    grep -qsFx "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"
}

configure() {
  local args=() extra=()
  read -ra extra <<<"${TICKPROOF_CMAKE_ARGS-}"
  if is_configured; then
    # From here on ninja (or make) runs cmake whenever that is needed.
    if ! ((${#extra[@]})); then return 0; fi
  else
    args=(--fresh -DCMAKE_BUILD_TYPE=Release)
    if command -v ninja >/dev/null; then args+=(-G Ninja); fi
    if command -v ccache >/dev/null; then args+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  fi
  quietly "$build/build.log" "configuring (log: $build/build.log)" \
    cmake -S "$root" -B "$build" "${args[@]}" "${extra[@]}" ||
    die "cmake could not configure the build"
}

# set_up TARGET...: everything up to the point where these targets are built.
set_up() {
  local lock
  mkdir -p -- "$build"
  exec {lock}>"$build/.lock" # two at a time would spoil each other's build
  flock "$lock"
  install_packages build
  : >"$build/build.log"
  configure
  quietly "$build/build.log" "building (log: $build/build.log)" \
    cmake --build "$build" --parallel "$(nproc)" --target "$@" ||
    die "the build failed"
  exec {lock}>&-
}
