// The indexes of all teams, of which a few are open.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

import { openTeamIndex, removeFile, type IndexBounds, type TeamIndex } from './database.ts'

export interface IndexesOptions extends IndexBounds {
  /** Where the files are; in memory when absent. */
  readonly folder: string | undefined
  /** Teams that have an index; that of the team that used its own the longest ago goes first. */
  readonly teams: number
}

export interface Indexes {
  /** The index of a team; without `make`, nothing when there is none. */
  of(team: string, make: boolean): TeamIndex | undefined
  /** Removes all that a team has. */
  remove(team: string): void
  close(): void
}

const mostOpen = 16
const ending = '.sqlite'

interface OpenIndex {
  readonly index: TeamIndex
  readonly used: Date
}

export function openIndexes({ folder, teams, ...bounds }: IndexesOptions): Indexes {
  // The one that was used last stands last.
  const open = new Map<string, OpenIndex>()
  const close = (name: string): void => {
    const known = open.get(name)
    open.delete(name)
    known?.index.close()
    if (known && folder !== undefined) noteUse(join(folder, name), known.used)
  }
  const closeOldest = (): void => close(open.keys().next().value ?? '')
  const remove = (name: string): void => {
    close(name)
    if (folder !== undefined) removeFile(join(folder, name))
  }
  /** For one more index: what was used the longest ago goes. */
  const makeRoom = (): void => {
    if (folder === undefined) {
      while (open.size >= teams) closeOldest()
    } else {
      const names = namesByUse(folder)
      for (const name of names.slice(0, Math.max(0, names.length - teams + 1))) remove(name)
    }
  }
  return {
    of: (team, make) => {
      const name = fileOf(team)
      const file = folder === undefined ? ':memory:' : join(folder, name)
      const isThere = folder !== undefined && existsSync(file)
      // The file of an index that is open may have been removed by another process.
      if (folder !== undefined && !isThere) close(name)
      if (!open.has(name)) {
        if (!isThere && !make) return undefined
        if (!isThere) makeRoom()
        if (folder !== undefined && open.size >= mostOpen) closeOldest()
      }
      const index = open.get(name)?.index ?? openTeamIndex(file, bounds)
      open.delete(name)
      const used = new Date()
      open.set(name, { index, used })
      if (folder !== undefined) noteUse(file, used)
      return index
    },
    remove: (team) => remove(fileOf(team)),
    close: () => {
      for (const name of [...open.keys()]) close(name)
    },
  }
}

/** The time of a file tells when it was used: SQLite changes it at other times. */
function noteUse(file: string, at: Date): void {
  if (existsSync(file)) utimesSync(file, at, at)
}

function namesByUse(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name, at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ name }) => name)
}

/** The name of a team can be anything; that of a file cannot. */
function fileOf(team: string): string {
  return `${createHash('sha256').update(team).digest('hex').slice(0, 40)}${ending}`
}
