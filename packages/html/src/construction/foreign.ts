import { current, currentFlags, insert, open, pop, type Builder } from './builder.ts'
import type { StartTag } from './start-tags.ts'
import { BREAKOUT, FOREIGN, foreignFlags, HTML_POINT, MATH, TEXT_POINT, type Tag } from './tag-table.ts'

/** Returns whether the content is SVG or MathML, and not HTML nested in it. */
export function isForeignContent(flags: number): boolean {
  return (flags & FOREIGN) !== 0 && (flags & (HTML_POINT | TEXT_POINT)) === 0
}

function leaveForeign(b: Builder): false {
  while (isForeignContent(currentFlags(b))) pop(b)
  return false
}

function readsAsHtml(b: Builder, name: string): boolean {
  const flags = currentFlags(b)
  if (flags & HTML_POINT) return true
  if (flags & TEXT_POINT) return name !== 'mglyph' && name !== 'malignmark'
  return name === 'svg' && current(b).name === 'annotation-xml'
}

function breaksOut({ tag, attributes = {} }: StartTag): boolean {
  if (tag.flags & BREAKOUT) return true
  return tag.name === 'font' && ('color' in attributes || 'face' in attributes || 'size' in attributes)
}

/**
 * Handles a start tag inside SVG or MathML. Returns false, without inserting anything, if the tag is HTML, after closing SVG
 * or MathML elements around it where needed.
 */
export function startInForeign(b: Builder, start: StartTag): boolean {
  const { tag, attributes, selfClosing } = start
  if (readsAsHtml(b, tag.name)) return false
  if (breaksOut(start)) return leaveForeign(b)
  const flags = foreignFlags(tag.name, (currentFlags(b) & MATH) !== 0, attributes ?? {})
  const foreign: Tag = { ...tag, flags }
  if (selfClosing) insert(b, foreign, attributes)
  else open(b, foreign, attributes)
  return true
}

/**
 * Closes the SVG or MathML element of this name. Returns false if none is open, so that the rules of HTML apply, and for
 * `</p>` and `</br>` after closing all SVG and MathML elements around them.
 */
export function endInForeign(b: Builder, { name }: Tag): boolean {
  if (name === 'p' || name === 'br') return leaveForeign(b)
  for (let index = b.open.length - 1; index > 0 && b.openFlags[index]! & FOREIGN; index--) {
    if (b.open[index]!.name !== name) continue
    while (b.open.length > index) pop(b)
    return true
  }
  return false
}
