import {
  append,
  detach,
  insertBefore,
  makeAttributes,
  makeElement,
  makeText,
  type Element,
  type Node,
} from '../tree/tree.ts'
import {
  BUTTON_SCOPE,
  FOREIGN,
  FOSTERS,
  IMPLIED_END,
  IMPLIED_IN_TEMPLATE,
  LIST_SCOPE,
  PARAGRAPH,
  SCOPE,
  TABLE_SCOPE,
  tagOf,
  type Tag,
} from './tag-table.ts'

export type Attributes = Readonly<Record<string, string>>

export type Mode =
  | 'head'
  | 'head noscript'
  | 'after head'
  | 'body'
  | 'table'
  | 'caption'
  | 'column group'
  | 'table body'
  | 'row'
  | 'cell'
  | 'template'

/** An open formatting element (`b`, `a`, …) that is reopened when misnested tags close it. A null entry is a marker. */
export interface Formatting {
  element: Element
  readonly tag: Tag
}

/** The state of one parse. The depth limit caps the stack of open elements, and so the cost of each search in it. */
export interface Builder {
  readonly root: Element
  readonly html: Element
  readonly head: Element
  readonly body: Element
  readonly open: Element[]
  readonly openFlags: number[]
  readonly formatting: (Formatting | null)[]
  readonly templateModes: Mode[]
  readonly maxDepth: number
  /** Elements that the depth limit has closed early, counted by name. Their end tags close nothing else. */
  readonly flattened: Map<string, number>
  /** Open elements from this index on were opened inside the flattened ones. */
  flattenedFrom: number
  mode: Mode
  form: Element | null
  fostering: boolean
  quirks: boolean
  skipNewline: boolean
  /** Number of open `p` elements. Usually 0, and then block start tags need no search for one. */
  paragraphs: number
  nodes: number
  flattenedOnce: boolean
  hasFrames: boolean
  hasTemplates: boolean
  hasNoscript: boolean
}

/**
 * Creates the state of a new document with empty `html`, `head` and `body`. Elements deeper than `maxDepth`, which is at least
 * 16, are flattened.
 */
export function makeBuilder(maxDepth: number): Builder {
  const root = makeElement('#document')
  const html = makeElement('html', makeAttributes())
  const head = makeElement('head', makeAttributes())
  const body = makeElement('body', makeAttributes())
  append(root, html)
  append(html, head)
  append(html, body)
  return {
    root,
    html,
    head,
    body,
    open: [html, head],
    openFlags: [tagOf('html').flags, tagOf('head').flags],
    formatting: [],
    templateModes: [],
    maxDepth: Math.max(maxDepth, 16),
    flattened: new Map(),
    flattenedFrom: 0,
    mode: 'head',
    form: null,
    fostering: false,
    quirks: true,
    skipNewline: false,
    paragraphs: 0,
    nodes: 4,
    flattenedOnce: false,
    hasFrames: false,
    hasTemplates: false,
    hasNoscript: false,
  }
}

/** Returns the innermost open element. */
export function current(b: Builder): Element {
  return b.open[b.open.length - 1]!
}

/** Returns the tag flags of the innermost open element, as a bit set. */
export function currentFlags(b: Builder): number {
  return b.openFlags[b.openFlags.length - 1]!
}

/** Returns whether the innermost open element is the HTML element of this name, not an SVG or MathML one. */
export function currentIs(b: Builder, name: string): boolean {
  return current(b).name === name && (currentFlags(b) & FOREIGN) === 0
}

/** Closes the innermost open element and returns it. */
export function pop(b: Builder): Element {
  if (b.openFlags.pop()! & PARAGRAPH) b.paragraphs--
  const element = b.open.pop()!
  // The element that contained the flattened ones is closed, and so are they.
  if (b.flattened.size > 0 && b.open.length < b.flattenedFrom) b.flattened.clear()
  return element
}

/**
 * Inserts an element without opening it, and returns it. At `maxDepth` open elements, the current element is closed first.
 */
export function insert(b: Builder, tag: Tag, attributes: Attributes | undefined): Element {
  if (b.open.length >= b.maxDepth) flatten(b)
  const element = makeElement(tag.name, attributes)
  b.nodes++
  place(b, element)
  return element
}

/** Inserts an element as `insert` does, makes it the current one and returns it. */
export function open(b: Builder, tag: Tag, attributes: Attributes | undefined): Element {
  const element = insert(b, tag, attributes)
  b.open.push(element)
  b.openFlags.push(tag.flags)
  if (tag.flags & PARAGRAPH) b.paragraphs++
  return element
}

// At the depth limit, closes the deepest element early, so that the new one becomes its sibling.
function flatten(b: Builder): void {
  const flags = currentFlags(b)
  const { name } = pop(b)
  b.flattenedFrom = b.flattened.size > 0 ? Math.min(b.flattenedFrom, b.open.length) : b.open.length
  b.flattened.set(name, (b.flattened.get(name) ?? 0) + 1)
  b.flattenedOnce = true
  if (flags & (FOSTERS | IMPLIED_IN_TEMPLATE | TABLE_SCOPE)) resetMode(b)
}

/**
 * Appends text at the current position, joined with a text node before it. Misplaced text in a table goes before the
 * table.
 */
export function insertText(b: Builder, text: string): void {
  const target = current(b)
  if (b.fostering && currentFlags(b) & FOSTERS) {
    const node = makeText(text)
    foster(b, node)
    const { previous } = node
    if (previous?.type === 'text') {
      previous.text += text
      detach(node)
    } else b.nodes++
  } else if (target.last?.type === 'text') {
    target.last.text += text
  } else {
    append(target, makeText(text))
    b.nodes++
  }
}

/** Appends to the current element, or before the table if misplaced table content is being moved out. */
export function place(b: Builder, node: Node): void {
  if (b.fostering && currentFlags(b) & FOSTERS) foster(b, node)
  else append(current(b), node)
}

/**
 * Inserts a misplaced node before the innermost open table, as the standard's foster parenting does, or into the
 * innermost template.
 */
export function foster(b: Builder, node: Node): void {
  let index = b.open.length - 1
  while (index > 0 && !(isOpenAt(b, index, 'table') || isOpenAt(b, index, 'template'))) index--
  const found = b.open[index]!
  if (found.name === 'template' || index === 0) append(found, node)
  else if (found.parent) insertBefore(found, node)
  else append(b.open[index - 1]!, node)
}

function isOpenAt(b: Builder, index: number, name: string): boolean {
  return b.open[index]!.name === name && (b.openFlags[index]! & FOREIGN) === 0
}

/** Returns whether an element of this name is open, with no barrier element between it and the current one. */
export function inScope(b: Builder, name: string, barrier: number = SCOPE): boolean {
  const { open, openFlags } = b
  for (let index = open.length - 1; index >= 0; index--) {
    const flags = openFlags[index]!
    if (open[index]!.name === name && (flags & FOREIGN) === 0) return true
    if (flags & barrier) return false
  }
  return false
}

/** Returns whether a `p` is open in button scope, so that the next block closes it. */
export function paragraphInScope(b: Builder): boolean {
  return b.paragraphs > 0 && inScope(b, 'p', SCOPE | BUTTON_SCOPE)
}

/** Returns whether an element of this name is open, with no list or other barrier between it and the current one. */
export const inListScope = (b: Builder, name: string): boolean => inScope(b, name, SCOPE | LIST_SCOPE)
/** Returns whether an element of this name is open within the current table. */
export const inTableScope = (b: Builder, name: string): boolean => inScope(b, name, TABLE_SCOPE)

/** Returns whether an element of this name is open, whatever is between it and the current one. */
export function isOpen(b: Builder, name: string): boolean {
  return inScope(b, name, 0)
}

/**
 * Closes elements up to and including the innermost one of this name, which must be open; otherwise all but the root
 * are closed.
 */
export function popUntil(b: Builder, name: string): void {
  while (b.open.length > 1) {
    const found = currentIs(b, name)
    pop(b)
    if (found) return
  }
}

/** Closes elements until the current one has one of the flags, or only the root is left. */
export function popTo(b: Builder, flags: number): void {
  while (b.open.length > 1 && (currentFlags(b) & flags) === 0) pop(b)
}

/**
 * Closes elements with optional end tags, such as `p` and `li`, until another kind, or one named `except`, is current.
 */
export function popImplied(b: Builder, except?: string): void {
  while (currentFlags(b) & IMPLIED_END && current(b).name !== except) pop(b)
}

/** Closes the open `p` and everything in it. Does nothing if none is in button scope. */
export function closeParagraph(b: Builder): void {
  if (paragraphInScope(b)) popUntil(b, 'p')
}

/** Removes an element from the open ones without closing those inside it. Does nothing if it is not open. */
export function removeFromOpen(b: Builder, element: Element): void {
  const index = b.open.lastIndexOf(element)
  if (index >= 0) removeOpenAt(b, index)
}

/** Removes the open element at an index without closing those inside it. */
export function removeOpenAt(b: Builder, index: number): void {
  b.open.splice(index, 1)
  if (b.openFlags.splice(index, 1)[0]! & PARAGRAPH) b.paragraphs--
  if (index < b.flattenedFrom) b.flattenedFrom--
}

/** Adds an open element at an index, inside those before it. */
export function insertOpenAt(b: Builder, index: number, element: Element, flags: number): void {
  b.open.splice(index, 0, element)
  b.openFlags.splice(index, 0, flags)
  if (flags & PARAGRAPH) b.paragraphs++
  if (index < b.flattenedFrom) b.flattenedFrom++
}

/** Returns whether an end tag belongs to a flattened element: none of this name that is open was opened inside it. */
export function endsFlattened(b: Builder, name: string): boolean {
  if (b.flattened.size === 0 || !b.flattened.has(name)) return false
  for (let index = b.open.length - 1; index >= b.flattenedFrom; index--) if (b.open[index]!.name === name) return false
  const left = b.flattened.get(name)! - 1
  if (left > 0) b.flattened.set(name, left)
  else b.flattened.delete(name)
  return true
}

// Unclosed formatting elements are reopened in every later block: without this limit, n of them cost n² nodes.
const maxFormatting = 64

/**
 * Adds a formatting element to the list, which drops its first entry when it is full. `null` adds a marker: the start
 * of a cell, object or template.
 */
export function remember(b: Builder, entry: Formatting | null): void {
  b.formatting.push(entry)
  if (b.formatting.length > maxFormatting) b.formatting.shift()
}

/** Removes the formatting elements up to and including the last marker, or all of them if there is none. */
export function clearFormatting(b: Builder): void {
  while (b.formatting.length > 0 && b.formatting.pop() !== null);
}

const modesByName: ReadonlyMap<string, Mode> = new Map([
  ['td', 'cell'],
  ['th', 'cell'],
  ['tr', 'row'],
  ['tbody', 'table body'],
  ['thead', 'table body'],
  ['tfoot', 'table body'],
  ['caption', 'caption'],
  ['colgroup', 'column group'],
  ['table', 'table'],
  ['head', 'head'],
  ['body', 'body'],
  ['html', 'after head'],
])

/** Sets the insertion mode that matches the innermost open element with one, for example after a table was closed. */
export function resetMode(b: Builder): void {
  for (let index = b.open.length - 1; index >= 0; index--) {
    if (b.openFlags[index]! & FOREIGN) continue
    const { name } = b.open[index]!
    const mode = name === 'template' ? b.templateModes.at(-1) : modesByName.get(name)
    if (mode) {
      b.mode = mode
      return
    }
  }
}

/**
 * Adds attributes of a second `<html>` or `<body>` tag that the first does not have. Does nothing inside a template.
 */
export function mergeAttributes(b: Builder, element: Element, attributes: Attributes | undefined): void {
  if (!attributes || b.templateModes.length > 0) return
  const own = element.attributes as Record<string, string>
  for (const name in attributes) own[name] ??= attributes[name]!
}
