import { defineParser, joinInTurns, type Content, type ParseContext, type Parser } from '@harvestman/core/plugin'
import type { Ocr, OcrPicture } from '@harvestman/ports'
import { itemsOf, makePdfThreads, writePages, type PageItems } from '@harvestman/pdf/pages'

import { makePictureThreads } from './picture/threads.ts'
import type { PictureLimits } from './picture/limits.ts'

const files = [
  ['png', ['png'], 'image/png'],
  ['jpg', ['jpg', 'jpeg'], 'image/jpeg'],
  ['webp', ['webp'], 'image/webp'],
  ['gif', ['gif'], 'image/gif'],
  ['bmp', ['bmp'], 'image/bmp'],
  ['tiff', ['tiff', 'tif'], 'image/tiff'],
  ['svg', ['svg'], 'image/svg+xml'],
] as const
const types = files.map(([, , type]) => type)
const fileTypes = files.map(
  ([format, extensions, type]) => ({ format, kind: 'image', extensions, mimeTypes: [type] }) as const,
)

// The rest of the time is for the layout and the formats.
const shareOfTimeLeft = 0.8
// The layout of a page of text takes a few milliseconds.
const layout = { budget: 20_000, megabytes: 256 }

/**
 * Creates the parser of images, each of which is a document of one page; a TIFF may have several. It rejects as the engine does,
 * with `unsupported_file` for a damaged file, and with `page_too_complex` above the limits.
 */
export function makeImageParser(ocr: Ocr, limits: PictureLimits): Parser {
  const pictures = makePictureThreads()
  const writers = makePdfThreads({
    ...layout,
    size: 1,
    says: {
      tooSlow: 'The layout of the image took too long.',
      tooLarge: 'The layout of the image took too much memory.',
    },
  })
  const parse = async (bytes: Uint8Array, context: ParseContext): Promise<Content> => {
    const { type, team, signal, timeLeft, most } = context
    const end = Date.now() + timeLeft() * shareOfTimeLeft
    const copy = await joinInTurns([bytes])
    const run = { team, most: { ...most, bytes: maxPrepared(limits) }, transfer: [copy.buffer as ArrayBuffer] }
    const { pages, totalPages, paragraphs } = await pictures.run({ bytes: copy, type, limits }, signal, run)
    if (paragraphs) return contentOf(paragraphs.map((text) => `<p>${escape(text)}</p>`).join('\n'), 1, 1)
    const read: PageItems[] = []
    for (const [index, page] of pages.entries()) {
      if (index > 0 && Date.now() >= end) break
      read.push(await readPage(page, index + 1, context, end))
    }
    const facts = { totalPages, isCut: false, bookmarks: [], metadata: {} }
    const { html, title } = await writePages(writers, { facts, pages: read, broken: [], byPage: false }, context)
    return contentOf(html, read.length, totalPages, title)
  }
  const readPage = async (
    picture: OcrPicture,
    number: number,
    { team, signal }: ParseContext,
    end: number,
  ): Promise<PageItems> => {
    const text = await ocr.read(picture, { team, signal, timeout: Math.max(0, end - Date.now()) })
    return itemsOf(number, text, picture.dotsPerInch)
  }
  return defineParser({ name: 'image', accepts: types, files: fileTypes, maxUnits: () => limits.maxPages, parse })
}

/** Returns the maximum bytes of prepared pages: a file as it is, or pages in gray. */
function maxPrepared({ maxPixels, maxPages }: PictureLimits): number {
  return maxPixels * Math.min(maxPages, 10)
}

function contentOf(html: string, pages: number, totalPages: number, title?: string): Content {
  const warnings = [
    ...(html === '' ? ['No text was found in the image.'] : []),
    ...(pages < totalPages ? [`Only the first ${pages} of ${totalPages} pages of the image were read.`] : []),
  ]
  const metadata = { ...(title !== undefined && { title }), numPages: pages, totalPages }
  return { html, isAllContent: true, units: pages, metadata, warnings }
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
