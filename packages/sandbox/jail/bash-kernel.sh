# Runs the commands of a session, one run after the other: variables, functions and the folder stay.
while IFS= read -r -d '' -u 3 __code; do
  eval "$__code" 3>&-
  __status=$?
  if [ $__status -eq 0 ]; then
    printf '{"exitCode":0}\n' >&3
  else
    printf '{"exitCode":%d,"error":"The commands ended with %d."}\n' $__status $__status >&3
  fi
done
