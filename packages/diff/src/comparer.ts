import { bufferOf, jsonPieces, ownWhole } from '@harvestman/ports/values'
import { joinInTurns } from '@harvestman/toolbox/join-in-turns'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { threadFile } from '@harvestman/toolbox/thread-file'

import { makeThreads, type ThreadOptions } from '@harvestman/threads'
import type { Compared, CompareTask, KeptText, PageText } from './compare-texts.ts'

/** Compares small pages on the calling thread and others in worker threads. */
export interface Comparer {
  /** The comparer owns the bytes of the task from then on. */
  compare(task: CompareTask, team: string, signal?: AbortSignal): Promise<Compared>
  close(): Promise<void>
}

/** Number of threads, and the milliseconds and megabytes that a task may take. */
export type ComparerOptions = Pick<ThreadOptions, 'size' | 'budget' | 'megabytes'>

// Maximum size of both pages together for which a thread would cost more.
const inlineSize = 50_000
// A page twice, in current and stored form, with the content of a diff.
const maxTransfer = { bytes: 200_000_000, values: 1_000_000 }
const never = new AbortController().signal

/**
 * Creates a comparer. Two pages of together at most 50,000 characters are compared on the calling thread; threads are started
 * with the first larger ones, and `compare` then rejects with `page_too_complex` after `budget` milliseconds or above
 * `megabytes` of memory.
 */
export function makeComparer({ size, budget, megabytes }: ComparerOptions): Comparer {
  const messages = {
    tooSlow: `The page could not be compared within ${budget} ms. Exclude parts of it, or raise limits.readTime.`,
    tooLarge: 'Comparing the page took more memory than one page may have.',
  }
  const pool = makeThreads<CompareTask, Compared>({
    entry: threadFile(import.meta.url),
    size,
    budget,
    megabytes,
    messages,
  })
  return {
    compare: async (task, team, signal = never) => {
      if (sizeOf(task) <= inlineSize) {
        const { compareTexts } = await import('./compare-texts.ts')
        return compareTexts(task)
      }
      // Parsing the stored page and sending it on each get their own turn of the event loop.
      await nextTurn()
      const sent = await asBytes(task)
      return pool.run(sent, signal, { team, most: maxTransfer, transfer: buffersOf(sent) })
    },
    close: () => pool.close(),
  }
}

/**
 * Converts both pages to bytes: strings are copied on their way to a thread, in one step however large they are, while bytes
 * are transferred.
 */
async function asBytes({ now, before, ...asked }: CompareTask): Promise<CompareTask> {
  return { ...asked, now: await bytesOf(now), ...(before && { before: await bytesOf(before) }) }
}

async function bytesOf(text: PageText | KeptText): Promise<KeptText> {
  if (text instanceof Uint8Array) return text
  const { markdown, hidden } = text
  return joinInTurns(await jsonPieces({ markdown, hidden }))
}

/**
 * Returns the buffers to transfer, which are empty here afterwards. Only bytes that are alone in their buffer are transferred.
 */
function buffersOf({ now, before }: CompareTask): readonly ArrayBuffer[] {
  return [now, before].flatMap((text) => {
    const own = text instanceof Uint8Array ? ownWhole(text) : undefined
    return own ? [bufferOf(own)] : []
  })
}

function sizeOf({ now, before }: CompareTask): number {
  return [now, before].reduce((sum, text) => {
    if (text === undefined) return sum
    return sum + (text instanceof Uint8Array ? text.byteLength : text.markdown.length + sumOf(text.hidden))
  }, 0)
}

function sumOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}
