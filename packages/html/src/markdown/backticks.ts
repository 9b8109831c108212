import { pushCode, type Run } from './run.ts'

// Inline code.

/**
 * Adds inline code to the run, on one line. Nothing is added if it is blank. In a table cell it may be written as HTML.
 */
export function addCode(run: Run, source: string, inCell: boolean): void {
  const content = oneLine(source)
  if (content !== '') pushCode(run, content, inCell ? cellSpan : codeSpan)
}

/** Keeps spaces, turns line breaks into spaces, and removes the source's indentation. */
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

/** Wraps code in a backtick run of a length that does not occur inside. */
function codeSpan(content: string): string {
  if (!content.includes('`')) return needsRoom(content) ? `\` ${content} \`` : `\`${content}\``
  const lengths = new Set<number>()
  for (const [run] of content.matchAll(/`+/g)) lengths.add(run.length)
  let length = 1
  while (lengths.has(length)) length++
  const fence = '`'.repeat(length)
  return needsRoom(content) ? `${fence} ${content} ${fence}` : fence + content + fence
}

// Renderers disagree on a backslash before an escaped pipe in code, so such code is written as HTML.
function cellSpan(content: string): string {
  if (content.includes('\\|')) return `<code>${content.replace(/[&<>*_`[\]\\|~$!]/g, reference)}</code>`
  return codeSpan(content).replace(/\|/g, '\\|')
}

/** Returns a character reference. Text between HTML tags is parsed as Markdown, so special characters need this. */
export function reference(sign: string): string {
  return `&#${sign.charCodeAt(0)};`
}

/**
 * Returns whether code needs a space on each side. Markdown strips one on each side if both are present and the code is
 * not blank.
 */
function needsRoom(content: string): boolean {
  if (content.startsWith('`') || content.endsWith('`')) return true
  return content.startsWith(' ') && content.endsWith(' ') && content.trim() !== ''
}
