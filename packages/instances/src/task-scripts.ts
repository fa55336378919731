import { endAll } from "./end-script.ts";

// A task's records are files of agentuser and written by agentuser only. Facts are symbolic links that point to
// their value: making, replacing and reading one never blocks and is never torn.

/** Runs a script as agentuser, as a login would: groups and HOME. */
const asAgentuser = `
as_agentuser() {
  setpriv --reuid=agentuser --regid=agentuser --init-groups --reset-env -- /bin/bash -c "$@"
}
`;

/** `record CODE`, in the task's directory: what a cancelled task ends with is always 143. */
const recordExit = `
record() {
  code=$1
  if [ -L cancelling ]; then code=143; fi
  ln -sT "$code" ".exit.$$" && mv -fT ".exit.$$" exit || rm -f ".exit.$$"
}
`;

/**
 * Makes the record of a new task, as agentuser; stdin holds what encodeCommand wrote. $1: id. Leaves nothing when it
 * fails; exits 3 when the working directory may not be entered.
 */
const recordScript = `
umask 077
mkdir -p ~/.isx-mcp/tasks && cd ~/.isx-mcp/tasks && mkdir "./$1" || exit 1
cd "./$1" && cat >request && ln -sT command kind && : >stdout && : >stderr
failed=$?
IFS= read -r -d '' cwd <request
if [ "$failed" -eq 0 ] && ! (cd -- "$cwd") 2>/dev/null; then failed=3; fi
if [ "$failed" -ne 0 ]; then rm -rf ~/.isx-mcp/tasks/"$1"; fi
exit "$failed"
`;

/** The main process of a task's unit, for /bin/sh as agentuser. $1: commandScript; $2: id. */
const taskScript = `${recordExit}
cd ~/.isx-mcp/tasks/"$2" && exec 3<request && rm -f request || exit 1
trap : HUP INT TERM
(cd && exec /bin/bash -lc "$1" bash) </dev/null >stdout 2>stderr
record $?
`;

/** Runs after the unit's processes, for /bin/sh as agentuser: records what taskScript could not. $1: id. */
const afterScript = `${recordExit}
cd ~/.isx-mcp/tasks/"$1" || exit 0
if [ -L exit ]; then exit 0; fi
case "$EXIT_CODE $EXIT_STATUS" in
  'exited '*) record "$EXIT_STATUS" ;;
  *' TERM') record 143 ;;
  *) record 137 ;;
esac
`;

/**
 * Starts a task, by root's bash: its record, then its unit. $1: id; stdin holds what encodeCommand wrote; the other
 * arguments are those of `launchArguments`.
 */
export const launchScript = String.raw`${asAgentuser}
id=$1
as_agentuser "$2" isx "$id" || exit
systemd-run --quiet --collect --unit="isx-task-$id" --description="isx task" --uid=agentuser \
  --property=Type=exec --property=WorkingDirectory=~ --property=TimeoutStopSec=10 \
  --property=IgnoreSIGPIPE=no --property=OOMPolicy=continue --property=ExecStopPost="$3" \
  --setenv=ISX_UNIT="isx-task-$id" --setenv=LANG=C.UTF-8 \
  -- /bin/sh -c "$4" isx "$5" "$id" </dev/null || {
  as_agentuser 'rm -rf ~/.isx-mcp/tasks/"$1"' isx "$id"
  exit 1
}
`;

/** What launchScript gets after the id: the scripts it hands on. */
export function launchArguments(id: string, commandScript: string): readonly string[] {
  return [recordScript, `/bin/sh -c ${quoted(afterScript)} isx ${id}`, taskScript, commandScript].map(
    (script, index) => (index === 0 ? script : withoutExpansion(script)),
  );
}

/**
 * Ends tasks, by root's bash, and sees to it that each has an exit record. $1: grace in twentieths of a second; then
 * the ids.
 */
export const cancelScript = `${asAgentuser}${endAll}
grace=$1
shift
as_agentuser 'for id in "$@"; do
  if cd ~/.isx-mcp/tasks/"$id" 2>/dev/null && ! [ -L exit ]; then ln -sfT yes cancelling; fi
done' isx "$@" 2>/dev/null
units=
for id in "$@"; do units="$units isx-task-$id"; done
end_all "$grace" $units || exit 1
as_agentuser '${recordExit}
for id in "$@"; do
  if cd ~/.isx-mcp/tasks/"$id" 2>/dev/null; then
    if ! [ -L exit ]; then record 143; fi
    rm -rf cancelling
  fi
done' isx "$@" 2>/dev/null
exit 0
`;

/** Removes every record, by root's bash. */
export const clearScript = `${asAgentuser}
as_agentuser 'rm -rf ~/.isx-mcp/tasks'
`;

/**
 * Prints a piece of a stream's file, after a line with the file's size and where the piece begins; opens neither a
 * link nor waits at a FIFO. $1: id; $2: stdout or stderr; $3: offset, or "-" for the last $4 bytes; $4: length.
 */
export const readScript = `
size=
if cd ~agentuser/.isx-mcp/tasks/"$1" 2>/dev/null; then size=$(find "./$2" -maxdepth 0 -type f -printf %s 2>/dev/null); fi
if [ -z "$size" ]; then echo '0 0'; exit; fi
offset=$3
if [ "$offset" = - ]; then offset=$((size > $4 ? size - $4 : 0)); fi
echo "$size $offset"
dd if="./$2" iflag=nonblock,nofollow,skip_bytes,count_bytes skip="$offset" count="$4" bs=65536 status=none 2>/dev/null
exit 0
`;

/** A word of a unit setting, in systemd's own quoting. */
function quoted(script: string): string {
  return `"${script.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

/** systemd 252 expands variables in a unit's argv and cannot be told not to. */
function withoutExpansion(argument: string): string {
  return argument.replaceAll("$", "$$$$");
}
