// Converts the nested lists of OpenDocument files to items with levels.
import type { Blocks, Item } from '../html/blocks.ts'
import { childrenOf, textIn, type XmlElement } from '../xml/tree.ts'
import type { OdfWork } from './inline.ts'

interface ListPlace {
  readonly style: string | undefined
  readonly level: number
}

export interface ListWork {
  readonly work: OdfWork
  /** Adds the blocks of an element to `target`. */
  readonly fill: (element: XmlElement, target: Blocks) => void
  readonly blocks: (element: XmlElement) => string
}

/**
 * Creates a function that adds the items of a list and of its nested lists to `target`. `around` is the list around it, with
 * level 0 for none. It also numbers lists that continue after other text.
 */
export function listWriter(kit: ListWork): (element: XmlElement, around: ListPlace, target: Blocks) => void {
  const counts = new Map<string, number>()

  const write = (element: XmlElement, around: ListPlace, target: Blocks): void => {
    const { 'text:style-name': own, 'xml:id': id, 'text:continue-list': other } = element.attributes
    const place = { style: own ?? around.style, level: around.level + 1 }
    const { isOrdered = false, start = 1 } = kit.work.styles.list(place.style, place.level) ?? {}
    const key = `${place.style} ${place.level}`
    const goesOn = element.attributes['text:continue-numbering'] === 'true' || other !== undefined
    let number = (goesOn ? (counts.get(other ?? key) ?? counts.get(key)) : undefined) ?? start - 1
    for (const item of childrenOf(element)) {
      const startValue = Number(item.attributes['text:start-value'] ?? Number.NaN)
      const elements = ownParts(item)
      // Items without a paragraph exist only to contain a nested list.
      if (elements.length > 0) number = Number.isSafeInteger(startValue) ? startValue : number + 1
      writeItem(elements, { level: place.level - 1, isOrdered, number }, target, kit)
      for (const inner of childrenOf(item, 'text:list')) write(inner, place, target)
    }
    counts.set(key, number)
    if (id !== undefined) counts.set(id, number)
  }
  return write
}

function ownParts(item: XmlElement): readonly XmlElement[] {
  return childrenOf(item).filter((child) => child.name !== 'text:list' && textIn(child).trim() !== '')
}

/** Writes an item. Numbered headings, which the file has as list items, become headings. */
function writeItem(
  elements: readonly XmlElement[],
  place: Omit<Item, 'html'>,
  target: Blocks,
  { fill, blocks }: ListWork,
): void {
  if (elements.length === 0) return
  const alone = (part: XmlElement): XmlElement => ({ name: '', attributes: {}, children: [part] })
  if (elements.every(({ name }) => name === 'text:h')) for (const part of elements) fill(alone(part), target)
  else target.item({ ...place, html: unwrapped(elements.map((part) => blocks(alone(part)))) })
}

/** Returns the blocks of an item as one string of HTML. A single paragraph loses its tags, so that items stay close together. */
export function unwrapped(parts: readonly string[]): string {
  const [first, ...others] = parts.filter((part) => part !== '')
  const inner = others.length === 0 ? /^<p>((?:(?!<p>)[^])*)<\/p>$/.exec(first ?? '')?.[1] : undefined
  return inner ?? [first, ...others].join('')
}
