// Finds the styles of headings and lists: by outline level and numbering, and by their names in several languages.
import { at, childrenOf, type XmlElement } from '../xml/tree.ts'

export interface Style {
  readonly name: string
  /** 1 to 6, or `undefined`. */
  readonly heading: number | undefined
  readonly numId: string | undefined
  readonly level: number
}

interface RawStyle {
  readonly basedOn: string | undefined
  readonly element: XmlElement
}

const headingName = /^(?:heading|título|titre|überschrift|titolo|kop|nagłówek|заголовок|标题|見出し) ?([1-9])$/i
const maxChain = 20

/**
 * Returns the paragraph styles by id; empty without a styles part. Missing properties are inherited from the style that it is
 * based on.
 */
export function readStyles(root: XmlElement | undefined): ReadonlyMap<string, Style> {
  const raw = new Map<string, RawStyle>()
  for (const element of childrenOf(root, 'w:style')) {
    const id = element.attributes['w:styleId']
    if (id === undefined || element.attributes['w:type'] !== 'paragraph') continue
    raw.set(id, { element, basedOn: at(element, 'w:basedOn').attributes['w:val'] })
  }
  return new Map([...raw.keys()].map((id) => [id, resolve(id, raw)]))
}

function resolve(id: string, raw: ReadonlyMap<string, RawStyle>): Style {
  const chain: XmlElement[] = []
  for (let next: string | undefined = id; next !== undefined && chain.length < maxChain;) {
    const style: RawStyle | undefined = raw.get(next)
    if (!style) break
    chain.push(style.element)
    next = style.basedOn
  }
  const first = <T>(read: (element: XmlElement) => T | undefined): T | undefined => {
    for (const element of chain) {
      const found = read(element)
      if (found !== undefined) return found
    }
    return undefined
  }
  const name = at(chain[0], 'w:name').attributes['w:val'] ?? ''
  return {
    name,
    heading: isTitle(name) ? 1 : first(headingOf),
    numId: first((element) => at(element, 'w:pPr', 'w:numPr', 'w:numId').attributes['w:val']),
    level: Number(first((element) => at(element, 'w:pPr', 'w:numPr', 'w:ilvl').attributes['w:val']) ?? 0),
  }
}

/**
 * Returns the name that styles of headings of this level (1 to 6) get before mammoth reads them, in place of their name in the
 * file.
 */
export function headingStyle(level: number): string {
  return `harvestman-heading-${level}`
}

function isTitle(name: string): boolean {
  return /^(?:title|titel|título|titre|titolo|titolo documento)$/i.test(name)
}

function headingOf(style: XmlElement): number | undefined {
  const named = headingName.exec(at(style, 'w:name').attributes['w:val'] ?? '')?.[1]
  return named === undefined ? outlineLevel(at(style, 'w:pPr')) : Math.min(Number(named), 6)
}

/** Returns the heading level (1 to 6) of a paragraph or style by its outline level, or `undefined` if it is body text. */
export function outlineLevel(properties: XmlElement): number | undefined {
  const value = at(properties, 'w:outlineLvl').attributes['w:val']
  return value !== undefined && /^[0-8]$/.test(value) ? Math.min(Number(value) + 1, 6) : undefined
}
