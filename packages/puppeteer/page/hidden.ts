import { boxReason, isIndentedAway, writeMark, type HiddenReason, type Mark } from '@harvestman/html/internal'

import { spend, TooMuchWork } from './hidden-budget.ts'
import { isCoveredColor } from './hidden-colors.ts'
import { closersIn, mayLose } from './hidden-escapes.ts'
import { stateRules, type StateRules } from './hidden-states.ts'
import {
  attributeOf,
  boxOf,
  findIn,
  firstElementOf,
  firstNodeOf,
  nameOf,
  nextElementOf,
  nextNodeOf,
  nodeTypeOf,
  shadowOf,
  textOf,
} from './nodes.ts'

/** Maximum number of elements, including those in shadow roots. On a larger page nothing is examined. */
const maxElements = 20_000
const maxMarks = 4_000
/** Maximum depth. Deeper elements count as visible. */
const maxDepth = 400

// Elements without text, or whose text is not part of the page's content.
const skipped = new Set(
  (
    'script style template noscript head title meta link base svg math canvas video audio object embed datalist option ' +
    'optgroup select textarea input area param source track col rp br wbr'
  ).split(' '),
)

/** Elements whose content is HTML source for a parser. Elements that a script has put there have no start tags of their own. */
const verbatim = new Set('iframe noembed noframes xmp plaintext'.split(' '))

/** The text state that an element's children inherit, and whether they have boxes. */
interface Above {
  readonly text: Mark['reason']
  readonly isRendered: boolean
  readonly isShadow: boolean
  readonly depth: number
  /** Selector of elements that close the parent or an element around it when they are parsed. */
  readonly closers: string
  /** A parser may move the elements out of a hidden ancestor. Its reason, if it hides all its descendants. */
  readonly escapes?: { readonly box: HiddenReason | undefined } | undefined
}

interface Search {
  readonly marks: Map<Element, string>
  readonly hasScripts: boolean
  count: number
  readonly rules: StateRules
}

/**
 * Returns how elements of the document are hidden from a visitor, by computed style and boxes, for `Findings` of the html
 * package. Returns `undefined` if the page hides its own body, which scripts are then expected to show.
 */
export function findHidden(doc: Document): ReadonlyMap<Element, string> | 'too large' | undefined {
  const body: HTMLElement | null = doc.body
  if (!body) return undefined
  if (doc.getElementsByTagName('*').length > maxElements) return 'too large'
  for (const element of [doc.documentElement, body]) {
    const style = getComputedStyle(element)
    if (style.display === 'none' || style.visibility !== 'visible' || Number(style.opacity) < 0.05) return undefined
  }
  const search: Search = { marks: new Map(), hasScripts: doc.scripts.length > 0, count: 0, rules: stateRules() }
  try {
    visitFrom(firstElementOf(body), { text: 'shown', isRendered: true, isShadow: false, depth: 0, closers: '' }, search)
    return search.marks
  } catch {
    // Above a limit, or too deep for the stack.
    return 'too large'
  }
}

/** Visits the element and its siblings after it. */
function visitFrom(first: Element | null, above: Above, search: Search): void {
  if (above.depth > maxDepth) return
  for (let element = first; element; element = nextElementOf(element)) visit(element, above, search)
}

function visit(element: Element, above: Above, search: Search): void {
  if (++search.count > maxElements) throw new TooMuchWork()
  const name = nameOf(element)
  if (skipped.has(name)) return
  const style = getComputedStyle(element)
  const reason = whyHidden(element, style, above.isRendered)
  const text = textState(element, style, above)
  const isNew = reason !== undefined || text !== above.text
  // Whatever else hides the same element needs no mark of its own.
  if (isNew || above.escapes) mark(element, reason ?? above.escapes?.box ?? text, style, above, search)
  if (verbatim.has(name)) return
  const isRendered = above.isRendered && style.display !== 'none'
  const closers = closersIn(name, above.closers)
  const isLost = isNew && (reason ?? text) !== 'shown' && mayLose(element, closers)
  const escapes = isLost ? { box: reason ?? above.escapes?.box } : above.escapes
  const inner = { text, isRendered, isShadow: above.isShadow, depth: above.depth + 1, closers, escapes }
  visitFrom(firstElementOf(element), inner, search)
  const shadow = shadowOf(element)
  if (shadow) visitFrom(shadow.firstElementChild, { ...inner, isShadow: true }, search)
}

function mark(
  element: Element,
  reason: Mark['reason'],
  style: CSSStyleDeclaration,
  above: Above,
  search: Search,
): void {
  if (reason !== 'shown' && !hasContent(element)) return
  if (search.marks.size >= maxMarks) throw new TooMuchWork()
  const isHidden = reason !== 'shown'
  search.marks.set(
    element,
    writeMark({
      reason,
      isRevealed: isHidden && isRevealed(element, reason, style, above.isRendered && search.hasScripts),
      hasPicture: isHidden && style.backgroundImage !== 'none',
      // Sheets of shadow roots are not read.
      state: isHidden ? (above.isShadow ? 'script' : search.rules.stateFor(element, reason)) : undefined,
    }),
  )
}

const hasContent = (element: Element): boolean =>
  shadowOf(element) !== null ||
  /\S/.test(textOf(element) ?? '') ||
  /^(?:img|iframe)$/.test(nameOf(element)) ||
  findIn(element, 'img,iframe,slot,[href]') !== null

/** Returns how the element is hidden with all its descendants. Without boxes, its declared position and size decide. */
function whyHidden(element: Element, style: CSSStyleDeclaration, isRendered: boolean): HiddenReason | undefined {
  if (style.display === 'none') return 'display'
  if (style.display === 'contents') return undefined
  // A search of the browser finds and opens it.
  if (attributeOf(element, 'hidden') === 'until-found') return undefined
  if (!mayHide(style, isRendered)) return undefined
  const declared = declaredOf(style, element)
  let reason = boxReason(declared)
  if (reason === 'size' && isSmallUntilLoaded(element)) {
    for (const side of sides) if (!hasLength(element, side)) declared.delete(side)
    reason = boxReason(declared)
  }
  if (!reason || reason === 'opacity' || reason === 'display' || !isRendered) return reason
  if (reason === 'size') return isFlat(element, style) ? reason : undefined
  if (reason === 'clip') return style.display === 'inline' && style.position === 'static' ? undefined : reason
  return isOffPage(element) ? reason : undefined
}

/** Reading a property takes about a microsecond, so the properties of most elements are read only as far as necessary. */
const mayHide = (style: CSSStyleDeclaration, isRendered: boolean): boolean =>
  style.position !== 'static' ||
  // Without effect on inline boxes.
  (style.contentVisibility === 'hidden' && style.display !== 'inline') ||
  (style.overflow !== 'visible' && !(isRendered && hasRoom(style))) ||
  Number(style.opacity) < 0.05 ||
  style.transform !== 'none' ||
  style.clipPath !== 'none' ||
  style.margin.includes('-') ||
  style.scale !== 'none'

/** Returns whether the content of a rendered element has more than one pixel in both directions. */
const hasRoom = ({ width, height }: CSSStyleDeclaration): boolean =>
  Number.parseFloat(width) > 1 && Number.parseFloat(height) > 1

const sides = ['width', 'height'] as const

const sideOf = (element: Element, side: (typeof sides)[number]): string =>
  Element.prototype.computedStyleMap.call(element).get(side)?.toString() ?? ''

/** Returns whether the style sets the width or height to a length, so that it does not depend on the content. */
const hasLength = (element: Element, side: (typeof sides)[number]): boolean => sideOf(element, side).endsWith('px')

const isUnloaded = (image: Element | null): boolean => image instanceof HTMLImageElement && image.naturalWidth === 0

/** Content that models read and that takes no part in the size of a box, or that has a document of its own. */
const readable = 'iframe,object,embed,slot,input,textarea,select,[title],[aria-label],[alt]:not([alt=""])'

/**
 * Returns whether the element may be too small to be seen only because its image is not loaded, which has no size of its own.
 * Boxes with anything to read do not count: any page could hide text behind an image without a source.
 */
function isSmallUntilLoaded(element: Element): boolean {
  if (nameOf(element) === 'img') return isUnloaded(element) && sides.every((side) => isLarge(sideOf(element, side)))
  if (!isUnloaded(findIn(element, 'img')) || /\S/.test(textOf(element) ?? '')) return false
  if (findIn(element, readable) !== null || shadowOf(element)) return false
  const inner = Element.prototype.getElementsByTagName.call(element, '*')
  return inner.length <= maxInner && ![...inner].some((one) => shadowOf(one))
}

/** Returns whether a computed width or height leaves room for an image. */
const isLarge = (side: string): boolean =>
  side === 'auto' || (/^[\d.]+(?:px|%)$/.test(side) && Number.parseFloat(side) >= 2)

const boxProperties =
  'content-visibility opacity clip-path clip position overflow overflow-x overflow-y width height max-width max-height padding padding-top padding-bottom scale left top right bottom margin-left margin-top'.split(
    ' ',
  )

function declaredOf(style: CSSStyleDeclaration, element: Element): Map<string, string> {
  const declared = new Map<string, string>()
  for (const name of boxProperties) declared.set(name, style.getPropertyValue(name))
  if (style.transform !== 'none') declared.set('transform', movesOf(style.transform, element))
  return declared
}

/** Returns the parts of a transform that can hide: a scale of 0, and moves by much more than the element's own size. */
function movesOf(transform: string, element: Element): string {
  const { a, b, c, d, e, f } = new DOMMatrixReadOnly(transform)
  if (Math.abs(a * d - b * c) < 1e-6) return 'scale(0)'
  const { offsetWidth = 0, offsetHeight = 0 } = element as Partial<HTMLElement>
  const far = (move: number, side: number): number => (Math.abs(move) > side * 1.5 ? move : 0)
  return `translate(${far(e, offsetWidth)}px, ${far(f, offsetHeight)}px)`
}

const maxInner = 300

/** Returns whether the element shows nothing in at least one direction, not even descendants that leave its box. */
function isFlat(element: Element, { position, transform }: CSSStyleDeclaration): boolean {
  const { width, height } = boxOf(element)
  if (width > 1 && height > 1) return false
  if (position !== 'static' || transform !== 'none') return true
  const inner = Element.prototype.getElementsByTagName.call(element, '*')
  if (inner.length > maxInner) return false
  return ![...inner].some((one) => {
    spend()
    return /absolute|fixed/.test(getComputedStyle(one).position)
  })
}

const maxOffPage = 200

/** Returns whether all text and images in the element are left of the page or above it, where nobody can scroll to. */
function isOffPage(element: Element): boolean {
  const edge = leftEdge()
  const range = document.createRange()
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let count = 0; walker.nextNode(); count++) {
    if (count > maxOffPage) return false
    spend()
    const node = walker.currentNode
    if (nodeTypeOf(node) === 1 && !/^(?:img|iframe)$/.test(nameOf(node as Element))) continue
    range.selectNode(node)
    const { right, bottom, width, height } = range.getBoundingClientRect()
    if (width > 0 && height > 0 && right + scrollX > edge && bottom + scrollY > 0) return false
  }
  return true
}

/** Pages written from right to left scroll to negative positions. */
const leftEdge = (): number =>
  getComputedStyle(document.documentElement).direction === 'rtl' || getComputedStyle(document.body).direction === 'rtl'
    ? innerWidth - document.documentElement.scrollWidth
    : 0

/** Returns how the text directly in the element is hidden. */
function textState(element: Element, style: CSSStyleDeclaration, above: Above): Mark['reason'] {
  if (style.visibility !== 'visible') return 'visibility'
  if (Number.parseFloat(style.fontSize) <= 1) return 'font-size'
  if (style.textIndent !== '0px') {
    const declared = new Map([
      ['text-indent', style.textIndent],
      ['overflow', style.overflow],
    ])
    if (isIndentedAway(declared)) return 'indent'
  }
  if (!hasOwnText(element)) return above.text === 'color' ? 'color' : 'shown'
  return above.isRendered && isCoveredColor(element, style) ? 'color' : 'shown'
}

function hasOwnText(element: Element): boolean {
  for (let node = firstNodeOf(element); node; node = nextNodeOf(node)) {
    if (nodeTypeOf(node) === 3 && /\S/.test((node as Text).data)) return true
  }
  return false
}

/**
 * Returns whether an animation, a transition or a script shows the element, now or when it is scrolled to. `isWaiting`: the page
 * has scripts, and the element has a box.
 */
function isRevealed(element: Element, reason: Mark['reason'], style: CSSStyleDeclaration, isWaiting: boolean): boolean {
  if (reason !== 'opacity' && reason !== 'visibility') return false
  if (style.animationName !== 'none' || Element.prototype.getAnimations.call(element).length > 0) return true
  if (reason === 'opacity') {
    const moves = [style.transform, style.translate, style.scale, style.rotate]
    if (moves.some((each) => each !== 'none') || /opacity|transform/.test(style.willChange)) return true
    if (/[1-9]/.test(style.transitionDuration)) return true
  }
  return isWaiting && leavesGapBelow(element, style)
}

/** Returns whether the element takes up space in the part of the page that is not in the window yet. */
function leavesGapBelow(element: Element, { position }: CSSStyleDeclaration): boolean {
  if (position !== 'static' && position !== 'relative') return false
  const { top, width, height } = boxOf(element)
  return width > 1 && height > 1 && top + scrollY >= innerHeight
}
