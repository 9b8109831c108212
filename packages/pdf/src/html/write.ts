import type { Block, Cell, ItemBlock, Row, Run } from '../types.ts'

/** Writes blocks as HTML, from which all formats are derived. */
export function writeHtml(blocks: readonly Block[]): string {
  const parts: string[] = []
  let list: ItemBlock[] = []
  const endList = (): void => {
    if (list.length > 0) parts.push(writeList(list))
    list = []
  }
  for (const block of blocks) {
    if (block.kind === 'item') {
      // A numbered and a bulleted list at the same depth are two lists.
      const other = list.findLast(({ depth }) => depth <= block.depth)
      if (
        other &&
        other.depth === block.depth &&
        (other.number === undefined) !== (block.number === undefined) &&
        block.depth === list[0]?.depth
      )
        endList()
      list.push(block)
      continue
    }
    endList()
    parts.push(writeBlock(block))
  }
  endList()
  return parts.join('\n')
}

function writeBlock(block: Exclude<Block, ItemBlock>): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${writeRuns(withoutBold(block.runs))}</h${block.level}>`
    case 'code':
      return `<pre><code>${escape(block.text)}</code></pre>`
    case 'table':
      return `<table>${block.rows.map(writeRow).join('')}</table>`
    case 'formula':
    case 'text':
      return `<p>${writeRuns(block.runs)}</p>`
  }
}

/** Removes bold and italics, which are redundant in a heading. */
function withoutBold(runs: readonly Run[]): Run[] {
  return runs.map((run) => ({ ...run, bold: false, italic: false }))
}

function writeList(items: readonly ItemBlock[]): string {
  const first = items[0]
  if (!first) return ''
  const depth = Math.min(...items.map((item) => item.depth))
  const groups: ItemBlock[][] = []
  for (const item of fromOneDepth(items, depth)) {
    const group = groups.at(-1)
    if (group && item.depth > depth) group.push(item)
    else groups.push([item])
  }
  const tag = first.number === undefined ? 'ul' : 'ol'
  const start = first.number !== undefined && first.number !== 1 ? ` start="${first.number}"` : ''
  const written = groups.map(([head, ...inner]) => {
    if (!head) return ''
    return `<li>${writeRuns(head.runs)}${writeList(inner)}</li>`
  })
  return `<${tag}${start}>${written.join('')}</${tag}>`
}

/** Moves items at the start up to `depth` if they are deeper, because they have no parent item. */
function fromOneDepth(items: readonly ItemBlock[], depth: number): readonly ItemBlock[] {
  const start = items.findIndex((item) => item.depth === depth)
  if (start <= 0) return items
  const step = Math.min(...items.slice(0, start).map((item) => item.depth)) - depth
  return items.map((item, index) => (index < start ? { ...item, depth: item.depth - step } : item))
}

function writeRow({ cells, isHead }: Row): string {
  return `<tr>${cells.map((cell) => writeCell(cell, isHead ? 'th' : 'td')).join('')}</tr>`
}

function writeCell({ runs, colspan, rowspan }: Cell, tag: 'th' | 'td'): string {
  const across = colspan > 1 ? ` colspan="${colspan}"` : ''
  const down = rowspan > 1 ? ` rowspan="${rowspan}"` : ''
  const text = writeRuns(tag === 'th' ? withoutBold(runs) : runs)
  return `<${tag}${across}${down}>${text}</${tag}>`
}

/** Writes runs. Bold and italics count as emphasis only if they do not apply to the whole text. */
function writeRuns(runs: readonly Run[]): string {
  const visible = runs.filter(({ text }) => text.trim() !== '')
  const isAllBold = visible.every(({ bold }) => bold) && visible.length > 1
  const isAllItalic = visible.every(({ italic }) => italic) && visible.length > 1
  return grouped(runs.map((run) => ({ ...run, bold: run.bold && !isAllBold, italic: run.italic && !isAllItalic })))
}

/** Groups runs with the same link into one link. */
function grouped(runs: readonly Run[]): string {
  let html = ''
  for (let at = 0; at < runs.length;) {
    const link = runs[at]?.link
    let end = at + 1
    while (end < runs.length && runs[end]?.link === link) end += 1
    const text = runs.slice(at, end).map(writeRun).join('')
    const trailing = link === undefined ? '' : (/\s+$/.exec(text)?.[0] ?? '')
    html += link === undefined ? text : `<a href="${escape(link)}">${text.trimEnd()}</a>${trailing}`
    at = end
  }
  return html
}

// Some applications set straight quotes in a monospaced font.
const quotes = /^["'`\u00b4\u2018-\u201f]+$/u

function writeRun({ text, bold, italic, mono, raised }: Run): string {
  const inner = text.trim()
  // Punctuation is set in any font without being emphasized.
  if (inner === '') return text
  const stress = /[\p{L}\p{N}]/u.test(inner)
  let html = escape(inner)
  if (mono && !raised && !quotes.test(inner)) html = `<code>${html}</code>`
  if (italic && stress && !mono) html = `<em>${html}</em>`
  if (bold && stress) html = `<strong>${html}</strong>`
  if (raised) html = `<${raised}>${html}</${raised}>`
  const start = text.length - text.trimStart().length
  return text.slice(0, start) + html + text.slice(start + inner.length)
}

function escape(text: string): string {
  return text
    .replaceAll('\u00ad', '')
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
