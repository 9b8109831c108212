import type { Element, Node } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'
import { shownText, type LeftOut } from './look.ts'

// Footnotes have many forms of markup, but all have a short link to a note and a link back. Such pairs become `[^1]`
// and `[^1]: …`.

/** The footnotes of a page. */
export interface Footnotes {
  /** Labels by note element. */
  readonly labels: ReadonlyMap<Node, string>
  /** Labels by link to the note. */
  readonly references: ReadonlyMap<Node, string>
  /** Links back to the reference, each with wrappers that contain nothing else. */
  readonly backlinks: ReadonlySet<Node>
}

const none: Footnotes = { labels: new Map(), references: new Map(), backlinks: new Set() }

/**
 * Returns whether the link may lead to a footnote: to a fragment, with a short text such as `[1]` or `*`. Only then is the page
 * searched for footnotes.
 */
export function mayRefer(link: Element, href: string): boolean {
  return href.startsWith('#') && href.length > 1 && isMark(shownText(link))
}

function isMark(text: string): boolean {
  return text.length < 12 && /^\s*[[(]?\s*(?:[a-z]{1,3}|(?:note\s)?\d{1,4}|[*†‡§]{1,3})\s*[\])]?\s*$/iu.test(text)
}

/** A page, and its footnotes once they have been searched for. */
interface Annotated {
  readonly root: Element
  readonly leftOut: LeftOut
  footnotes: Footnotes | undefined
}

/** Returns the footnotes of the page, which is searched on the first call only. */
export function footnotesOf(page: Annotated): Footnotes {
  page.footnotes ??= find(page.root, page.leftOut)
  return page.footnotes
}

interface Link {
  readonly element: Element
  readonly target: string
}

function find(root: Element, leftOut: LeftOut): Footnotes {
  const links: Link[] = []
  const places = new Map<string, Element>()
  let node: Node | null = root
  while (node) {
    const isLeft = leftOut.has(node)
    if (!isLeft && node.type === 'element') {
      const { id, name, href } = node.attributes
      const own = id ?? (node.name === 'a' ? name : undefined)
      if (own !== undefined && !places.has(own)) places.set(own, node)
      if (href?.startsWith('#') && node.name === 'a') links.push({ element: node, target: decoded(href.slice(1)) })
    }
    node = nextNode(node, root, isLeft)
  }
  return links.length < 2 ? none : pair(links, places)
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

function pair(links: readonly Link[], places: ReadonlyMap<string, Element>): Footnotes {
  const backs = new Map<Element, Link[]>()
  for (const link of links) {
    const note = noteAround(link.element)
    if (note) backs.set(note, [...(backs.get(note) ?? []).slice(0, 30), link])
  }
  const labels = new Map<Node, string>()
  const references = new Map<Node, string>()
  const backlinks = new Set<Node>()
  const used = new Set<string>()
  for (const { element, target } of links) {
    const note = places.get(target)
    const box = note && (noteAround(note) ?? (isNoteElement(note) ? note : undefined))
    if (!box || contains(box, element) || !isMark(shownText(element))) continue
    const returning = (backs.get(box) ?? []).filter((back) => leadsTo(back.target, element))
    if (returning.length === 0) continue
    const label = labels.get(box) ?? labelFor(shownText(element), used)
    labels.set(box, label)
    references.set(element, label)
    const own = (backs.get(box) ?? []).map((back) => back.element)
    for (const back of own) backlinks.add(widest(back, box, own))
  }
  return { labels, references, backlinks }
}

/**
 * Returns the note that contains this element: a list item, an aside or a box. Other ancestors could be the whole page.
 */
function noteAround(place: Element): Element | undefined {
  let at: Element | null = place
  for (let i = 0; i < 8 && at; i++) {
    if (isNoteElement(at)) return at
    at = at.parent
  }
  return undefined
}

function isNoteElement(element: Element): boolean {
  const { name, attributes } = element
  if (name === 'li' || name === 'aside') return attributes.id !== undefined || hasNoteWord(attributes.class)
  if (name === 'div' || name === 'p') return hasNoteWord(attributes.class) || hasNoteWord(attributes.id)
  return false
}

function hasNoteWord(names: string | undefined): boolean {
  return (
    names !== undefined &&
    /(?:^|[\s_-])(?:foot|end)note(?![a-z])|^_?fn|(?:^|\s)fn\d|^mso(?:foot|end)note|^_?(?:ft|ed)n\d/i.test(names)
  )
}

function contains(box: Element, element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parent) if (at === box) return true
  return false
}

/** Returns whether the target is the reference, an element close around it, or its first child. */
function leadsTo(target: string, reference: Element): boolean {
  let at: Element | null = reference
  for (let i = 0; i < 3 && at; i++) {
    if (at.attributes.id === target || (at.name === 'a' && at.attributes.name === target)) return true
    at = at.parent
  }
  return reference.first?.type === 'element' && reference.first.attributes.id === target
}

/** Returns the largest element around a backlink that contains only text of backlinks. */
function widest(link: Element, box: Element, links: readonly Element[]): Element {
  let at = link
  while (at.parent && at.parent !== box) {
    const around: Element = at.parent
    const words = links.filter((other) => contains(around, other)).map((other) => bare(shownText(other)))
    if (bare(shownText(around)) !== words.join('')) break
    at = around
  }
  return at
}

function bare(text: string): string {
  return text.length > 200 ? text : text.replace(/(?:[\s[\]().^↩]|\uFE0E|\uFE0F)+/g, '')
}

function labelFor(text: string, used: Set<string>): string {
  const base = /[a-z0-9]+/i.exec(text.replace(/note/i, ''))?.[0] ?? String(used.size + 1)
  let label = base
  for (let i = 2; used.has(label.toLowerCase()); i++) label = `${base}-${i}`
  used.add(label.toLowerCase())
  return label
}
