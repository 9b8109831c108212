// Converts TeX source to HTML.
import { formulaHtml } from '../html/formula.ts'
import { heading, link, paragraph, table } from '../html/blocks.ts'
import { refuse } from '../refuse.ts'
import { escapeText } from '../xml/entities.ts'
import {
  afterComment,
  argumentAt,
  commandAt,
  delimitedAt,
  environmentAt,
  groupAt,
  optionAt,
  urlAt,
  withoutComments,
  type Part,
} from './scan.ts'
import { accents, formulas, headings, lists, marks, quotes, silent, symbols, tabulars, verbatim } from './tables.ts'

export interface TexWork {
  /** Counts a paragraph. Returns `false` at the limit. */
  readonly take: () => boolean
  readonly note: (html: string) => string
  /** Number of levels by which headings are lower, because the document has chapters. */
  readonly shift: number
  readonly depth: number
}

const maxDepth = 100

function deeper(work: TexWork): TexWork {
  if (work.depth >= maxDepth)
    throw refuse('too-complex', `The file nests deeper than ${maxDepth} groups, so it is not read.`)
  return { ...work, depth: work.depth + 1 }
}

/** Collects blocks, and the text of the paragraph between them. */
interface Output {
  text(html: string): void
  block(html: string): void
  html(): string
}

function makeOutput(take: () => boolean): Output {
  const blocks: string[] = []
  let line: string[] = []
  let isFull = false
  const endParagraph = (): void => {
    const html = line.join('').trim()
    line = []
    if (html === '' || isFull) return
    isFull = !take()
    if (!isFull) blocks.push(paragraph(html))
  }
  return {
    text: (html) => void line.push(html),
    block: (html) => {
      endParagraph()
      if (!isFull) blocks.push(html)
    },
    html: () => {
      endParagraph()
      return blocks.join('')
    },
  }
}

/** Converts source with paragraphs. */
export function blocksHtml(source: string, outer: TexWork): string {
  const work = deeper(outer)
  const out = makeOutput(work.take)
  readSource(source, work, out)
  return out.html()
}

/** Converts source inside of a paragraph. Blocks in it become text. */
export function inlineHtml(source: string, outer: TexWork): string {
  const work = deeper(outer)
  const parts: string[] = []
  readSource(source, work, {
    text: (html) => void parts.push(html),
    block: (html) => void parts.push(html === '' ? ' ' : html),
    html: () => '',
  })
  return parts.join('').trim()
}

/** Returns source as text without formatting. */
export function plainOf(source: string, work: TexWork): string {
  const html = inlineHtml(source, { ...work, note: () => '' })
  return html
    .replaceAll(/<br>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

const plainText = /[^\\${}%~\n`'-]+/y

function readSource(source: string, work: TexWork, out: Output): void {
  let at = 0
  while (at < source.length) {
    plainText.lastIndex = at
    const plain = plainText.exec(source)?.[0]
    if (plain !== undefined) {
      out.text(escapeText(plain))
      at += plain.length
    } else at = readSpecial(source, at, work, out)
  }
}

function readSpecial(source: string, at: number, work: TexWork, out: Output): number {
  const character = source[at]
  if (character === '\\') return readCommand(source, at, work, out)
  if (character === '$') return readDollar(source, at, out)
  if (character === '%') return afterComment(source, at)
  if (character === '{') {
    const group = groupAt(source, at)
    readSource(group.text, deeper(work), out)
    return group.end
  }
  if (character === '\n') return readLineEnd(source, at, out)
  return readPunctuation(source, at, out)
}

function readLineEnd(source: string, at: number, out: Output): number {
  let end = at
  let lines = 0
  while (/[ \t\n]/.test(source[end] ?? '')) {
    if (source[end] === '\n') lines += 1
    end += 1
  }
  if (lines > 1) out.block('')
  else out.text(' ')
  return end
}

const punctuation: readonly (readonly [source: string, text: string])[] = [
  ['---', '—'],
  ['--', '–'],
  ['``', '“'],
  ["''", '”'],
  ['`', '‘'],
  ["'", '’'],
  ['~', '\u00a0'],
  ['-', '-'],
]

function readPunctuation(source: string, at: number, out: Output): number {
  const found = punctuation.find(([from]) => source.startsWith(from, at))
  out.text(found?.[1] ?? '')
  return at + (found?.[0].length ?? 1)
}

function readDollar(source: string, at: number, out: Output): number {
  const mark = source.startsWith('$$', at) ? '$$' : '$'
  let end = at + mark.length
  while (end < source.length && !source.startsWith(mark, end)) end += source[end] === '\\' ? 2 : 1
  addFormula(out, source.slice(at + mark.length, end), mark === '$$')
  return Math.min(end + mark.length, source.length)
}

function addFormula(out: Output, source: string, isBlock: boolean): void {
  const tex = withoutComments(source)
    .replaceAll(/\\label\{[^{}]*\}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (tex === '') return
  if (isBlock) out.block(formulaHtml(tex, true))
  else out.text(formulaHtml(tex, false))
}

function readCommand(source: string, at: number, work: TexWork, out: Output): number {
  const { text: starred, end } = commandAt(source, at)
  const name = starred.replace(/(?<=.)\*$/, '')
  if (name === '(' || name === '[') return readDelimited(source, end, name, out)
  if (name === 'begin') return readEnvironment(source, end, work, out)
  if (name === '\\' || name === 'newline') {
    out.text('<br>')
    return optionAt(source, end)?.end ?? end
  }
  if (Object.hasOwn(headings, name)) return readHeading(source, end, name, work, out)
  if (Object.hasOwn(marks, name)) return readMark(source, end, marks[name] ?? 'span', work, out)
  const isLetter = /^[a-zA-Z]/.test(name)
  if (Object.hasOwn(accents, name) && (!isLetter || source[end] === '{' || /^\s/.test(source[end] ?? ''))) {
    const letter = argumentAt(source, end)
    out.text(escapeText(`${letter.text.replace(/^\\([ij])$/, '$1')}${accents[name]}`.normalize('NFC')))
    return letter.end
  }
  if (Object.hasOwn(symbols, name)) {
    out.text(escapeText(symbols[name] ?? ''))
    return isLetter ? afterSpace(source, end) : end
  }
  if (Object.hasOwn(silent, name)) return skipArguments(source, end, silent[name] ?? 0)
  return readOther(source, end, name, work, out)
}

/** Skips the white space that ends a command, or an empty group in its place. */
function afterSpace(source: string, at: number): number {
  if (source.startsWith('{}', at)) return at + 2
  return source[at] === ' ' ? at + 1 : at
}

function skipArguments(source: string, start: number, count: number): number {
  let end = optionAt(source, start)?.end ?? start
  for (let index = 0; index < count; index += 1) {
    end = argumentAt(source, end).end
    end = optionAt(source, end)?.end ?? end
  }
  return end
}

function readDelimited(source: string, start: number, open: string, out: Output): number {
  const closing = open === '(' ? '\\)' : '\\]'
  const found = source.indexOf(closing, start)
  const end = found < 0 ? source.length : found
  addFormula(out, source.slice(start, end), open === '[')
  return Math.min(end + 2, source.length)
}

function readHeading(source: string, start: number, name: string, work: TexWork, out: Output): number {
  const { text, end } = argumentAt(source, optionAt(source, start)?.end ?? start)
  const level = (headings[name] ?? 1) + (name === 'part' ? 0 : work.shift)
  out.block(heading(level, inlineHtml(text, work)))
  return end
}

function readMark(source: string, start: number, tag: string, work: TexWork, out: Output): number {
  const { text, end } = argumentAt(source, start)
  const html = inlineHtml(text, work)
  if (html !== '') out.text(`<${tag}>${html}</${tag}>`)
  return end
}

type Read = (source: string, start: number, work: TexWork, out: Output) => number

/** Commands with an output of their own. */
const others: Readonly<Record<string, Read>> = {
  href: (source, start, work, out) => {
    const target = urlAt(source, start)
    const text = argumentAt(source, target.end)
    out.text(link(target.text.replaceAll(/\\([%#&_~])/g, '$1'), inlineHtml(text.text, work)))
    return text.end
  },
  url: (source, start, _work, out) => {
    const { text, end } = urlAt(source, start)
    out.text(link(text, escapeText(text)))
    return end
  },
  footnote: (source, start, work, out) => {
    const { text, end } = argumentAt(source, optionAt(source, start)?.end ?? start)
    out.text(work.note(inlineHtml(text, { ...work, note: () => '' })))
    return end
  },
  caption: (source, start, work, out) => {
    const { text, end } = argumentAt(source, optionAt(source, start)?.end ?? start)
    out.block(paragraph(`<em>${inlineHtml(text, work)}</em>`))
    return end
  },
  verb: (source, start, _work, out) => {
    const { text, end } = delimitedAt(source, start)
    out.text(`<code>${escapeText(text)}</code>`)
    return end
  },
  par: (_source, start, _work, out) => {
    out.block('')
    return start
  },
}

const citation = /^(?:[cC]ite[a-z]*|[aA]utocite|textcite|parencite|ref|eqref|autoref|cref|Cref|pageref)$/

function readOther(source: string, start: number, name: string, work: TexWork, out: Output): number {
  const read = Object.hasOwn(others, name) ? others[name] : undefined
  if (read) return read(source, start, work, out)
  let end = start
  for (let option = optionAt(source, end); option; option = optionAt(source, end)) end = option.end
  if (citation.test(name)) {
    const { text, end: after } = argumentAt(source, end)
    out.text(escapeText(`[${text}]`))
    return after
  }
  // The arguments of an unknown command are text.
  return afterSpace(source, end)
}

function readEnvironment(source: string, start: number, work: TexWork, out: Output): number {
  const name = argumentAt(source, start)
  const plain = name.text.replace(/\*$/, '')
  const option = optionAt(source, name.end)
  const body = environmentAt(source, name.text, option?.end ?? name.end)
  if (verbatim.has(name.text)) out.block(codeHtml(name.text, body.text))
  else if (Object.hasOwn(formulas, plain)) addFormula(out, formulaOf(plain, body.text), plain !== 'math')
  else if (quotes.has(plain)) out.block(`<blockquote>${blocksHtml(body.text, work)}</blockquote>`)
  else if (lists.has(plain) || plain === 'thebibliography') out.block(listHtml(plain, body.text, work))
  else if (tabulars.has(name.text)) out.block(tableHtml(name.text, body.text, work))
  else if (plain === 'abstract') out.block(heading(2, 'Abstract') + blocksHtml(body.text, work))
  else if (plain !== 'comment') out.block(blocksHtml(withoutArguments(plain, body.text), work))
  return body.end
}

/** Removes the arguments of the environment, such as the width of a column. */
function withoutArguments(name: string, body: string): string {
  return name === 'minipage' || name === 'wrapfigure' || name === 'multicols'
    ? body.slice(skipArguments(body, 0, 1))
    : body
}

function codeHtml(name: string, body: string): string {
  const code = name === 'minted' ? body.slice(argumentAt(body, 0).end) : body
  return `<pre><code>${escapeText(code.replace(/^[ \t]*\n/, '').trimEnd())}</code></pre>`
}

function formulaOf(name: string, body: string): string {
  if (!formulas[name]) return body
  const content = name === 'alignat' ? body.slice(argumentAt(body, 0).end) : body
  const inner = name === 'gather' || name === 'multline' ? 'gathered' : 'aligned'
  return `\\begin{${inner}}${content}\\end{${inner}}`
}

/** Splits source at a mark outside of groups and environments. */
function splitAt(source: string, mark: RegExp): string[] {
  const parts: string[] = []
  let start = 0
  let at = 0
  while (at < source.length) {
    mark.lastIndex = at
    const found = mark.exec(source)?.[0]
    if (found !== undefined && found !== '') {
      parts.push(source.slice(start, at))
      at += found.length
      start = at
    } else at = afterPart(source, at)
  }
  return [...parts, source.slice(start)]
}

function afterPart(source: string, at: number): number {
  if (source[at] === '{') return groupAt(source, at).end
  if (source[at] === '%') return afterComment(source, at)
  if (source[at] !== '\\') return at + 1
  const command = commandAt(source, at)
  if (command.text !== 'begin') return command.end
  const name = argumentAt(source, command.end)
  return environmentAt(source, name.text, name.end).end
}

function listHtml(name: string, body: string, work: TexWork): string {
  const [, ...items] = splitAt(body, /\\(?:bib)?item(?![a-zA-Z])/y)
  const tag = name === 'enumerate' ? 'ol' : 'ul'
  const html = items.map((item) => {
    const option = optionAt(item, 0)
    const key: Part | undefined = name === 'thebibliography' ? argumentAt(item, option?.end ?? 0) : undefined
    const label = key?.text ?? option?.text ?? ''
    const marked = label === '' ? '' : `<strong>${inlineHtml(label, work)}</strong> `
    return `<li>${marked}${withoutLoneParagraph(blocksHtml(item.slice(key?.end ?? option?.end ?? 0), work))}</li>`
  })
  return html.length === 0 ? '' : `<${tag}>${html.join('')}</${tag}>`
}

function withoutLoneParagraph(html: string): string {
  return /^<p>((?:(?!<p>)[^])*?)<\/p>((?:<[uo]l>[^]*)?)$/.exec(html)?.slice(1).join('') ?? html
}

const ruler = /\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)(?![a-zA-Z])/g

function tableHtml(name: string, body: string, work: TexWork): string {
  const sized = name === 'tabular*' || name === 'tabularx' || name === 'tabulary'
  const content = body.slice(skipArguments(body, 0, sized ? 2 : 1))
  const rows = splitAt(content, /\\\\(?:\[[^\]\n]{0,100}\])?|\\tabularnewline(?![a-zA-Z])/y)
    .map((row) => row.replaceAll(ruler, ''))
    .filter((row) => row.trim() !== '')
    .map((row) => splitAt(row, /&/y).map((cell) => cellOf(cell, work)))
  return table(
    rows.filter((row) => row.some(({ html }) => html !== '')),
    1,
  )
}

function cellOf(source: string, work: TexWork): { html: string; columns?: number } {
  const trimmed = source.trim()
  const found = /^\\multicolumn\{(\d{1,3})\}/.exec(trimmed)
  if (!found) return { html: inlineHtml(trimmed, work) }
  const format = argumentAt(trimmed, found[0].length)
  return { html: inlineHtml(argumentAt(trimmed, format.end).text, work), columns: Number(found[1]) }
}
