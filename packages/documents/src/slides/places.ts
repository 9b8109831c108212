// Whether the text of a place is a list: said by the layout of the slide, and by the master of the layout.
import { at, childOf, childrenOf, elementsIn, type XmlElement } from '../xml/tree.ts'
import type { Deck } from './deck.ts'
import { bulletsOf, type Bullet } from './text.ts'

/** What a paragraph at a level of a place is, when it does not say so itself. */
export type Inherited = (place: XmlElement | undefined, level: number) => Bullet

/** The place of the layout that a shape fills. */
export function placeOf(shape: XmlElement): XmlElement | undefined {
  return childOf(at(childrenOf(shape)[0], 'p:nvPr'), 'p:ph')
}

export function isTitle(shape: XmlElement): boolean {
  const type = placeOf(shape)?.attributes['type']
  return type === 'title' || type === 'ctrTitle'
}

/** Makes the function that finds what the places of a slide inherit. Slides of one layout share what was found. */
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
  const said = (shape: XmlElement | undefined, level: number): Bullet | undefined => {
    if (!shape) return undefined
    const bullets = ofShapes.get(shape) ?? bulletsOf(at(shape, 'p:txBody', 'a:lstStyle'))
    ofShapes.set(shape, bullets)
    return bullets(level)
  }
  const find = (place: XmlElement, level: number): Bullet =>
    said(layout(place), level) ?? said(inMasterOf(place), level) ?? ofMaster(level) ?? 'bullet'
  return (place, level) => {
    if (!place || !isBody(place)) return 'none'
    // A layout may have very many places, and a slide very many paragraphs.
    const key = `${level} ${place.attributes['type']} ${place.attributes['idx']}`
    const bullet = known.get(key) ?? find(place, level)
    known.set(key, bullet)
    return bullet
  }
}

/** Places that are lists unless something says otherwise. */
function isBody({ attributes }: XmlElement): boolean {
  const type = attributes['type']
  return type === undefined || type === 'body' || type === 'obj'
}

/** Indexes the places of a layout or a master: it may have very many, and so may its slides. */
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
