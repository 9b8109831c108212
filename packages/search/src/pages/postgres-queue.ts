// The pages that wait to be written to Postgres.
import { errorMessage } from '@harvestman/toolbox/error-message'
import { makeSemaphore } from '@harvestman/toolbox/semaphore'
import { makeSequence, type Sequence } from '@harvestman/toolbox/sequence'

import { searchUnavailable } from '../faults.ts'
import { partsOf } from './parts.ts'
import { isOfValues } from './postgres-connection.ts'
import type { IndexedPage } from './rows.ts'

// Maximum number of queued pages, of all teams and of one, and the time in milliseconds in which pages are gathered.
const most = { queued: 1_000, queuedOfTeam: 500, gathering: 250 }
// Of one statement.
const atOnce = { pages: 50, characters: 200_000 }

export interface PostgresQueueOptions {
  write(team: string, pages: readonly IndexedPage[]): Promise<void>
  warn(message: string): void
  /** Ends the wait for the turn of a team. */
  readonly signal: AbortSignal
}

export interface PostgresQueue {
  put(team: string, page: IndexedPage): Promise<void>
  /** Resolves when all pages so far are written, of one team or of all. */
  written(team?: string): Promise<void>
}

interface Line {
  readonly sequence: Sequence
  queued: IndexedPage[]
  /** Pages that are queued or being written. */
  pending: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Gathers the pages of each team, and writes them together. Two teams write at a time, in turns. If Postgres rejects the values of
 * a page, the others are written. A page that cannot be written is reported as a warning.
 */
export function makePostgresQueue({ write, warn, signal }: PostgresQueueOptions): PostgresQueue {
  const lines = new Map<string, Line>()
  const turns = makeSemaphore({ limit: 2 })
  let pending = 0
  const writePart = async (team: string, part: readonly IndexedPage[]): Promise<void> => {
    try {
      await write(team, part)
    } catch (error) {
      if (part.length === 1 || !isOfValues(error))
        return warn(`${part.length} pages could not be put into the index: ${errorMessage(error)}`)
      const half = Math.ceil(part.length / 2)
      await writePart(team, part.slice(0, half))
      await writePart(team, part.slice(half))
    }
  }
  const inTurn = async (team: string, part: readonly IndexedPage[]): Promise<void> => {
    const release = await turns.acquire(team, signal).catch(() => undefined)
    await writePart(team, part)
    release?.()
  }
  const writeAll = async (team: string, line: Line, pages: readonly IndexedPage[]): Promise<void> => {
    for (const part of partsOf(pages, atOnce)) {
      await inTurn(team, part)
      pending -= part.length
      line.pending -= part.length
    }
    if (line.pending === 0) lines.delete(team)
  }
  const flush = (team: string, line: Line): void => {
    clearTimeout(line.timer)
    line.timer = undefined
    const taken = line.queued
    line.queued = []
    if (taken.length > 0) void line.sequence.run(() => writeAll(team, line, taken))
  }
  return {
    put: async (team, page) => {
      const line = lines.get(team) ?? { sequence: makeSequence(), queued: [], pending: 0, timer: undefined }
      if (pending >= most.queued || line.pending >= most.queuedOfTeam)
        throw searchUnavailable('busy', 'The index of pages is behind, and this page is not in it.')
      lines.set(team, line)
      pending += 1
      line.pending += 1
      line.queued.push(page)
      line.timer ??= setTimeout(() => flush(team, line), most.gathering)
    },
    written: async (only) => {
      const waited = [...lines].filter(([team]) => only === undefined || team === only)
      for (const [team, line] of waited) flush(team, line)
      await Promise.all(waited.map(([, { sequence }]) => sequence.idle()))
    },
  }
}
