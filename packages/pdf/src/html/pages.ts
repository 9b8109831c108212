import type { ContentBlock, ContentPage } from '@harvestman/core/plugin'

import { isCaption } from '../layout/captions.ts'
import { layOutPages, type PageLayout } from '../layout/document.ts'
import { textOf } from '../layout/lines.ts'
import type { Block, Box, FileFacts, PageItems } from '../types.ts'
import { meanConfidence } from '../ocr/items.ts'
import { withFigures, withLabels, type PageShare } from './figures.ts'
import { writeHtml } from './write.ts'

// Points per inch, and pixels per inch of the page whose size is reported.
const points = 72
const pixels = 200

/** Returns the content of each page by itself. Pages that could not be read have no blocks. */
export function describePages(
  pages: readonly PageItems[],
  broken: readonly number[],
  facts: Pick<FileFacts, 'bookmarks'>,
): ContentPage[] {
  let hasTitle = false
  const described = layOutPages(pages, facts).map(({ page, blocks, edges }): ContentPage => {
    const inside = blocks.map((block): ContentBlock => {
      const isTitle: boolean = !hasTitle && block.kind === 'heading' && block.level === 1
      hasTitle ||= isTitle
      const type = isTitle ? 'title' : typeOf(block)
      return {
        type,
        content: contentOf(block),
        bbox: block.box && shareOf(block.box, page),
        ...originOf(block.box, page),
      }
    })
    const isPartial = page.isCut || page.isUndecoded || page.isDamaged === true
    return {
      ...{ number: page.number, html: writeHtml(blocks), status: isPartial ? 'partial' : 'ok' },
      ...{ width: toPixels(page.width), height: toPixels(page.height) },
      blocks: [
        ...edgeBlocks(edges, page, 'page_header'),
        ...withLabels(
          withFigures(
            inside,
            (page.pictures ?? []).map((box) => shareOf(box, page)),
          ),
        ),
        ...edgeBlocks(edges, page, 'page_footer'),
      ],
    }
  })
  const failed = broken.map((number): ContentPage => ({ number, html: '', status: 'failed', blocks: [] }))
  return [...described, ...failed].toSorted((a, b) => a.number - b.number)
}

function toPixels(length: number): number {
  return Math.round((length / points) * pixels)
}

function typeOf(block: Block): string {
  if (block.kind === 'heading') return 'section_header'
  if (block.kind === 'item') return 'list_item'
  if (block.kind === 'text') return isCaption(block.text) ? 'caption' : 'text'
  return block.kind
}

function contentOf(block: Block): string {
  if (block.kind === 'table') return writeHtml([block])
  return block.kind === 'code' ? block.text : textOf(block.runs)
}

function edgeBlocks(edges: PageLayout['edges'], page: PageItems, side: 'page_header' | 'page_footer'): ContentBlock[] {
  const lines = edges.filter(({ y }) => y < page.height / 2 === (side === 'page_header'))
  return lines.map((line) => ({
    type: /^\P{L}*\d\P{L}*$/u.test(line.text) ? 'page_number' : side,
    content: line.text,
    bbox: shareOf(line, page),
    ...originOf(line, page),
  }))
}

/** Returns the origin of recognized text, and its confidence: the mean of the words whose middle is in the box. */
function originOf(
  box: Box | undefined,
  { isRecognized, items }: PageItems,
): Pick<ContentBlock, 'source' | 'confidence'> {
  if (!isRecognized) return {}
  const words = items.filter(({ x, y, width, size }) => box && isWithin(box, x + width / 2, y - size / 3))
  return { source: 'ocr', ...(words.length > 0 && { confidence: Math.round(meanConfidence(words) * 1_000) / 1_000 }) }
}

function isWithin({ left, right, top, bottom }: Box, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom
}

/** Returns the edges of a box as fractions of the page: left, top, right, bottom. */
function shareOf({ left, top, right, bottom }: Box, { width, height }: PageItems): PageShare {
  const share = (length: number, whole: number): number =>
    Math.round(Math.min(1, Math.max(0, length / Math.max(1, whole))) * 10_000) / 10_000
  return [share(left, width), share(top, height), share(right, width), share(bottom, height)]
}
