import { joinInTurns, type ParseContext } from '@harvestman/core/plugin'
import { EngineError, publicMessage } from '@harvestman/ports'

import type { Share } from './crop.ts'
import type { DrawnPage, DrawTask } from './draw.ts'
import type { DrawThreads } from './threads.ts'

export interface BatchTask extends Pick<DrawTask, 'bytes' | 'password' | 'dotsPerInch' | 'maxPixels' | 'isForPeople'> {
  readonly pages: readonly { readonly number: number; readonly crops?: readonly Share[] }[]
  /** Number of pages that are drawn at once. Each batch is a message to the thread, with a copy of the file. */
  readonly batchSize: number
  /** Maximum area of the pictures of a page together, in pages. */
  readonly maxArea: number
  /** Returns the maximum size of the images of the file that replace drawn parts in the next batch. Default: 0. */
  readonly originalBytes?: () => number
  /** Receives each page that could be drawn. Returns whether it is within the limits; no batch is drawn after one that is not. */
  readonly add: (page: DrawnPage) => boolean
  /** Names the limits in a sentence. */
  readonly limits: string
}

/** Numbers of the pages that were not drawn or not added, by the reason, which is a sentence. */
export type Undrawn = ReadonlyMap<string, readonly number[]>

// The rest of the time is for the formats.
const shareOfTimeLeft = 0.6
// PNG with noise is slightly larger than the pixels, which have three bytes.
const bytesPerPixel = 3.1
const late = 'Raise the timeout of the request.'
const failed = 'Drawing failed. Save the PDF again.'

/**
 * Draws pages of a PDF, one batch after the other, until 60 % of the time left are used, a page exceeds the limits, or a batch
 * fails, also because the library that draws is not installed. A batch that exceeds a limit of its thread is repeated without
 * images of the file, and so are the batches after it. Rejects only with the reason of the signal.
 */
export async function drawInBatches(
  { bytes, password, pages, batchSize, maxArea, originalBytes = () => 0, add, limits, ...options }: BatchTask,
  draw: DrawThreads,
  { team, signal, timeLeft }: Pick<ParseContext, 'team' | 'signal' | 'timeLeft'>,
): Promise<Undrawn> {
  const time = Math.max(0, Math.ceil(timeLeft() * shareOfTimeLeft))
  const end = Date.now() + time
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(time)])
  const drawnBytes = batchSize * options.maxPixels * bytesPerPixel * maxArea
  const undrawn = new Map<string, number[]>()
  const omit = (numbers: readonly number[], reason: string): void => {
    undrawn.set(reason, [...(undrawn.get(reason) ?? []), ...numbers])
  }
  let stopped: string | undefined
  let hasOriginals = true
  for (let at = 0; at < pages.length; at += batchSize) {
    const batch = pages.slice(at, at + batchSize)
    const numbers = batch.map(({ number }) => number)
    signal.throwIfAborted()
    if (Date.now() >= end) stopped ??= late
    if (stopped !== undefined) {
      omit(numbers, stopped)
      continue
    }
    const budget = hasOriginals ? originalBytes() : 0
    try {
      const copy = await joinInTurns([bytes])
      const crops = batch.flatMap((page) => (page.crops ? [page.crops] : []))
      const which = { pages: numbers, onlyWithPicture: [], ...(crops.length > 0 && { crops }) }
      const transfer = [copy.buffer as ArrayBuffer]
      const task = { bytes: copy, password, ...which, ...options, originalBytes: budget }
      const most = { bytes: drawnBytes + budget, values: 10_000 }
      const drawn = await draw.run(task, inTime, { team, most, transfer })
      for (const page of drawn) {
        if (page.isBroken) omit([page.number], failed)
        else if (!add(page)) omit([page.number], (stopped = limits))
      }
    } catch (error) {
      signal.throwIfAborted()
      if (budget > 0 && !inTime.aborted && isTooComplex(error)) {
        hasOriginals = false
        at -= batchSize
        continue
      }
      stopped = inTime.aborted ? late : publicMessage(error, failed)
      omit(numbers, stopped)
    }
  }
  return undrawn
}

function isTooComplex(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'page_too_complex'
}
