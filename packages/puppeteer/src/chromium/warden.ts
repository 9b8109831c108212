import { spawn } from 'node:child_process'

// A process that is killed cannot clean up. But its pipes are closed, which a shell that reads from one notices.
const script = `
read -r word && exit
browser=$1 folder=$2
shift 2
kill -s KILL -- "-$browser" 2> /dev/null
for try in 1 2 3 4 5 6 7 8 9 10; do
  left=
  rm -rf -- "$folder" 2> /dev/null || left=yes
  for group; do [ ! -d "$group" ] || rmdir -- "$group" 2> /dev/null || left=yes; done
  [ -z "$left" ] && exit
  sleep 0.1
done`

/**
 * Starts a shell that kills the browser and removes its folder and control groups if this process is killed. Returns a function
 * that cancels this. Without a shell, as on Windows, does nothing; the next start then cleans up.
 */
export function keepWatch(pid: number, folder: string, groups: readonly string[]): () => void {
  if (process.platform === 'win32') return () => undefined
  const warden = spawn('/bin/sh', ['-c', script, 'harvestman-warden', String(pid), folder, ...groups], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  })
  warden.on('error', () => undefined)
  warden.stdin.on('error', () => undefined)
  warden.unref()
  // The type of a pipe lacks `unref`, but an open pipe keeps the process alive.
  if ('unref' in warden.stdin && typeof warden.stdin.unref === 'function') warden.stdin.unref()
  return () => void warden.stdin.end('done\n')
}
