// Pictures of the figures of a PDF.
import type { ContentBlock, ContentPage, ParseContext } from '@harvestman/core/plugin'

import { pagesNamed } from '../pages-named.ts'
import { drawInBatches } from './batches.ts'
import type { Share } from './crop.ts'
import type { DrawnPage } from './draw.ts'
import type { DrawThreads } from './threads.ts'

export interface FigureTask {
  readonly bytes: Uint8Array
  readonly password: string | undefined
  readonly pages: readonly ContentPage[]
}

/** The pages with the pictures of their figures, and warnings about those without. */
export interface DrawnFigures {
  readonly pages: readonly ContentPage[]
  readonly warnings: readonly string[]
}

/** Maximum number of figures of a file. */
const maxFigures = 200
/** Maximum size of the pictures of a file together. */
const maxBytes = 50_000_000
/** Maximum size of the images of the file among them. The rest is for figures that are drawn, which are smaller. */
const maxOriginalBytes = 25_000_000
/** Maximum area of the figures of a page together, in pages: figures may overlap. */
const maxArea = 2
const limits = `A file has at most ${maxFigures}, of ${maxBytes / 1_000_000} MB in all, and a page has pictures of at most ${maxArea} times its area.`
// A page of A3 has 4.4 million pixels at this resolution.
const sizes = { batchSize: 4, maxArea, dotsPerInch: 150, maxPixels: 6_000_000 }

/**
 * Adds pictures to the figures of a file, page by page, until 60 % of the time left are used: the image of the file if the
 * figure is one image and the drawn page looks like it, otherwise the part of the drawn page. Figures beyond the limits, and all
 * after an error of the drawing, have no picture, with warnings. Rejects with the reason of the signal.
 */
export async function drawFigures(
  { bytes, password, pages }: FigureTask,
  draw: DrawThreads,
  context: Pick<ParseContext, 'team' | 'signal' | 'timeLeft'>,
): Promise<DrawnFigures> {
  const wanted = wantedOf(pages)
  const images = new Map<ContentBlock, Uint8Array>()
  let [size, originals] = [0, 0]
  const originalBytes = (): number => Math.max(0, maxOriginalBytes - originals)
  const add = ({ number, parts = [], originalBytes: added = 0 }: DrawnPage): boolean => {
    originals += added
    size += parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
    if (size > maxBytes) return false
    wanted.get(number)?.figures.forEach((figure, at) => parts[at] && images.set(figure, parts[at]))
    return true
  }
  const drawn = [...wanted.values()].filter(({ crops }) => crops.length > 0)
  const task = { bytes, password, pages: drawn, ...sizes, originalBytes, add, limits }
  const undrawn = new Map(await drawInBatches(task, draw, context))
  const cut = [...wanted.values()].filter(({ isCut }) => isCut).map(({ number }) => number)
  if (cut.length > 0) undrawn.set(limits, [...new Set([...(undrawn.get(limits) ?? []), ...cut])].toSorted(byNumber))
  return {
    pages: pages.map((page) => ({ ...page, blocks: page.blocks.map((block) => withImage(block, images.get(block))) })),
    warnings: [...undrawn].map(([reason, numbers]) => {
      return `Not all figures of ${pagesNamed(numbers).toLowerCase()} of the PDF have a picture. ${reason}`
    }),
  }
}

const byNumber = (a: number, b: number): number => a - b

interface WantedFigures {
  readonly number: number
  readonly figures: readonly ContentBlock[]
  /** Boxes of the figures. */
  readonly crops: readonly Share[]
  /** The page has more figures, beyond the limits. */
  readonly isCut: boolean
}

/** Returns the figures of each page that has some, by its number, up to the limits. */
function wantedOf(pages: readonly ContentPage[]): ReadonlyMap<number, WantedFigures> {
  let left = maxFigures
  const wanted = pages.flatMap(({ number, blocks }): WantedFigures[] => {
    const all = blocks.filter(({ type }) => type === 'figure')
    const figures: ContentBlock[] = []
    const crops: Share[] = []
    let area = 0
    for (const figure of all.slice(0, left)) {
      const { bbox } = figure
      if (!bbox) continue
      area += (bbox[2] - bbox[0]) * (bbox[3] - bbox[1])
      if (area > maxArea) break
      figures.push(figure)
      crops.push(bbox)
    }
    left -= figures.length
    return all.length > 0 ? [{ number, figures, crops, isCut: figures.length < all.length }] : []
  })
  return new Map(wanted.map((page) => [page.number, page]))
}

function withImage(block: ContentBlock, image: Uint8Array | undefined): ContentBlock {
  return image ? { ...block, image } : block
}
