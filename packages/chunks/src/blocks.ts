/** A self-contained block of a Markdown document. Together, the blocks of a document cover all of it, in order. */
export interface Block {
  readonly kind: 'heading' | 'paragraph' | 'item' | 'table' | 'code'
  /** Offsets of its first character and of the character after it, with the blank lines that follow it. */
  readonly start: number
  readonly end: number
  /** Level of a heading, 1 to 6. 0 for other blocks. */
  readonly level: number
}

const fence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/
const heading = /^(#{1,6})[ \t]/
const item = /^(?:[-*+]|\d{1,9}[.)])[ \t]/
const htmlTable = /<(\/?)table\b/gi

/** Yields the blocks of a Markdown document, in time proportional to its length. The first one includes blank lines before it. */
export function* blocksOf(markdown: string): Generator<Block> {
  let open: Omit<Block, 'end'> | undefined
  // The line that ends the open fence, and the number of HTML tables that are open.
  let fenceEnd = ''
  let depth = 0
  let isAfterBlank = true
  for (const { start, text } of linesOf(markdown)) {
    const isBlank = text.trim() === ''
    if (fenceEnd === '' && depth === 0 && !isBlank) {
      const kind = kindOf(text)
      if (!open || beginsBlock(kind, open.kind, text, isAfterBlank)) {
        if (open) yield { ...open, end: start }
        open = { kind, start: open ? start : 0, level: heading.exec(text)?.[1]?.length ?? 0 }
      }
    }
    const [, mark = ''] = fence.exec(text) ?? []
    if (fenceEnd !== '') fenceEnd = isEndOf(fenceEnd, text) ? '' : fenceEnd
    else if (mark !== '') fenceEnd = mark
    else depth = Math.max(0, depth + tablesOpened(text))
    isAfterBlank = isBlank
  }
  if (open) yield { ...open, end: markdown.length }
}

function* linesOf(text: string): Generator<{ readonly start: number; readonly text: string }> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    const next = end === -1 ? text.length : end + 1
    yield { start, text: text.slice(start, next) }
    start = next
  }
}

function kindOf(line: string): Block['kind'] {
  if (heading.test(line)) return 'heading'
  if (item.test(line)) return 'item'
  if (/^(?:`{3,}|~{3,})/.test(line)) return 'code'
  return line.startsWith('|') || /^[ \t]*<table\b/i.test(line) ? 'table' : 'paragraph'
}

/** Returns whether a line begins a block, and does not continue the open one. */
function beginsBlock(kind: Block['kind'], open: Block['kind'], line: string, isAfterBlank: boolean): boolean {
  if (kind === 'heading' || kind === 'item' || kind === 'code') return true
  // Indented lines continue an item, also after a blank line, unless they are an HTML table.
  if (open === 'item') return isAfterBlank && (kind === 'table' || !/^[ \t]/.test(line))
  return isAfterBlank || open === 'heading' || kind !== open
}

function isEndOf(opened: string, line: string): boolean {
  const text = line.trim()
  return text.startsWith(opened) && text.replaceAll(opened.charAt(0), '') === ''
}

function tablesOpened(line: string): number {
  if (!line.includes('able')) return 0
  let opened = 0
  for (const [, slash] of line.matchAll(htmlTable)) opened += slash === '' ? 1 : -1
  return opened
}
