// Pictures of the figures of a PDF.
import { joinInTurns, type ContentPage, type ParseContext } from '@harvestman/core/plugin'
import { EngineError, publicMessage } from '@harvestman/ports'

import { pagesNamed } from '../pages-named.ts'
import type { Share } from './crop.ts'
import type { DrawnPage } from './draw.ts'
import type { DrawThreads } from './threads.ts'

export interface FigureTask {
  readonly bytes: Uint8Array
  readonly password: string | undefined
  readonly pages: readonly ContentPage[]
}

/** The pages with the pictures of their figures, and a warning about those without. */
export interface DrawnFigures {
  readonly pages: readonly ContentPage[]
  readonly warnings: readonly string[]
}

const dotsPerInch = 150
// A page of A3 has 4.4 million pixels at this resolution.
const maxPixels = 6_000_000
const batchSize = 4
/** Maximum number of figures of a file. */
const maxFigures = 200
/** Maximum size of the pictures of a file together. */
const maxBytes = 50_000_000
// The rest of the time is for the formats.
const shareOfTimeLeft = 0.6
// The pictures of a batch, uncompressed.
const bound = { bytes: batchSize * maxPixels * 3.1, values: 10_000 }

/**
 * Draws the figures of a file, page by page, until 60 % of the time left are used. Figures beyond the limits have no picture.
 * Rejects with `not_configured` if the library that draws pages is not installed, or with the reason of the signal.
 */
export async function drawFigures(
  { bytes, password, pages }: FigureTask,
  draw: DrawThreads,
  { team, signal, timeLeft }: Pick<ParseContext, 'team' | 'signal' | 'timeLeft'>,
): Promise<DrawnFigures> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeLeft() * shareOfTimeLeft))])
  const drawBatch = async (batch: readonly WantedFigures[]): Promise<readonly DrawnPage[]> => {
    const copy = await joinInTurns([bytes])
    const which = { pages: batch.map(({ number }) => number), crops: batch.map(({ boxes }) => boxes) }
    const task = { bytes: copy, password, ...which, onlyWithPicture: [], dotsPerInch, maxPixels }
    return await draw.run(task, inTime, { team, most: bound, transfer: [copy.buffer as ArrayBuffer] })
  }
  const images = new Map<number, readonly Uint8Array[]>()
  const wanted = wantedOf(pages)
  let size = 0
  const problems: unknown[] = []
  for (let at = 0; at < wanted.length && !inTime.aborted && problems.length === 0; at += batchSize) {
    const drawn = await drawBatch(wanted.slice(at, at + batchSize)).catch((error: unknown) => {
      signal.throwIfAborted()
      problems.push(error)
      return []
    })
    for (const { number, parts = [] } of drawn) {
      size += parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
      if (size > maxBytes) break
      images.set(number, parts)
    }
    if (size > maxBytes) break
  }
  const [problem] = problems
  if (EngineError.is(problem) && problem.code === 'not_configured') throw problem
  return {
    pages: pages.map((page) => withImages(page, images.get(page.number) ?? [])),
    warnings: warningsOf(pages, images, problem),
  }
}

interface WantedFigures {
  readonly number: number
  readonly boxes: readonly Share[]
}

/** Returns the figures of each page that has some, up to the maximum. */
function wantedOf(pages: readonly ContentPage[]): WantedFigures[] {
  let left = maxFigures
  return pages.flatMap(({ number, blocks }): WantedFigures[] => {
    const boxes = blocks.flatMap(({ type, bbox }) => (type === 'figure' && bbox ? [bbox] : [])).slice(0, left)
    left -= boxes.length
    return boxes.length > 0 ? [{ number, boxes }] : []
  })
}

function withImages(page: ContentPage, images: readonly Uint8Array[]): ContentPage {
  let next = 0
  const blocks = page.blocks.map((block) => {
    const image = block.type === 'figure' ? images[next++] : undefined
    return image ? { ...block, image } : block
  })
  return { ...page, blocks }
}

function warningsOf(
  pages: readonly ContentPage[],
  images: ReadonlyMap<number, readonly Uint8Array[]>,
  problem: unknown,
): string[] {
  const missed = pages.filter(({ number, blocks }) => {
    const figures = blocks.filter(({ type }) => type === 'figure').length
    return figures > (images.get(number)?.length ?? 0)
  })
  if (missed.length === 0) return []
  const why = EngineError.is(problem) ? ` ${publicMessage(problem)}` : ''
  const names = pagesNamed(missed.map(({ number }) => number)).toLowerCase()
  return [
    `Not all figures of ${names} of the PDF were drawn within the limits. Raise the timeout of the request.${why}`,
  ]
}
