// Writes the paragraphs of shapes, which have levels and may be bullets.
import { link, marked, type Blocks, type Marks } from '../html/blocks.ts'
import { formulaHtml } from '../html/formula.ts'
import { formulasOf, isDisplayed, texOf } from '../docx/math.ts'
import { escapeText } from '../xml/entities.ts'
import { at, childOf, childrenOf, findAll, textIn, type XmlElement } from '../xml/tree.ts'

export interface TextWork {
  /** Returns the target of a link of the slide. */
  readonly href: (id: string | undefined) => string | undefined
}

export type Bullet = 'none' | 'bullet' | 'number'

/**
 * Adds the paragraphs of a shape. A paragraph is a bullet by its own properties, or by the inherited ones of its placeholder.
 */
export function addText(body: XmlElement, blocks: Blocks, inherited: (level: number) => Bullet, work: TextWork): void {
  const styled = bulletsOf(at(body, 'a:lstStyle'))
  for (const paragraph of childrenOf(body, 'a:p')) {
    const html = runs(paragraph, work)
    if (html.trim() === '') continue
    const properties = at(paragraph, 'a:pPr')
    const level = levelOf(properties)
    const bullet = bulletOf(properties) ?? styled(level) ?? inherited(level)
    if (bullet === 'none') blocks.add(`<p>${html}</p>`)
    else blocks.item({ level, isOrdered: bullet === 'number', html, ...startOf(properties) })
  }
}

function levelOf({ attributes }: XmlElement): number {
  const level = Number(attributes['lvl'] ?? 0)
  return Number.isInteger(level) && level >= 0 && level < 9 ? level : 0
}

/**
 * Returns a function for the bullets of a list style by level, from 0; `undefined` for a level that it does not define. Its
 * elements are indexed once, because there may be very many, and very many lookups.
 */
export function bulletsOf(listStyle: XmlElement): (level: number) => Bullet | undefined {
  const byName = new Map<string, Bullet | undefined>()
  for (const child of childrenOf(listStyle)) if (!byName.has(child.name)) byName.set(child.name, bulletOf(child))
  return (level) => byName.get(`a:lvl${level + 1}pPr`)
}

function bulletOf(properties: XmlElement): Bullet | undefined {
  if (childOf(properties, 'a:buNone')) return 'none'
  if (childOf(properties, 'a:buAutoNum')) return 'number'
  return childOf(properties, 'a:buChar') || childOf(properties, 'a:buBlip') ? 'bullet' : undefined
}

function startOf(properties: XmlElement): { number?: number } {
  const start = Number(at(properties, 'a:buAutoNum').attributes['startAt'] ?? Number.NaN)
  return Number.isSafeInteger(start) ? { number: start } : {}
}

/** Returns the paragraphs of a shape as one line, for titles. */
export function lineOf(body: XmlElement): string {
  const lines = childrenOf(body, 'a:p').map((paragraph) =>
    childrenOf(paragraph)
      .map((child) => (child.name === 'a:br' ? ' ' : textIn(childOf(child, 'a:t'))))
      .join(''),
  )
  return lines.join(' ').replaceAll(/\s+/g, ' ').trim()
}

/** Returns the text runs, line breaks and formulas of a paragraph as HTML. */
export function runs(paragraph: XmlElement, work: TextWork): string {
  return childrenOf(paragraph)
    .map((child) => {
      if (child.name === 'a:br') return '<br>'
      if (child.name === 'a:r' || child.name === 'a:fld') return run(child, work)
      return child.name === 'mc:AlternateContent' || child.name === 'a14:m' ? formulas(child) : ''
    })
    .join('')
}

function run(element: XmlElement, work: TextWork): string {
  const properties = at(element, 'a:rPr')
  const html = marked(escapeText(textIn(childOf(element, 'a:t'))), marksOf(properties))
  return link(work.href(at(properties, 'a:hlinkClick').attributes['r:id']), html)
}

function marksOf({ attributes }: XmlElement): Marks {
  const raise = Number(attributes['baseline'] ?? 0)
  return {
    bold: isOn(attributes['b']),
    italic: isOn(attributes['i']),
    strike: (attributes['strike'] ?? 'noStrike') !== 'noStrike',
    raised: raise > 0,
    lowered: raise < 0,
  }
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

function formulas(element: XmlElement): string {
  const choice = childOf(element, 'mc:Choice') ?? element
  const [displayed] = findAll(choice, 'm:oMathPara')
  const all = displayed ? [displayed] : findAll(choice, 'm:oMath')
  return all
    .map((math) =>
      formulasOf(math)
        .map((one) => formulaHtml(texOf(one), isDisplayed(math)))
        .join(''),
    )
    .join('')
}
