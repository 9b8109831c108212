import { numbersIn } from '@harvestman/toolbox/number-bytes'
import { parcelPieces, unpackParcel } from '@harvestman/toolbox/parcel'
import type { Json } from '@harvestman/ports'
import type { Traps } from '@harvestman/site'
import type { StateInParts } from '../jobs/log/snapshot.ts'
import type { CrawlQueue } from './crawl-queue.ts'
import type { CrawlMemory, MemoryPart } from './memory.ts'
import type { Recall, RecallPart } from './recall.ts'

/** State of a crawl, by component. */
export interface CrawlState<Come extends object> {
  readonly memory: CrawlMemory
  readonly queue: CrawlQueue
  readonly traps: Traps
  readonly recall: Recall | undefined
  /** Counters and flags. */
  readonly come: Come
}

type Small<Come> = {
  readonly found: number
  readonly come: Come
}

/**
 * Header of a part. It is followed by bytes: hashes of the URLs seen, hashes of the URLs skipped, and the numbers of finished
 * URLs.
 */
interface PartHead extends Pick<MemoryPart, 'traps' | 'moved'> {
  readonly lengths: readonly [seen: number, left: number]
  readonly recall?: RecallPart | undefined
}

/**
 * Creates the functions that save a crawl as a snapshot in parts and restore it: the URLs seen and finished, which the next
 * worker reads at once; the URLs found, which it reads when they are due; and the data for trap detection.
 */
export function crawlParts<Come extends object>(state: CrawlState<Come>): StateInParts {
  const { memory, queue, traps, recall, come } = state
  return {
    take: () => {
      const { seen, left, ...met } = memory.take()
      const { done, addresses } = queue.takeParts()
      const head: PartHead = { ...met, lengths: [seen.length, left.length], recall: recall?.takePart() }
      const pieces = parcelPieces(head, [seen, left, done])
      return {
        // Cast: JSON numbers, strings and booleans only.
        small: { found: queue.found, come: { ...come } } satisfies Small<Come> as Json,
        parts: [
          { name: 'met', bytes: () => pieces },
          ...addresses.map((bytes) => ({ name: 'addresses', bytes: () => [bytes] })),
          ...traps.take().map(({ bytes, replaces }) => ({ name: 'lessons', bytes: () => [bytes], replaces })),
        ],
      }
    },
    restore: async (small, parts) => {
      // Cast: the value returned by `take` above.
      const saved = small as Small<Come>
      const done: number[] = []
      for await (const part of parts.all('met')) {
        const { head, body } = unpackParcel<PartHead>(part)
        const [seenEnd, leftLength] = head.lengths
        const leftEnd = seenEnd + leftLength
        memory.restore({ ...head, seen: body.subarray(0, seenEnd), left: body.subarray(seenEnd, leftEnd) })
        for (const number of numbersIn(body.subarray(leftEnd))) done.push(number)
        if (head.recall) recall?.restore(head.recall)
      }
      queue.restore(saved.found, done, parts.later('addresses'))
      for await (const part of parts.all('lessons')) traps.restore(part)
      Object.assign(come, saved.come)
    },
  }
}
