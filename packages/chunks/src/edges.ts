// Completes parts of a page that begin or end within a table or fenced code.
import { blocksOf } from './blocks.ts'
import type { Chunk } from './cut.ts'

/** A chunk with the strings to put before and after it if its neighbor is omitted. */
export interface EdgedChunk extends Chunk {
  readonly before: string
  readonly after: string
}

interface FencedCode {
  readonly opening: string
  readonly mark: string
  /** Offset of the line with the opening fence, and of the line with the closing one. */
  readonly start: number
  readonly close: number
}

// A longer line is replaced by its fence.
const maxOpening = 100

/** Adds the head of its table, or the fences of its code, to each chunk. Chunks must be in page order. */
export function withEdges(chunks: readonly Chunk[], markdown: string): readonly EdgedChunk[] {
  const codes: FencedCode[] = []
  if (chunks.some(({ cut }) => cut === 'code'))
    for (const block of blocksOf(markdown)) if (block.kind === 'code') codes.push(fencedCode(block, markdown))
  let index = 0
  const codeAt = (offset: number): FencedCode | undefined => {
    while ((codes[index]?.close ?? Infinity) < offset) index += 1
    const code = codes[index]
    return code && code.start < offset ? code : undefined
  }
  return chunks.map((chunk) => {
    const opened = codeAt(chunk.start)
    const open = codeAt(chunk.end)
    const head = chunk.tableHead === undefined ? '' : `${chunk.tableHead}\n`
    return { ...chunk, before: opened ? `${opened.opening}\n` : head, after: open ? `\n${open.mark}` : '' }
  })
}

function fencedCode(block: { readonly start: number; readonly end: number }, markdown: string): FencedCode {
  const text = markdown.slice(block.start, block.end).trimEnd()
  const [all, mark = '', info = ''] = /^\s*(`{3,}|~{3,})([^\n]*)/.exec(text) ?? ['']
  const last = text.lastIndexOf('\n') + 1
  const line = text.slice(last).trim()
  const isClosed = last >= all.length && line.startsWith(mark) && line.replaceAll(mark.charAt(0), '') === ''
  return {
    opening: info.length > maxOpening ? mark : mark + info.trimEnd(),
    mark,
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
