# Runs the commands of a session, one run after the other: variables, functions and the folder stay.
# `snapshot` alone means `agent-browser snapshot`, wherever the shell has no command of that name.
command_not_found_handle() {
  case $1 in
    open | snapshot | click | dblclick | fill | press | select | scroll | hover | focus | check | uncheck | get | is | screenshot | eval | tab | back | forward | reload)
      agent-browser "$@" ;;
    *)
      printf 'bash: %s: command not found\n' "$1" >&2
      return 127 ;;
  esac
}
while IFS= read -r -d '' -u 3 __code; do
  eval "$__code" 3>&-
  __status=$?
  IFS= read -r -d '' -u 3 __word
  if [ $__status -eq 0 ]; then
    builtin printf '\n{"exitCode":0,"word":"%s"}\n' "$__word" >&3
  else
    builtin printf '\n{"exitCode":%d,"error":"The commands ended with %d.","word":"%s"}\n' $__status $__status "$__word" >&3
  fi
done
