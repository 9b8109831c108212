// Determines whether a placeholder contains a list. The layout of the slide or the master of the layout defines it.
import { at, childOf, childrenOf, elementsIn, type XmlElement } from '../xml/tree.ts'
import type { Deck } from './deck.ts'
import { bulletsOf, type Bullet } from './text.ts'

/** Returns the bullet that a paragraph at a level of a placeholder inherits. */
export type Inherited = (place: XmlElement | undefined, level: number) => Bullet

/** Returns the layout placeholder that a shape fills, or `undefined` if it fills none. */
export function placeOf(shape: XmlElement): XmlElement | undefined {
  return childOf(at(childrenOf(shape)[0], 'p:nvPr'), 'p:ph')
}

/** Returns whether the shape fills a title placeholder of the layout. */
export function isTitle(shape: XmlElement): boolean {
  const type = placeOf(shape)?.attributes['type']
  return type === 'title' || type === 'ctrTitle'
}

/** Creates a lookup of the bullets that placeholders of a slide inherit. Slides of the same layout share the results. */
export function inheritanceIn(deck: Deck): (slide: string) => Inherited {
  const known = new Map<string | undefined, Inherited>()
  return (slide) => {
    const layout = deck.related(slide, 'slideLayout')
    const inherited = known.get(layout) ?? inheritedFrom(layout, deck)
    known.set(layout, inherited)
    return inherited
  }
}

function inheritedFrom(layoutName: string | undefined, deck: Deck): Inherited {
  const layout = placesIn(deck.part(layoutName))
  const master = layoutName === undefined ? undefined : deck.part(deck.related(layoutName, 'slideMaster'))
  const inMasterOf = placesIn(master)
  const known = new Map<string, Bullet>()
  const ofMaster = bulletsOf(at(master, 'p:txStyles', 'p:bodyStyle'))
  const ofShapes = new Map<XmlElement, ReturnType<typeof bulletsOf>>()
  const bulletAt = (shape: XmlElement | undefined, level: number): Bullet | undefined => {
    if (!shape) return undefined
    const bullets = ofShapes.get(shape) ?? bulletsOf(at(shape, 'p:txBody', 'a:lstStyle'))
    ofShapes.set(shape, bullets)
    return bullets(level)
  }
  const find = (place: XmlElement, level: number): Bullet =>
    bulletAt(layout(place), level) ?? bulletAt(inMasterOf(place), level) ?? ofMaster(level) ?? 'bullet'
  return (place, level) => {
    if (!place || !isBody(place)) return 'none'
    // Cached, because a layout may have very many placeholders, and a slide very many paragraphs.
    const key = `${level} ${place.attributes['type']} ${place.attributes['idx']}`
    const bullet = known.get(key) ?? find(place, level)
    known.set(key, bullet)
    return bullet
  }
}

/** Returns whether the placeholder contains a list by default. */
function isBody({ attributes }: XmlElement): boolean {
  const type = attributes['type']
  return type === undefined || type === 'body' || type === 'obj'
}

/** Indexes the placeholders of a layout or a master, because there may be very many, and very many lookups. */
function placesIn(part: XmlElement | undefined): (place: XmlElement) => XmlElement | undefined {
  const byNumber = new Map<string, XmlElement>()
  const byType = new Map<string, XmlElement>()
  const keep = (index: Map<string, XmlElement>, key: string | undefined, shape: XmlElement): void => {
    if (key !== undefined && !index.has(key)) index.set(key, shape)
  }
  for (const shape of part ? elementsIn(at(part, 'p:cSld', 'p:spTree')) : []) {
    if (shape.name !== 'p:sp') continue
    const place = placeOf(shape)?.attributes
    keep(byNumber, place?.['idx'], shape)
    keep(byType, place?.['type'], shape)
  }
  return ({ attributes: { idx, type = 'obj' } }) =>
    (idx === undefined ? undefined : byNumber.get(idx)) ?? byType.get(type)
}
