// Whether the text of a place is a list: said by the layout of the slide, and by the master of the layout.
import { at, childOf, childrenOf, elementsIn, type XmlElement } from '../xml/tree.ts'
import type { Deck } from './deck.ts'
import { bulletOf, type Bullet } from './text.ts'

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

export function inheritance(slide: string, deck: Deck): Inherited {
  const layoutName = deck.related(slide, 'slideLayout')
  const layout = deck.part(layoutName)
  const master = layoutName === undefined ? undefined : deck.part(deck.related(layoutName, 'slideMaster'))
  const known = new Map<string, Bullet>()
  const find = (place: XmlElement, level: number): Bullet => {
    const style = `a:lvl${level + 1}pPr`
    const inLayout = layout && samePlace(layout, place)
    const inMaster = master && samePlace(master, place)
    const said =
      (inLayout && bulletOf(at(inLayout, 'p:txBody', 'a:lstStyle', style))) ??
      (inMaster && bulletOf(at(inMaster, 'p:txBody', 'a:lstStyle', style))) ??
      bulletOf(at(master, 'p:txStyles', 'p:bodyStyle', style))
    return said ?? 'bullet'
  }
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

function samePlace(part: XmlElement, place: XmlElement): XmlElement | undefined {
  const shapes = [...elementsIn(at(part, 'p:cSld', 'p:spTree'))].filter(({ name }) => name === 'p:sp')
  const { idx, type = 'obj' } = place.attributes
  return (
    shapes.find((shape) => idx !== undefined && placeOf(shape)?.attributes['idx'] === idx) ??
    shapes.find((shape) => placeOf(shape)?.attributes['type'] === type)
  )
}
