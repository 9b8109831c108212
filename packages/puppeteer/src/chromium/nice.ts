import { accessSync, constants, existsSync, writeFileSync } from 'node:fs'

const programs = ['/usr/bin/nice', '/bin/nice']
// Chromium raises some of its threads where it may, as root may.
const withoutRight = ['/usr/bin/setpriv', '--bounding-set=-sys_nice', '--']

/**
 * The command that starts a program which gives way to others. All that it starts does so too; changing the priority of a
 * process that runs already would leave out what it has started meanwhile.
 */
export function niceCommand(
  program: string,
  args: readonly string[],
  { nice, isOther }: { readonly nice: number; readonly isOther: boolean },
): readonly [program: string, args: readonly string[]] {
  const changer = nice > 0 ? programs.find((path) => existsSync(path)) : undefined
  // That a program is missing is told best where it is started itself.
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

/** Where the system shares the processor between groups of processes first, the group gives way as a whole. */
export function makeGroupNice(leader: number, nice: number): void {
  if (nice <= 0 || process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${leader}/autogroup`, String(nice))
  } catch {
    // This kernel has no such groups.
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
