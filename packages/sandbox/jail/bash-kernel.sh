# What a shell has before the first commands of a session. `snapshot` alone means `agent-browser snapshot`, wherever the shell
# has no command of that name.
command_not_found_handle() {
  case $1 in
    open | snapshot | click | dblclick | fill | press | select | scroll | hover | focus | check | uncheck | get | is | screenshot | eval | tab | back | forward | reload)
      agent-browser "$@" ;;
    *)
      printf 'bash: %s: command not found\n' "$1" >&2
      return 127 ;;
  esac
}
