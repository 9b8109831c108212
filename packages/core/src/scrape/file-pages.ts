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
    items: blocks.map(({ type, content, bbox = null, source = 'native_text', confidence = null }, index) => ({
      ...{ id: `p${number}.b${index + 1}`, type, label: null, bbox },
      content: redact ? redact(content, redactPII) : content,
      ...{ markdownSpan: null, readingOrder: index, source, confidence: { layout: null, ocr: confidence } },
    })),
  }))
}

// These blocks are not in the Markdown, or are written differently there.
const unwritten: ReadonlySet<string> = new Set(['page_header', 'page_footer', 'page_number', 'table'])
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
    const start = whole.slice(from, from + content.length + maxBetween).indexOf(content)
    if (start < 0) return null
    const begin = from + start
    from = begin + content.length
    return [begin, from]
  }
  const located = blocks.map(({ items, ...page }) => ({
    ...page,
    items: items.map((item) => ({ ...item, markdownSpan: spanOf(item) })),
  }))
  return { ...rest, blocks: located }
}
