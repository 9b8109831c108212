import { accessSync, constants, existsSync, writeFileSync } from 'node:fs'

const programs = ['/usr/bin/nice', '/bin/nice']
// Removes a capability of root with which Chromium would raise the priority of some threads.
const withoutRight = ['/usr/bin/setpriv', '--bounding-set=-sys_nice', '--']

/**
 * Returns the command that starts an executable with a nice value, or the executable itself if `nice` is not positive or no
 * such tool is installed. Child processes inherit it. Changing the priority of a running process would miss the children it has
 * already started.
 */
export function niceCommand(
  program: string,
  args: readonly string[],
  { nice, isOther }: { readonly nice: number; readonly isOther: boolean },
): readonly [program: string, args: readonly string[]] {
  const changer = nice > 0 ? programs.find((path) => existsSync(path)) : undefined
  // A missing executable is started directly, which gives a clearer error.
  if (changer === undefined || !canStart(program)) return [program, args]
  const [first = changer, ...rest] = [
    ...(!isOther && isMighty() ? withoutRight : []),
    changer,
    '-n',
    String(nice),
    program,
    ...args,
  ]
  return [first, rest]
}

/**
 * Sets the nice value of the whole process group, for kernels that first divide the CPU between groups (autogroup). Does nothing
 * on other systems, and for a `nice` that is not positive. Ignores errors.
 */
export function makeGroupNice(leader: number, nice: number): void {
  if (nice <= 0 || process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${leader}/autogroup`, String(nice))
  } catch {
    // This kernel has no autogroups.
  }
}

function isMighty(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && canStart(withoutRight[0] ?? '')
}

function canStart(program: string): boolean {
  try {
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  }
}
