// Manages the indexes of all teams, a few of which are open at a time.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

import { openTeamIndex, removeFile, type IndexBounds, type TeamIndex } from './database.ts'

export interface IndexesOptions extends IndexBounds {
  /** Folder of the files. In memory if `undefined`. */
  readonly folder: string | undefined
  /** Maximum number of indexes. The least recently used one is removed. */
  readonly teams: number
}

export interface Indexes {
  /** Returns the index of a team. If there is none, creates it if `make` is set, otherwise returns `undefined`. */
  of(team: string, make: boolean): TeamIndex | undefined
  /** Deletes the index of a team. */
  remove(team: string): void
  close(): void
}

const maxOpen = 16
const ending = '.sqlite'

interface OpenIndex {
  readonly index: TeamIndex
  readonly used: Date
}

/**
 * Creates access to the indexes of teams, in a folder or in memory. Opens each when it is first needed. `of` returns
 * `undefined` if the team has no index and `make` is false. If more than `teams` have one, the least recently used index is
 * removed.
 */
export function openIndexes({ folder, teams, ...bounds }: IndexesOptions): Indexes {
  // In the order of last use, most recent last.
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
  /** Makes space for another index by removing the least recently used ones. */
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
      // Another process may have deleted the file of an open index.
      if (folder !== undefined && !isThere) close(name)
      if (!open.has(name)) {
        if (!isThere && !make) return undefined
        if (!isThere) makeRoom()
        if (folder !== undefined && open.size >= maxOpen) closeOldest()
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

/** Stores the time of last use as the file's modification time, because SQLite updates it at other times. */
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

/** Hashes the team's name, which may contain characters that file names cannot. */
function fileOf(team: string): string {
  return `${createHash('sha256').update(team).digest('hex').slice(0, 40)}${ending}`
}
