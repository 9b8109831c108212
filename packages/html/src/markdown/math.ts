import type { Element } from '../tree/tree.ts'
import { writePart } from './parts.ts'
import { findMatching, shownText } from './look.ts'
import { texOf } from './mathml.ts'
import { pushRaw } from './run.ts'
import { beginBlock, flush, type ElementWriter, type Sheet } from './sheet.ts'

// Writes formulas as TeX between dollar signs, from the various formats that pages use.

/**
 * Writes a `math` element as TeX, from its annotation or else from its MathML. Without either, its text is the formula.
 */
export const writeMath: ElementWriter = (sheet, math) => {
  const annotation = findMatching(math, ({ name, attributes }) => name === 'annotation' && isTex(attributes.encoding))
  const source = (annotation && shownText(annotation)) ?? math.attributes.alttext ?? (texOf(math) || shownText(math))
  addFormula(sheet, source, isDisplayed(math))
}

function isTex(encoding: string | undefined): boolean {
  return encoding === 'application/x-tex' || encoding === 'TeX' || encoding === 'LaTeX'
}

/** Writes a formula from a `math/tex` script, in which MathJax 2 stores its source. Other scripts are omitted. */
export const writeScript: ElementWriter = (sheet, script) => {
  const { type } = script.attributes
  if (type?.startsWith('math/tex') && script.first?.type === 'text') {
    addFormula(sheet, script.first.text, type.includes('mode=display'))
  }
}

/**
 * Writes a formula of MathJax 3 or 4, which renders glyphs: its source is in an attribute or in MathML next to them.
 * Without either, nothing is written.
 */
export const writeMathContainer: ElementWriter = (sheet, container) => {
  const { display } = container.attributes
  const latex = findMatching(container, ({ attributes }) => attributes['data-latex'] !== undefined)
  const source = container.attributes['data-latex'] ?? latex?.attributes['data-latex']
  if (source !== undefined) return addFormula(sheet, source, display === 'true')
  const math = findMatching(container, ({ name }) => name === 'math')
  if (math) addFormula(sheet, texOf(math), display === 'true')
}

const displays: ReadonlySet<string> = new Set([
  'katex-display',
  'mwe-math-element-block',
  'MathJax_Display',
  'math display',
])

function isDisplayed(math: Element): boolean {
  if (math.attributes.display === 'block') return true
  let around = math.parent
  for (let i = 0; i < 4 && around; i++) {
    if (around.attributes.class !== undefined && displays.has(around.attributes.class)) return true
    around = around.parent
  }
  return false
}

/** Adds a formula. A display formula becomes its own block where blocks are possible. */
function addFormula(sheet: Sheet, source: string, isDisplay: boolean): void {
  const tex = written(source, sheet.room === 'cell')
  if (tex === '') return
  if (!isDisplay || sheet.room !== 'flow') {
    pushRaw(sheet.run, `$${tex}$`)
    return
  }
  flush(sheet)
  beginBlock(sheet, 'html')
  sheet.out.push(`$$${tex}$$`)
}

// Removes comments and puts the formula on one line, as further lines could start a list or a heading.
function written(source: string, inCell: boolean): string {
  let tex = source
    .replace(/(?<!\\)%[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const wrapped = /^\{\\displaystyle (.*)\}$/.exec(tex)
  if (wrapped?.[1] !== undefined && isOneGroup(tex)) tex = wrapped[1].trim()
  tex = tex.replace(/(?<!\\)\$/g, '\\$')
  return inCell ? tex.replace(/\\?\|/g, (bar) => (bar === '|' ? '\\vert ' : '\\Vert ')) : tex
}

/** Returns whether the opening brace at the start closes at the very end. */
function isOneGroup(tex: string): boolean {
  let depth = 0
  for (let i = 0; i < tex.length; i++) {
    const code = tex.charCodeAt(i)
    if (code === 92) i++
    else if (code === 123) depth++
    else if (code === 125 && --depth === 0) return i === tex.length - 1
  }
  return false
}

/** Classes of rendered output next to the formula's source. */
const drawn: ReadonlySet<string> = new Set([
  'katex-html',
  'MathJax',
  'MathJax_Preview',
  'MathJax_Display',
  'MathJax_SVG',
  'MathJax_SVG_Display',
  'MathJax_CHTML',
  'mjx-chtml',
])

/** Wraps the writer of spans or divs, to handle those with formulas. `write` handles all others. */
export function aroundFormulas(write: ElementWriter): ElementWriter {
  return (sheet, element) => {
    const { class: classes } = element.attributes
    if (classes === undefined) return write(sheet, element)
    if (drawn.has(classes)) return
    if (classes.startsWith('math ') || classes === 'math' || classes === 'arithmatex') {
      if (writeDelimited(sheet, element)) return
    }
    write(sheet, element)
  }
}

/** Writes `\(…\)` or `\[…\]` in an element whose class marks it as math. */
function writeDelimited(sheet: Sheet, element: Element): boolean {
  if (element.first?.type !== 'text' || element.first.next) return false
  const text = element.first.text.trim()
  const isInline = text.startsWith('\\(') && text.endsWith('\\)')
  const isDisplay = text.startsWith('\\[') && text.endsWith('\\]')
  if (text.length < 5 || (!isInline && !isDisplay)) return false
  addFormula(sheet, text.slice(2, -2), isDisplay)
  return true
}

export const writeSpan: ElementWriter = aroundFormulas(writePart)
