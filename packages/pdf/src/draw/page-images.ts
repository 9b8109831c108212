import { joinInTurns, type Content, type ParseContext } from '@harvestman/core/plugin'
import { publicMessage } from '@harvestman/ports'

import { makePageImages } from '../page-images.ts'
import type { DrawThreads } from './threads.ts'

interface PageImagesTask {
  readonly bytes: Uint8Array
  readonly password: string | undefined
  /** Clockwise rotation of pages before their text was recognized, in degrees, by number. */
  readonly rotations: ReadonlyMap<number, number>
}

// Each batch is a message to the thread, with a copy of the file.
const batchSize = 8
const dotsPerInch = 120
const maxPixels = 2_000_000
const bound = { bytes: batchSize * maxPixels * 3.1, values: 1_000 }
// The rest of the time is for the formats.
const shareOfTimeLeft = 0.6

/**
 * Adds pictures of the pages to the content of a PDF, until 60 % of the time left are used or the limits are reached. Pages that
 * cannot be drawn, and an error of the drawing, are only warnings. Rejects with the reason of the signal.
 */
export async function withPageImages(
  content: Content,
  { bytes, password, rotations }: PageImagesTask,
  draw: DrawThreads,
  { team, signal, timeLeft }: Pick<ParseContext, 'team' | 'signal' | 'timeLeft'>,
): Promise<Content> {
  const { pages = [], warnings = [] } = content
  const time = Math.max(0, Math.ceil(timeLeft() * shareOfTimeLeft))
  const end = Date.now() + time
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(time)])
  const images = makePageImages()
  const numbers = pages.map(({ number }) => number)
  let problem: unknown
  for (let at = 0; at < numbers.length; at += batchSize) {
    const batch = numbers.slice(at, at + batchSize)
    signal.throwIfAborted()
    if (images.isFull() || Date.now() >= end || problem !== undefined) {
      images.omit(batch)
      continue
    }
    try {
      const copy = await joinInTurns([bytes])
      const task = {
        bytes: copy,
        password,
        pages: batch,
        onlyWithPicture: [],
        dotsPerInch,
        maxPixels,
        isForPeople: true,
      }
      const drawn = await draw.run(task, inTime, { team, most: bound, transfer: [copy.buffer as ArrayBuffer] })
      for (const { number, png, isBroken } of drawn) {
        if (png) images.add(number, { bytes: png, rotation: rotations.get(number) ?? 0 })
        else if (isBroken) images.omit([number])
      }
    } catch (error) {
      signal.throwIfAborted()
      images.omit(batch)
      if (!inTime.aborted) problem = error
    }
  }
  const reason = problem === undefined ? undefined : publicMessage(problem, 'They could not be drawn.')
  return { ...content, pages: images.addTo(pages), warnings: [...warnings, ...images.warnings(reason)] }
}
