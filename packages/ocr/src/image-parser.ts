import { defineParser, joinInTurns, type Content, type ParseContext, type Parser } from '@harvestman/core/plugin'
import {
  itemsOf,
  makePageImages,
  makePdfThreads,
  pageImageLimits,
  pagesNamed,
  scopeOf,
  withoutImageWarning,
  writePages,
  type PageImages,
  type PageItems,
} from '@harvestman/pdf/pages'
import { EngineError, publicMessage, type Ocr } from '@harvestman/ports'

import type { PageCount, PreparedPicture } from './picture/prepare.ts'
import { makePictureThreads, type PictureThreads } from './picture/threads.ts'
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
    messages: {
      tooSlow: 'The layout of the image took too long.',
      tooLarge: 'The layout of the image took too much memory.',
    },
  })
  const parse = async (bytes: Uint8Array, context: ParseContext): Promise<Content> => {
    const reading = await readPages(bytes, context, { ocr, pictures, limits })
    if (reading.paragraphs) {
      return vectorContent(reading.paragraphs, reading, choiceIn(context))
    }
    const { pages, totalPages, images, unpictured } = reading
    const facts = { totalPages, isCut: false, bookmarks: [], metadata: {} }
    const task = { facts, pages, broken: [], byPage: isByPage(choiceIn(context)) }
    const written = await writePages(writers, task, context)
    const content = contentOf(written.html, { ...reading, read: pages.length, title: written.title })
    if (!written.pages) return content
    const omitted = unpictured.length > 0 ? [withoutImageWarning(unpictured, pageImageLimits)] : []
    const warnings = [...(content.warnings ?? []), ...omitted]
    return { ...content, pages: images.addTo(written.pages), warnings }
  }
  const maxUnits: Parser['maxUnits'] = ({ parsers }) =>
    parsers.some(({ type }) => type === 'image') ? limits.maxPages : 1
  return defineParser({ name: 'image', accepts: types, files: fileTypes, maxUnits, parse })
}

/** Returns the content of a vector image: one page, whose blocks have no position. */
function vectorContent(paragraphs: readonly string[], reading: Reading, choice: ReturnType<typeof choiceIn>): Content {
  const html = paragraphs.map((text) => `<p>${escape(text)}</p>`).join('\n')
  const content = contentOf(html, { ...reading, read: 1 })
  const blocks = paragraphs.map((text) => ({ type: 'text', content: text }))
  const omitted =
    choice?.pageImages === true ? [withoutImageWarning([1], 'The file is an SVG, which is not drawn.')] : []
  return {
    ...content,
    ...(isByPage(choice) && { pages: [{ number: 1, html, status: 'ok', blocks }] }),
    warnings: [...(content.warnings ?? []), ...omitted],
  }
}

function choiceIn({ request }: Pick<ParseContext, 'request'>): ParseContext['request']['parsers'][number] | undefined {
  return request.parsers.find(({ type }) => type === 'image')
}

/** Returns whether the options request the pages by themselves. */
function isByPage(choice: ReturnType<typeof choiceIn>): boolean {
  return choice?.blocks === true || choice?.pageImages === true
}

interface Reading {
  readonly pages: readonly PageItems[]
  /** Pictures of the pages; empty if they are not requested. */
  readonly images: PageImages
  /** Pages whose pictures exceed the limits. */
  readonly unpictured: readonly number[]
  /** The paragraphs of a file that has text. */
  readonly paragraphs?: readonly string[] | undefined
  /** Pages that could not be decoded or recognized. */
  readonly failed: readonly number[]
  readonly totalPages: number
  /** The error that affects all pages, or the first one of a page. */
  readonly problem?: unknown
}

interface ReadingTools {
  readonly ocr: Ocr
  readonly pictures: PictureThreads
  readonly limits: PictureLimits
}

/**
 * Decodes and recognizes one page after the other, until 80 % of the time left are used or an error that affects all pages.
 * Rejects with the first error if there is no page then.
 */
async function readPages(
  bytes: Uint8Array,
  context: ParseContext,
  { ocr, pictures, limits }: ReadingTools,
): Promise<Reading> {
  const { type, team, signal, timeLeft, most } = context
  const withImages = choiceIn(context)?.pageImages === true
  const images = makePageImages()
  const unpictured: number[] = []
  const end = Date.now() + timeLeft() * shareOfTimeLeft
  const left = (): number => Math.max(0, end - Date.now())
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(left()))])
  let totalPages = 1
  const prepare = async (page: number): Promise<PreparedPicture> => {
    const copy = await joinInTurns([bytes])
    return await pictures.run({ bytes: copy, type, page, limits }, inTime, {
      team,
      most: { ...most, bytes: bytes.byteLength + limits.maxPixels * 1.1 },
      transfer: [copy.buffer as ArrayBuffer],
      onPart: (part) => {
        totalPages = (part as PageCount).totalPages
      },
    })
  }
  const pages: PageItems[] = []
  const failed: number[] = []
  let problem: unknown
  let late: EngineError | undefined
  for (let number = 1; number <= Math.min(totalPages, limits.maxPages); number += 1) {
    try {
      const prepared = await prepare(number)
      if ('paragraphs' in prepared)
        return { ...{ pages, images, unpictured, failed, totalPages }, paragraphs: prepared.paragraphs }
      const { picture } = prepared
      const text = await ocr.read(picture, { team, signal, timeout: left() })
      pages.push(itemsOf(number, text, picture.dotsPerInch))
      const image = { bytes: picture.bytes, rotation: text.rotation + text.skew }
      if (withImages && !images.add(number, image)) unpictured.push(number)
    } catch (error) {
      signal.throwIfAborted()
      const scope = inTime.aborted ? 'time' : scopeOf(error)
      if (scope === 'time') {
        late = EngineError.is(error) ? error : notInTime()
        break
      }
      failed.push(number)
      if (scope === 'all' || problem === undefined) problem = error
      if (scope === 'all') break
    }
  }
  if (pages.length === 0) throw problem ?? late ?? notInTime()
  return { pages, images, unpictured, failed, totalPages, problem }
}

function notInTime(): EngineError {
  return new EngineError('timeout', 'The image was not read in time. Raise the timeout of the request.')
}

interface Ending extends Pick<Reading, 'failed' | 'totalPages' | 'problem'> {
  /** Number of pages that were read. */
  readonly read: number
  readonly title?: string | undefined
}

function contentOf(html: string, { read, failed, totalPages, problem, title }: Ending): Content {
  const tried = read + failed.length
  const reason = problem === undefined ? '' : ` ${publicMessage(problem)}`
  const warnings = [
    ...(html === '' ? ['No text was found in the image.'] : []),
    ...(failed.length > 0
      ? [`The text of ${pagesNamed(failed).toLowerCase()} of the image could not be recognized.${reason}`]
      : []),
    ...(tried < totalPages ? [`Only the first ${tried} of ${totalPages} pages of the image were read.`] : []),
  ]
  const metadata = { ...(title !== undefined && { title }), numPages: read, totalPages }
  return { html, isAllContent: true, units: read, metadata, warnings }
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
