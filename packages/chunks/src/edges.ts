// Completes parts of a page that begin or end within a table or fenced code.
import { blocksOf, type Block } from './blocks.ts'
import type { Chunk } from './cut.ts'
import { isHtmlTable } from './units.ts'

/** A chunk with the strings to put before and after it if its neighbor is omitted. */
export interface EdgedChunk extends Chunk {
  readonly before: string
  readonly after: string
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
 * Adds the head of its table, and the end of one that is written as HTML, or the fences of its code, to each chunk. Chunks must be
 * in page order.
 */
export function withEdges(chunks: readonly Chunk[], markdown: string): readonly EdgedChunk[] {
  const enclosures: Enclosure[] = []
  if (chunks.some(({ cut }) => cut !== undefined))
    for (const block of blocksOf(markdown))
      if (block.kind === 'code') enclosures.push(fencedCode(block, markdown))
      else if (isHtmlTable(block, markdown)) enclosures.push(tableIn(block, markdown))
  let index = 0
  const openAt = (offset: number): Enclosure | undefined => {
    while ((enclosures[index]?.close ?? Infinity) < offset) index += 1
    const open = enclosures[index]
    return open && open.start < offset ? open : undefined
  }
  return chunks.map((chunk) => {
    const opening = openAt(chunk.start)?.opening || (chunk.tableHead ?? '')
    const closing = openAt(chunk.end)?.closing ?? ''
    return { ...chunk, before: opening && `${opening}\n`, after: closing && `\n${closing}` }
  })
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

/** Returns the Markdown of chunks, in which consecutive ones are not separated. */
export function joinChunks(chunks: readonly EdgedChunk[], markdown: string): string {
  const parts: string[] = []
  for (const [index, first] of chunks.entries()) {
    if (chunks[index - 1]?.end === first.start) continue
    let end = index
    while (chunks[end]?.end === chunks[end + 1]?.start) end += 1
    const last = chunks[end] ?? first
    const text = markdown.slice(first.start, last.end)
    parts.push(first.before + (first.before === '' ? text.trim() : text.trimEnd()) + last.after)
  }
  return parts.join('\n\n')
}
