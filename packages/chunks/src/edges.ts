// Completes parts of a page that begin or end within a table or fenced code.
import { blocksOf, type Block } from './blocks.ts'
import type { Chunk } from './cut.ts'
import { isHtmlTable, measures } from './units.ts'

/** A chunk with the strings to put before and after it if its neighbor is omitted. */
export interface EdgedChunk extends Chunk {
  readonly before: string
  readonly after: string
  /** Offset of the table that was cut at the beginning of the chunk, and of the one at its end. */
  readonly table?: number | undefined
  readonly openTable?: number | undefined
}

/** Fenced code, or a table that is written as HTML. */
interface Enclosure {
  /** The opening fence. Empty for a table, whose chunks have its head. */
  readonly opening: string
  readonly closing: string
  /** Offset of the opening fence or tag, and of the closing one or its line. */
  readonly start: number
  readonly close: number
}

type Span = Pick<Block, 'start' | 'end'>

// A longer line is replaced by its fence.
const maxOpening = 100

/**
 * Adds the head of its table, and the end of one that is written as HTML, or the fences of its code, to each chunk. A head of more
 * than `maxHead` tokens is not added. Chunks must be in page order.
 */
export function withEdges(chunks: readonly Chunk[], markdown: string, maxHead = Infinity): readonly EdgedChunk[] {
  const enclosures: Enclosure[] = []
  const tables: Pick<Enclosure, 'start' | 'close'>[] = []
  if (chunks.some(({ cut }) => cut !== undefined))
    for (const block of blocksOf(markdown)) {
      if (block.kind === 'code') enclosures.push(fencedCode(block, markdown))
      else if (isHtmlTable(block, markdown)) enclosures.push(tableIn(block, markdown))
      if (block.kind === 'table') tables.push({ start: block.start, close: block.end - 1 })
    }
  const [openAt, tableAt] = [finder(enclosures), finder(tables)]
  return chunks.map((chunk) => {
    const { tableHead: head = '' } = chunk
    const shownHead = measures.tokens(head) <= maxHead ? head : (/^<table\b[^>]*>/i.exec(head)?.[0] ?? '')
    const opening = openAt(chunk.start)?.opening || shownHead
    const table = tableAt(chunk.start)?.start
    const closing = openAt(chunk.end)?.closing ?? ''
    const openTable = tableAt(chunk.end)?.start
    return { ...chunk, before: opening && `${opening}\n`, after: closing && `\n${closing}`, table, openTable }
  })
}

/** Returns a function that finds the range that an offset is in. The offsets of its calls must not decrease. */
function finder<Range extends { readonly start: number; readonly close: number }>(ranges: readonly Range[]) {
  let index = 0
  return (offset: number): Range | undefined => {
    while ((ranges[index]?.close ?? Infinity) < offset) index += 1
    const range = ranges[index]
    return range && range.start < offset ? range : undefined
  }
}

function tableIn({ start, end }: Span, markdown: string): Enclosure {
  const text = markdown.slice(start, end)
  const tag = text.search(/\S/)
  const indent = text.slice(text.lastIndexOf('\n', tag) + 1, tag)
  const close = text.toLowerCase().lastIndexOf('</table')
  return { opening: '', closing: `${indent}</table>`, start: start + tag, close: close < 0 ? end : start + close }
}

function fencedCode(block: Span, markdown: string): Enclosure {
  const text = markdown.slice(block.start, block.end).trimEnd()
  const [all, mark = '', info = ''] = /^\s*(`{3,}|~{3,})([^\n]*)/.exec(text) ?? ['']
  const last = text.lastIndexOf('\n') + 1
  const line = text.slice(last).trim()
  const isClosed = last >= all.length && line.startsWith(mark) && line.replaceAll(mark.charAt(0), '') === ''
  return {
    opening: info.length > maxOpening ? mark : mark + info.trimEnd(),
    closing: mark,
    start: block.start + all.length - mark.length - info.length,
    close: isClosed ? block.start + last : block.end,
  }
}

/**
 * Returns the Markdown of chunks, in which consecutive ones are not separated. Parts of the same table are joined to one table, with
 * its head once.
 */
export function joinChunks(chunks: readonly EdgedChunk[], markdown: string): string {
  let joined = ''
  let before: EdgedChunk | undefined
  for (const [index, first] of chunks.entries()) {
    if (chunks[index - 1]?.end === first.start) continue
    let end = index
    while (chunks[end]?.end === chunks[end + 1]?.start) end += 1
    const text = markdown.slice(first.start, chunks[end]?.end).trimEnd()
    if (before?.openTable !== undefined && before.openTable === first.table) joined += `\n${text}`
    else joined += `${before ? `${before.after}\n\n` : ''}${first.before}${first.before === '' ? text.trim() : text}`
    before = chunks[end] ?? first
  }
  return joined + (before?.after ?? '')
}
