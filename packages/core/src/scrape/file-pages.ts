// Results of the options `pages`, `pageMarkers` and `blocks` of a parser, for files that have pages.
import { isEncodedJson } from '@harvestman/ports/values'
import type { ContentPage } from '../plugin/parts.ts'
import type { ParserChoice, ScrapeRequest } from '../schema/scrape.ts'
import type { FilePages, PageBlock, PageBlocks } from './document.ts'
import type { Reader, ReadTask } from './reader.ts'

interface FilePagesTask {
  readonly pages: readonly ContentPage[]
  readonly choice: ParserChoice
  readonly request: ScrapeRequest
  /** Task that reads the whole file. */
  readonly task: Omit<ReadTask, 'source' | 'wanted' | 'version'>
}

/**
 * Returns the pages of a file as the options of its parser request them, and its Markdown if it has page markers. Rejects as the
 * reader does.
 */
export async function readFilePages(
  { pages, choice, request, task }: FilePagesTask,
  reader: Reader,
  signal: AbortSignal,
): Promise<{ readonly byPage: FilePages; readonly markdown: string | undefined }> {
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
  return {
    byPage: {
      ...(choice.pages && { pages: written }),
      ...(choice.blocks && { blocks: await blocksOf(pages, request) }),
    },
    markdown: choice.pageMarkers ? withMarkers(written) : undefined,
  }
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
  return pages.map(({ number, width = null, height = null, status, blocks }) => ({
    ...{ pageNumber: number, width, height, status },
    items: blocks.map(
      ({ type, label = null, content, bbox = null, source = 'native_text', confidence = null }, index) => ({
        ...{ id: `p${number}.b${index + 1}`, type, label, bbox },
        content: redact ? redact(content, redactPII) : content,
        ...{ markdownSpan: null, readingOrder: index, source, confidence: { layout: null, ocr: confidence } },
      }),
    ),
  }))
}

// These blocks are not in the Markdown.
const unwritten: ReadonlySet<string> = new Set(['page_header', 'page_footer', 'page_number'])
/** Maximum number of characters between two blocks that follow each other. */
const maxBetween = 2_000

/**
 * Adds to each block where its text is in the Markdown. Blocks whose text has another form there, or that do not follow the block
 * before them, have none.
 */
export function withSpans({ blocks, ...rest }: FilePages, markdown: unknown): FilePages {
  const whole = isEncodedJson(markdown) ? markdown.toJSON() : markdown
  if (!blocks || typeof whole !== 'string') return { ...rest, ...(blocks && { blocks }) }
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
  const located = blocks.map(({ items, ...page }) => ({
    ...page,
    items: items.map((item) => ({ ...item, markdownSpan: spanOf(item) })),
  }))
  return { ...rest, blocks: located }
}

type Span = readonly [start: number, end: number]

function textSpan(near: string, content: string): Span | undefined {
  const start = near.indexOf(content)
  return start < 0 ? undefined : [start, start + content.length]
}

function isTable(content: string): boolean {
  return content.startsWith('<table>')
}

// The head of a table is not repeated where the table continues on the next page.
const maxHead = 3

/** Returns where the rows of a table are in the Markdown: from the first one that is there to its last one. */
function tableSpan(near: string, content: string): Span | undefined {
  const rows = content.split('<tr>').slice(1).map(cellsOf)
  const last = rows.at(-1)
  let start: number | undefined
  let at = 0
  for (const line of near.split('\n')) {
    const cells = line.startsWith('|') ? comparable(line) : ''
    const has = (row: readonly string[]): boolean => cells !== '' && row.every((text) => cells.includes(text))
    if (start === undefined && rows.slice(0, maxHead).some(has)) start = at
    at += line.length
    if (start !== undefined && last && has(last)) return [start, at]
    at += 1
  }
  return undefined
}

function cellsOf(row: string): string[] {
  return row.split(/<t[hd][^>]*>/).flatMap((cell) => comparable(cell.replaceAll(/<[^>]*>/g, '')) || [])
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Removes everything but letters and digits, because Markdown and HTML write other characters differently. */
function comparable(text: string): string {
  return text
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
