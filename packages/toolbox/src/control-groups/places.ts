// Locations of this process in the control groups of the host: in one hierarchy (v2), or in one per controller (v1).
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Folder of a control group, with the version of its hierarchy. */
export interface Place {
  readonly version: 1 | 2
  /** Folder of the group that this process is in. */
  readonly folder: string
}

interface Mount {
  readonly root: string
  readonly folder: string
  readonly kind: string
  readonly options: readonly string[]
}

/** Returns `undefined` for a controller that this host lacks, or whose groups are not visible to this process. */
export type FindPlace = (controller: string) => Place | undefined

/**
 * Returns a function that finds the folder in which groups with a controller can be created. It returns `undefined` if
 * there is none.
 */
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

/** Returns the content of a file, or an empty string if it cannot be read, as on systems without `/proc`. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
