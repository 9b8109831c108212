import { pushCode, type Run } from './run.ts'

// Code within a line.

export function addCode(run: Run, source: string, inCell: boolean): void {
  const content = oneLine(source)
  if (content !== '') pushCode(run, content, inCell ? cellSpan : codeSpan)
}

/** Spaces count in code, line breaks are spaces, and what is only the indentation of the source is none. */
function oneLine(source: string): string {
  if (!source.includes('\n')) return source
  const inner = source.replace(/^\s*\n\s*/, '').trimEnd()
  return inner.includes('\n')
    ? inner
        .split('\n')
        .map((line, i) => (i === 0 ? line.trimEnd() : line.trim()))
        .join(' ')
    : inner
}

/** Code between as many backticks as do not stand in a row inside. */
function codeSpan(content: string): string {
  if (!content.includes('`')) return needsRoom(content) ? `\` ${content} \`` : `\`${content}\``
  const lengths = new Set<number>()
  for (const [run] of content.matchAll(/`+/g)) lengths.add(run.length)
  let length = 1
  while (lengths.has(length)) length++
  const fence = '`'.repeat(length)
  return needsRoom(content) ? `${fence} ${content} ${fence}` : fence + content + fence
}

// Renderers do not agree on what a backslash before an escaped pipe is in code, so such code is HTML.
function cellSpan(content: string): string {
  if (content.includes('\\|')) return `<code>${content.replace(/[&<>*_`[\]\\|~$!]/g, reference)}</code>`
  return codeSpan(content).replace(/\|/g, '\\|')
}

/** Between tags Markdown is read on, so its signs are written as references to characters. */
export function reference(sign: string): string {
  return `&#${sign.charCodeAt(0)};`
}

/** One space on each side is taken away again, if both are there and something else too. */
function needsRoom(content: string): boolean {
  if (content.startsWith('`') || content.endsWith('`')) return true
  return content.startsWith(' ') && content.endsWith(' ') && content.trim() !== ''
}
