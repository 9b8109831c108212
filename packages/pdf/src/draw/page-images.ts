import type { Content, ParseContext } from '@harvestman/core/plugin'

import { makePageImages, pageImageLimits, withoutImageWarning } from '../page-images.ts'
import { drawInBatches } from './batches.ts'
import type { DrawThreads } from './threads.ts'

interface PageImagesTask {
  readonly bytes: Uint8Array
  readonly password: string | undefined
  /** Clockwise rotation of pages before their text was recognized, in degrees, by number. */
  readonly rotations: ReadonlyMap<number, number>
}

const sizes = { batchSize: 8, maxArea: 1, dotsPerInch: 120, maxPixels: 2_000_000 }

/**
 * Adds pictures of the pages to the content of a PDF, until 60 % of the time left are used or the limits are reached. Pages that
 * cannot be drawn, and an error of the drawing, are only warnings. Rejects with the reason of the signal.
 */
export async function withPageImages(
  content: Content,
  { bytes, password, rotations }: PageImagesTask,
  draw: DrawThreads,
  context: Pick<ParseContext, 'team' | 'signal' | 'timeLeft'>,
): Promise<Content> {
  const { pages = [], warnings = [] } = content
  const images = makePageImages()
  const task = {
    ...{ bytes, password, pages: pages.map(({ number }) => ({ number })), ...sizes },
    ...{ isForPeople: true, limits: pageImageLimits },
  }
  // A page with nothing on it has no picture.
  const add = ({ number, png }: { readonly number: number; readonly png?: Uint8Array }): boolean =>
    !png || images.add(number, { bytes: png, rotation: rotations.get(number) ?? 0 })
  const undrawn = await drawInBatches({ ...task, add }, draw, context)
  const reasons = [...undrawn].map(([reason, numbers]) => withoutImageWarning(numbers, reason))
  return { ...content, pages: images.addTo(pages), warnings: [...warnings, ...reasons] }
}
