// Programs that run in the guest are fixed text: what differs from call to call reaches them as arguments made of
// `[a-z0-9-]`, or as bytes on a descriptor.

/**
 * Becomes the command, in a login shell that has read its profile. Descriptor 3 holds what `encodeCommand` wrote;
 * with $1 "stdin" the rest of it becomes the command's stdin. Exits 125 with the unit's mark when it may not enter
 * the directory. One line, so that the command's own lines are counted from 1 in what bash says about it.
 */
export const commandScript = String.raw`
isx_stdin=$1;
set --;
IFS= read -r -d '' isx_cwd <&3;
while IFS= read -r -d '' isx_pair <&3 && [ -n "$isx_pair" ]; do set -- "$@" "$isx_pair"; done;
IFS= read -r -d '' isx_command <&3;
if [ "$isx_stdin" = stdin ]; then exec 0<&3; fi;
exec 3<&-;
if ! cd -- "$isx_cwd" 2>/dev/null; then
  printf '\n%s no such directory\n' "$ISX_UNIT" >&2;
  exit 125;
fi;
if [ $# -gt 0 ]; then export -- "$@"; fi;
set --;
eval 'unset isx_stdin isx_cwd isx_pair isx_command;' "$isx_command"
`.replaceAll("\n", " ");

/**
 * The main process of a foreground scope, for /bin/sh as agentuser: says first that it runs, by the unit's mark on
 * stderr, then becomes commandScript. What the profile reads from stdin is not the command's. $1: commandScript;
 * $2: the unit.
 */
export const foregroundScript = String.raw`
export ISX_UNIT="$2" LANG=C.UTF-8
printf '%s\n' "$ISX_UNIT" >&2
exec /bin/bash -lc "$1" bash stdin 3<&0 </dev/null
`;
