import { getOrCreate } from '@harvestman/coordination'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { isInternal } from './log/internal.ts'
import type { JobKit } from './kit.ts'
import { checkpointValue, readCheckpoint, type Checkpoint } from './log/checkpoint.ts'
import { startLost, toSegment, type Fact, type JobData, type Opening } from './log/facts.ts'
import { noFailures } from './log/failure-places.ts'
import { keepFamily } from './log/page-ids.ts'
import { openJobStorage } from './log/storage.ts'
import { emptyTally } from './log/tally.ts'
import { listJob } from './listing.ts'
import { markOpen } from './worker/open-jobs.ts'

/** Notes in a segment. A note has up to 1,000 URLs, so a segment is written or read in a few milliseconds. */
const notesInSegment = 8
/** Maximum length in characters of start facts, as JSON, that stay in memory while the job runs. */
const maxStartLength = 1_000_000
/** Writer of the segments. */
const writer = 'opened'
/** Attempts to write a lost start again, and milliseconds between them. */
const restoring = { tries: 60, rest: 500 }

/**
 * Returns the facts at the start of a job, by segment of its log. The number of segments depends only on the number of notes:
 * all of the context is in the last one.
 */
export function startSegments(
  opening: Opening,
  notes: readonly JobData[],
  context: readonly JobData[],
): readonly (readonly Fact[])[] {
  const at = opening.createdAt
  const noted = (note: JobData): Fact => ({ is: 'noted', at, note })
  const count = Math.max(1, Math.ceil(notes.length / notesInSegment))
  const opened: Fact = { is: 'opened', at, opening, ...(count > 1 && { segments: count }) }
  return Array.from({ length: count }, (_, index) => [
    ...(index === 0 ? [opened] : []),
    ...notes.slice(index * notesInSegment, (index + 1) * notesInSegment).map(noted),
    ...(index === count - 1 ? context.map(noted) : []),
  ])
}

/**
 * Writes the start of a job: its record among the open jobs, its entry in the list (not for work of features), the first
 * segments of its log and its first checkpoint. Every step is idempotent, so it can be repeated after a failure of the store,
 * which rejects.
 */
export async function writeStart(
  opening: Opening,
  { segments, left }: { readonly segments: readonly (readonly Fact[])[]; readonly left: number },
  kit: JobKit,
): Promise<void> {
  const { store } = kit
  const storage = openJobStorage(store, opening, kit)
  await markOpen(store, opening)
  if (!isInternal(opening.kind)) await listJob(store, opening)
  await keepFamily(store, opening.id, storage.keep())
  // The first segment is last: a worker that finds it, finds all of them.
  for (const [place, facts] of [...segments.entries()].toReversed()) {
    const entries = facts.map((fact) => ({ fact }))
    // A later segment only follows the start, so that a run that misses one does not read those after it.
    await storage.log.append(place, toSegment(writer, entries, place > 0 ? writer : undefined))
    if (place > 0) await nextTurn()
  }
  const index = { blocks: [], tail: segments.map(() => 0) }
  const places = segments.length
  const checkpoint: Checkpoint = { opening, tally: emptyTally, left, places, index, failures: noFailures }
  await getOrCreate(store, storage.name, () => checkpointValue(checkpoint), storage.keep())
}

/**
 * Returns a function that writes the start of a job again if the store has lost it, from the facts of its first segment. A
 * start of several segments, or one that is too large to hold in memory, is replaced by one that ends the job with the reason.
 * It tries for about 30 seconds, then rejects with the last error.
 */
export function startRestorer(
  opening: Opening,
  facts: readonly Fact[],
  kit: JobKit,
): (signal: AbortSignal) => Promise<void> {
  const isWhole = facts.every((fact) => fact.is !== 'opened' || fact.segments === undefined)
  const isSmall = isWhole && JSON.stringify(facts).length <= maxStartLength
  const start: readonly Fact[] = isSmall
    ? facts
    : [{ is: 'opened', at: opening.createdAt, opening }, startLost(opening)]
  const restore = async (): Promise<void> => {
    const { store, clock, vault } = kit
    if (opening.expiresAt <= clock.now()) return
    const isThere = (await openJobStorage(store, opening, { clock, vault }).log.read(0)) !== undefined
    if (isThere && (await readCheckpoint(store, opening.id))) return
    await writeStart(opening, { segments: [start], left: 0 }, kit)
  }
  return async (signal) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await restore()
      } catch (error) {
        if (tries >= restoring.tries || signal.aborted) throw error
      }
      await kit.clock.sleep(restoring.rest, signal)
    }
  }
}
