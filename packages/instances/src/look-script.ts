/**
 * Tells what tasks an instance has, by root's bash, in records that end with NUL; opens no file of agentuser. The
 * units are asked before the records are looked at: a unit that is not active has written its record by then.
 * A person is who has a pseudo terminal (majors 136 to 143) without the mark of a task; the getty that waits at the
 * console, or that systemd is about to start there, is nobody.
 * $1: "processes" to look for persons too; then "all" or the ids.
 */
export const lookScript = String.raw`
processes=$1
shift
printf 'now %s\0' "$EPOCHREALTIME"
on_terminal() {
  fields='[^Z] [0-9-]* [0-9-]* [0-9-]*'
  sed -n "s/^\([0-9]*\) (\(.*\)) $fields \([0-9-]*\) .*/\1 \3 \2/p" /proc/[0-9]*/stat 2>/dev/null |
    while read -r pid device name; do
      case "$name" in agetty | '(agetty)') continue ;; esac
      if [ $((device >> 8 & 4088)) -eq 136 ]; then echo "/proc/$pid/environ"; fi
    done
}
if [ "$processes" = processes ]; then
  found=$(on_terminal)
  if [ -n "$found" ] && grep -LzsE '^ISX_UNIT=isx-' $found | grep -q .; then printf 'attended\0'; fi
fi
if cd ~agentuser/.isx-mcp/tasks 2>/dev/null; then found=yes; else found=no; fi
if [ "$1" = all ]; then
  set --
  for id in *; do
    if [ "$found" = yes ] && [ -d "./$id" ] && [[ "$id" =~ ^[a-z0-9-]{1,40}$ ]]; then set -- "$@" "$id"; fi
    if [ $# -ge 1000 ]; then break; fi
  done
fi
if [ $# -eq 0 ]; then exit 0; fi
units=
places=
for id in "$@"; do
  units="$units isx-task-$id.service"
  places="$places ./$id"
done
printf 'ids %s\0' "$*"
printf 'units %s\0' "$(systemctl is-active $units 2>/dev/null | tr '\n' ' ')"
if [ "$found" = no ]; then exit 0; fi
find $places -mindepth 1 -maxdepth 1 \
  \( -name kind -o -name exit -o -name stdout -o -name stderr \) \
  -printf 'file %H %f %y %s %T@ %l\0' 2>/dev/null
exit 0
`;
