// Reads PowerPoint presentations: the slides in order, each with its title, its text and its speaker notes.
import type { Converting } from '../converting.ts'
import { officeFacts, type Converted } from '../facts.ts'
import { heading, makeBlocks, type Blocks } from '../html/blocks.ts'
import { damaged } from '../refuse.ts'
import { resolvePart } from '../relations.ts'
import { escapeText } from '../xml/entities.ts'
import { at, childOf, childrenOf, elementsIn, type XmlElement } from '../xml/tree.ts'
import { openDeck, type Deck } from './deck.ts'
import { inheritanceIn, isTitle, placeOf, type Inherited } from './places.ts'
import { addShapes, type SlideWork } from './shapes.ts'
import { addText, lineOf } from './text.ts'

/**
 * Reads a presentation slide by slide. Hidden, missing and repeated slides are omitted with a warning. Throws
 * `unsupported_file` if it is damaged, and `response_too_large` or `page_too_complex` if it exceeds the limits.
 */
export function readPptx(bytes: Uint8Array, work: Converting): Converted {
  const { warn } = work
  const deck = openDeck(bytes, work)
  const office = deck.relations('').find(({ kind }) => kind === 'officeDocument')
  const main = resolvePart('', office?.target ?? 'ppt/presentation.xml')
  const presentation = deck.part(main)
  if (presentation?.name !== 'p:presentation') throw damaged('it contains no presentation')
  const listed = slideNames(presentation, main, deck)
  const names = [...new Set(listed)]
  const repeated = listed.length - names.length
  if (repeated > 0) warn(`The presentation lists slides again that it listed before; ${repeated} are left out.`)
  const inherited = inheritanceIn(deck)
  const parts: string[] = []
  names.forEach((name, index) => {
    const slide = deck.part(name)
    if (!slide) warn(`Slide ${index + 1} is missing from the file.`)
    else if (slide.attributes['show'] === '0') warn(`Slide ${index + 1} is hidden, so it is left out.`)
    else parts.push(writeSlide(slide, { name, number: index + 1, deck, inherited: inherited(name) }))
  })
  const facts = officeFacts(deck.part('docProps/core.xml'), deck.part('docProps/app.xml'))
  return { html: parts.join(''), facts: { ...facts, numSlides: names.length } }
}

function slideNames(presentation: XmlElement, main: string, deck: Deck): readonly string[] {
  const targets = new Map(deck.relations(main).map(({ id, target }) => [id, resolvePart(main, target)]))
  return childrenOf(at(presentation, 'p:sldIdLst'), 'p:sldId').map(
    ({ attributes }) => targets.get(attributes['r:id'] ?? '') ?? '',
  )
}

interface SlideOfDeck {
  readonly name: string
  readonly number: number
  readonly deck: Deck
  readonly inherited: Inherited
}

function writeSlide(slide: XmlElement, { name, number, deck, inherited }: SlideOfDeck): string {
  const targets = new Map(deck.relations(name).map((relation) => [relation.id, relation]))
  const work: SlideWork = {
    deck,
    name,
    href: (id) => {
      const target = id === undefined ? undefined : targets.get(id)
      return target?.isExternal ? target.target : undefined
    },
    inherited,
  }
  const tree = at(slide, 'p:cSld', 'p:spTree')
  const title = titleOf(tree)
  const blocks = makeBlocks()
  blocks.add(heading(2, escapeText(title === '' ? `Slide ${number}` : title)))
  addShapes(tree, blocks, work)
  addNotes(name, blocks, work)
  return blocks.html()
}

function titleOf(tree: XmlElement): string {
  for (const shape of elementsIn(tree)) {
    if (shape.name !== 'p:sp' || !isTitle(shape)) continue
    const title = lineOf(at(shape, 'p:txBody'))
    if (title !== '') return title
  }
  return ''
}

function addNotes(name: string, blocks: Blocks, work: SlideWork): void {
  const path = work.deck.related(name, 'notesSlide')
  // Notes belong to one slide, but many slides could refer to one part.
  if (path !== undefined && work.deck.shown.has(path)) return
  if (path !== undefined) work.deck.shown.add(path)
  const notes = work.deck.part(path)
  const bodies = childrenOf(at(notes, 'p:cSld', 'p:spTree'), 'p:sp')
    .filter((shape) => placeOf(shape)?.attributes['type'] === 'body')
    .map((shape) => childOf(shape, 'p:txBody'))
    .filter((body) => body !== undefined)
  if (bodies.every((body) => lineOf(body) === '')) return
  blocks.add(heading(3, 'Notes'))
  for (const body of bodies) addText(body, blocks, () => 'none', work)
}
