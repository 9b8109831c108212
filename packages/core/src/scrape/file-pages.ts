// Results of the options `pages`, `pageMarkers`, `blocks`, `pageImages` and `figures` of a parser, for files that have pages.
import { isEncodedJson } from '@harvestman/ports/values'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import type { ContentPage } from '../plugin/parts.ts'
import type { ParserChoice, ScrapeRequest } from '../schema/scrape.ts'
import type { FilePages, PageBlock, PageBlocks } from './document.ts'
import type { Reader, ReadTask } from './reader.ts'

interface FilePagesTask {
  readonly pages: readonly ContentPage[]
  readonly choice: ParserChoice
  /** True to return the blocks even if the options do not request them. */
  readonly withBlocks: boolean
  readonly request: ScrapeRequest
  /** Task that reads the whole file. */
  readonly task: Omit<ReadTask, 'source' | 'wanted' | 'version'>
}

/** A file by its pages. */
export interface ReadFilePages {
  /** The pages as the options of the parser request them. */
  readonly byPage: FilePages<string | Uint8Array>
  /** The blocks, if they are requested or needed. */
  readonly blocks: readonly PageBlocks[] | undefined
  /** The Markdown, if it has page markers. */
  readonly markdown: string | undefined
}

/** Reads the pages of a file. Rejects as the reader does. */
export async function readFilePages(
  { pages, choice, withBlocks, request, task }: FilePagesTask,
  reader: Reader,
  signal: AbortSignal,
): Promise<ReadFilePages> {
  const read = pages.filter(({ status }) => status !== 'failed')
  const written: { readonly pageNumber: number; readonly markdown: string }[] = []
  const { removeBase64Images, redactPII } = request
  const options = { removeBase64Images, ...(redactPII && { redact: redactPII }) }
  const wanted = [{ field: 'page.markdown', name: 'markdown', options }]
  if (choice.pages || choice.pageMarkers)
    for (const { number, html } of read) {
      const { values } = await reader.read({ ...task, source: { html }, wanted, version: undefined }, signal)
      written.push({ pageNumber: number, markdown: (values['page.markdown'] as string | undefined) ?? '' })
    }
  const isShown = choice.blocks === true || choice.figures === true
  const blocks = isShown || withBlocks ? await blocksOf(pages, request) : undefined
  return {
    byPage: {
      ...(choice.pages && { pages: written }),
      ...(isShown && blocks && { blocks }),
      ...(choice.pageImages && { pageImages: imagesOf(pages) }),
    },
    blocks,
    markdown: choice.pageMarkers ? withMarkers(written) : undefined,
  }
}

function imagesOf(pages: readonly ContentPage[]): NonNullable<ReadFilePages['byPage']['pageImages']> {
  return pages.flatMap(({ number, image }) =>
    image ? [{ pageNumber: number, url: image.bytes, rotation: image.rotation }] : [],
  )
}

function withMarkers(pages: NonNullable<FilePages['pages']>): string {
  return pages
    .map(({ pageNumber, markdown }, index) =>
      index === 0 ? markdown : `---\n\n<!-- page ${pageNumber} -->\n\n${markdown}`,
    )
    .join('\n\n')
    .trimEnd()
}

async function blocksOf(pages: readonly ContentPage[], { redactPII }: ScrapeRequest): Promise<PageBlocks[]> {
  const redact = redactPII && (await import('../redact/redact.ts')).redact
  const pause = makePause()
  const written: PageBlocks[] = []
  for (const { number, width = null, height = null, status, blocks } of pages) {
    const items: PageBlock[] = []
    for (const [index, block] of blocks.entries()) {
      const { type, label = null, content, bbox = null, source = 'native_text', confidence = null, image } = block
      if (redact) await pause(content.length)
      items.push({
        ...{ id: `p${number}.b${index + 1}`, type, label, bbox },
        content: redact ? redact(content, redactPII) : content,
        ...{ markdownSpan: null, readingOrder: index, source, confidence: { layout: null, ocr: confidence } },
        ...(image && { image }),
      })
    }
    written.push({ pageNumber: number, width, height, status, items })
  }
  return written
}

// Characters per turn of the event loop: tables of this size take about four milliseconds.
const slice = 65_536

/** Returns a function that waits for the next turn of the event loop after work on 65,536 characters. */
function makePause(): (characters: number) => Promise<void> {
  let worked = 0
  return async (characters) => {
    worked += characters
    if (worked < slice) return
    await nextTurn()
    worked = 0
  }
}

// These blocks are not in the Markdown.
const unwritten: ReadonlySet<string> = new Set(['page_header', 'page_footer', 'page_number'])
/** Maximum number of characters between two blocks that follow each other. */
const maxBetween = 2_000

/** Larger tables have no place, because one is searched in one turn of the event loop. */
const maxTable = 200_000

/**
 * Adds to each block where its text is in the Markdown. Blocks whose text has another form there, or that do not follow the block
 * before them, and tables of more than 200,000 characters have none. Rejects with the reason of the signal.
 */
export async function withSpans(
  blocks: readonly PageBlocks[],
  markdown: unknown,
  signal: AbortSignal,
): Promise<readonly PageBlocks[]> {
  const whole = isEncodedJson(markdown) ? markdown.toJSON() : markdown
  if (typeof whole !== 'string') return blocks
  const pause = makePause()
  let from = 0
  const spanOf = ({ type, content }: PageBlock): PageBlock['markdownSpan'] => {
    if (content === '' || unwritten.has(type)) return null
    const near = whole.slice(from, from + content.length * 2 + maxBetween)
    const found = isTable(content) ? tableSpan(near, content) : textSpan(near, content)
    if (!found) return null
    const begin = from + found[0]
    from += found[1]
    return [begin, from]
  }
  const located: PageBlocks[] = []
  for (const page of blocks) {
    const items: PageBlock[] = []
    for (const item of page.items) {
      await pause(item.content.length + maxBetween)
      signal.throwIfAborted()
      items.push({ ...item, markdownSpan: spanOf(item) })
    }
    located.push({ ...page, items })
  }
  return located
}

type Span = readonly [start: number, end: number]

// The search for a long string can take time in proportion to the square of its length.
const maxSearched = 200
const maxTries = 50

function textSpan(near: string, content: string): Span | undefined {
  const start = indexOfLong(near, content)
  return start === undefined ? looseSpan(near, content) : [start, start + content.length]
}

function indexOfLong(text: string, content: string): number | undefined {
  const searched = content.slice(0, maxSearched)
  let start = text.indexOf(searched)
  for (let tries = 0; start >= 0 && tries < maxTries; tries += 1) {
    if (text.startsWith(content, start)) return start
    start = text.indexOf(searched, start + 1)
  }
  return undefined
}

// Shorter strings also occur elsewhere by chance.
const minLoose = 3

/** Finds text that is written with emphasis, links or escapes. The span is from one whitespace to the next. */
function looseSpan(near: string, content: string): Span | undefined {
  const wanted = content.replaceAll(notAlphanumeric, '')
  if (wanted.length < minLoose) return undefined
  const words = [...near.replaceAll(notText, (mark) => ' '.repeat(mark.length)).matchAll(alphanumeric)]
  const start = indexOfLong(words.map(([word]) => word).join(''), wanted)
  if (start === undefined) return undefined
  const first = placeOf(words, start)
  const last = placeOf(words, start + wanted.length - 1) + 1
  const space = Math.max(near.lastIndexOf(' ', first), near.lastIndexOf('\n', first))
  return [space + 1, last + near.slice(last).search(/\s|$/)]
}

/** Converts an offset in the joined words to an offset in the Markdown. */
function placeOf(words: readonly RegExpExecArray[], position: number): number {
  let left = position
  for (const { 0: word, index } of words) {
    if (left < word.length) return index + left
    left -= word.length
  }
  return 0
}

function isTable(content: string): boolean {
  return content.startsWith('<table>')
}

// The head of a table is not repeated where the table continues on the next page.
const maxHead = 3

/** Returns where the rows of a table are in the Markdown: from the first one that is there to its last one. */
function tableSpan(near: string, content: string): Span | undefined {
  if (content.length > maxTable) return undefined
  const rows = content
    .split('<tr>')
    .slice(1)
    .map(rowOf)
    .filter(({ isEmpty }) => !isEmpty)
  const lastFilled = rows.findLastIndex(({ cells }) => cells !== '')
  const last = rows[lastFilled]?.cells
  const heads = rows.slice(0, maxHead)
  let start: number | undefined
  // Rows from this line to the last one.
  let left = 0
  let at = 0
  for (const line of near.split('\n')) {
    const cells = cellsOfLine(line)
    if (!isRow(line)) start = undefined
    const head = start === undefined && cells !== '' ? heads.findIndex((row) => row.cells === cells) : -1
    if (head >= 0) {
      start = at
      left = lastFilled - head
    } else if (start !== undefined && !isDelimiter.test(line)) left -= 1
    at += line.length
    if (start !== undefined && left <= 0) {
      if (cells === last) return [start, at]
      start = undefined
    }
    at += 1
  }
  return undefined
}

interface TableRow {
  /** Not in the Markdown. */
  readonly isEmpty: boolean
  /** Its comparable cells; empty if no cell has an alphanumeric character. */
  readonly cells: string
}

function rowOf(row: string): TableRow {
  const cells = row.split(/<t[hd][^<>]*>/).map((cell) => cell.replaceAll(/<[^<>]*>/g, ''))
  return { isEmpty: cells.every((cell) => cell.trim() === ''), cells: joined(cells) }
}

const isDelimiter = /^\|(?: :?-{3,}:? \|)+$/

// Line breaks, raised and lowered text, and the URLs of links.
const notText = /<br>|<\/?su[bp]>|\]\((?:\\[()]|[^\s()[\]\\]|\([^\s()[\]]*\))*\)/g

/** A table with cells that span rows or columns is written as HTML, one line for each row. */
const htmlRow = '<tr>'

function isRow(line: string): boolean {
  return line.startsWith('|') || line.startsWith(htmlRow)
}

/** Returns the comparable cells of a line of a table in Markdown; empty for another line. */
function cellsOfLine(line: string): string {
  if (line.startsWith(htmlRow)) return rowOf(line).cells
  if (!line.startsWith('|')) return ''
  const cells = line.match(/(?:\\.|[^\\|])+/g) ?? []
  return joined(cells.map((cell) => cell.replaceAll(notText, '')))
}

function joined(cells: readonly string[]): string {
  return cells.flatMap((cell) => comparable(cell) || []).join('|')
}

const alphanumeric = /[\p{L}\p{N}]+/gu
const notAlphanumeric = /[^\p{L}\p{N}]+/gu

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Keeps only alphanumeric characters, because Markdown and HTML encode others differently. */
function comparable(text: string): string {
  return text
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(notAlphanumeric, '')
}
