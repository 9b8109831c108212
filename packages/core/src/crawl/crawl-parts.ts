import { numbersIn, parcelPieces, unpackParcel } from '@harvestman/ports/adapters'
import type { Json } from '@harvestman/ports'
import type { Traps } from '@harvestman/site'
import type { StateInParts } from '../jobs/log/snapshot.ts'
import type { CrawlQueue } from './crawl-queue.ts'
import type { CrawlMemory, MemoryPart } from './memory.ts'
import type { Recall, RecallPart } from './recall.ts'

/** State of a crawl, by the parts that hold it. */
export interface CrawlState<Come extends object> {
  readonly memory: CrawlMemory
  readonly queue: CrawlQueue
  readonly traps: Traps
  readonly recall: Recall | undefined
  /** Progress of the crawl. */
  readonly come: Come
}

interface Small<Come> {
  readonly found: number
  readonly come: Come
}

/** Bytes follow it: addresses that were met, that were left, and the numbers of those that are done. */
interface PartHead extends Pick<MemoryPart, 'traps' | 'moved'> {
  readonly lengths: readonly [seen: number, left: number]
  readonly recall?: RecallPart | undefined
}

/**
 * The state of a crawl in parts: what it has met and done, which a worker that takes it up reads at once; the addresses it
 * has found, of which it reads those that come next; and what it has learnt of traps.
 */
export function crawlParts<Come extends object>(state: CrawlState<Come>): StateInParts {
  const { memory, queue, traps, recall, come } = state
  return {
    take: () => {
      const { seen, left, ...met } = memory.take()
      const { done, addresses } = queue.takeParts()
      const head: PartHead = { ...met, lengths: [seen.length, left.length], recall: recall?.takePart() }
      return {
        // Cast: numbers, words and flags, as JSON has them.
        small: { found: queue.found, come: { ...come } } satisfies Small<Come> as unknown as Json,
        parts: [
          { name: 'met', bytes: parcelPieces(head, [seen, left, done]) },
          ...addresses.map((bytes) => ({ name: 'addresses', bytes: [bytes] })),
          ...traps.take().map(({ bytes, replaces }) => ({ name: 'lessons', bytes: [bytes], replaces })),
        ],
      }
    },
    restore: async (small, parts) => {
      // Cast: what was taken above.
      const kept = small as unknown as Small<Come>
      const done: number[] = []
      for await (const part of parts.all('met')) {
        const { head, body } = unpackParcel<PartHead>(part)
        const [seenEnd, leftLength] = head.lengths
        const leftEnd = seenEnd + leftLength
        memory.restore({ ...head, seen: body.subarray(0, seenEnd), left: body.subarray(seenEnd, leftEnd) })
        for (const number of numbersIn(body.subarray(leftEnd))) done.push(number)
        if (head.recall) recall?.restore(head.recall)
      }
      queue.restore(kept.found, done, parts.later('addresses'))
      for await (const part of parts.all('lessons')) traps.restore(part)
      Object.assign(come, kept.come)
    },
  }
}
