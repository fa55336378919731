/**
 * `end_all GRACE UNIT...`, for root's bash: asks the processes of the units to end and kills what is left after the
 * grace, in twentieths of a second; fails when something still lives 5 s after that. A process is found by the mark
 * in its environment, which survives setsid and nohup, or by its control group, which survives sudo.
 */
export const endAll = String.raw`
living() {
  {
    grep -lzxsF "ISX_UNIT=$1" /proc/[0-9]*/environ
    grep -lsE "/$1\.(service|scope)" /proc/[0-9]*/cgroup
  } | cut -d / -f 3 | sort -u
}
end_one() {
  kill -s TERM $(living "$2") 2>/dev/null
  round=0
  while pids=$(living "$2"); [ -n "$pids" ]; do
    if [ "$round" -ge "$1" ]; then kill -s KILL $pids 2>/dev/null; fi
    if [ "$round" -ge $(($1 + 100)) ]; then return 1; fi
    round=$((round + 1))
    sleep 0.05
  done
}
end_all() {
  grace=$1
  shift
  for unit in "$@"; do end_one "$grace" "$unit" & done
  for job in $(jobs -p); do wait "$job" || return 1; done
}
`;

/** Ends units. $1: grace in twentieths of a second; then the units. */
export const endScript = `${endAll}
end_all "$@"
`;
