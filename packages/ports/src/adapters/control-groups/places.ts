// Places of this process in the control groups of the machine: in one tree (v2), or in one for each kind of bound (v1).
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface Place {
  readonly version: 1 | 2
  /** The folder of the group that this process is in. */
  readonly folder: string
}

interface Mount {
  readonly root: string
  readonly folder: string
  readonly kind: string
  readonly options: readonly string[]
}

/** Gives nothing for a controller that this machine lacks, or whose groups cannot be seen from here. */
export type FindPlace = (controller: string) => Place | undefined

/** Finds where control groups can be made here. */
export function findPlaces(proc = '/proc'): FindPlace {
  const mounts = readMounts(readText(join(proc, 'self/mountinfo')))
  const lines = readText(join(proc, 'self/cgroup'))
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
    .flatMap((parts) => (parts ? [{ controllers: (parts[1] ?? '').split(','), path: parts[2] ?? '' }] : []))
  const folderOf = (path: string, mount: Mount | undefined): string | undefined => {
    const inside = mount && relative(mount.root, path)
    return inside === undefined || inside.startsWith('..') ? undefined : join(mount?.folder ?? '', inside)
  }
  return (controller) => {
    const old = lines.find(({ controllers }) => controllers.includes(controller))
    const line = old ?? lines.find(({ controllers }) => controllers.join('') === '')
    const mount = mounts.find(({ kind, options }) => (old ? options.includes(controller) : kind === 'cgroup2'))
    const folder = line && folderOf(line.path, mount)
    if (folder === undefined) return undefined
    if (old) return { version: 1, folder }
    const offered = readText(join(folder, 'cgroup.controllers')).trim().split(' ')
    return offered.includes(controller) ? { version: 2, folder } : undefined
  }
}

function readMounts(text: string): Mount[] {
  return text
    .split('\n')
    .map((line) => /^\S+ \S+ \S+ (\S+) (\S+) .* - (cgroup2?) \S+ (\S+)$/.exec(line))
    .flatMap((parts) => {
      const [, root = '', folder = '', kind = '', options = ''] = parts ?? []
      return parts ? [{ root, folder, kind, options: options.split(',') }] : []
    })
}

/** Nothing where there is nothing, as on systems without `/proc`. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
