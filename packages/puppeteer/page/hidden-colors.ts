import { isSameLuminance, luminance, readColor, type Color } from '@harvestman/html/internal'
import { spend } from './hidden-budget.ts'
import { boxOf, firstElementOf, firstNodeOf, nameOf, nextNodeOf, nodeTypeOf, parentNodeOf, slotOf } from './nodes.ts'

const clear = 0.03
const solid = 0.95
const maxSiblings = 50
const pictures = new Set(['img', 'picture', 'video', 'canvas', 'svg', 'iframe', 'object'])
const white: Color = [255, 255, 255, 1]

const colors = new Map<string, Color | undefined>()

function colorOf(value: string): Color | undefined {
  if (!colors.has(value)) colors.set(value, readColor(value))
  return colors.get(value)
}

const luminances = new Map<Color, number>()

function luminanceOf(color: Color): number {
  let known = luminances.get(color)
  if (known === undefined) luminances.set(color, (known = luminance(color)))
  return known
}

/** A background and the element that draws it: `null` is the window. */
interface Ground {
  readonly color: Color
  readonly of: Element | null
}

/**
 * Returns whether text directly in the element has the colour of its background, or none. False if anything else may be behind
 * or in front of the text.
 */
export function isCoveredColor(element: Element, style: CSSStyleDeclaration): boolean {
  const text = colorOf(style.webkitTextFillColor)
  if (!text) return false
  if (text[3] >= clear) {
    const ground = groundOf(element)
    return (
      ground !== undefined &&
      text[3] >= solid &&
      isSameLuminance(luminanceOf(text), luminanceOf(ground.color)) &&
      isPlain(element, style, ground.of)
    )
  }
  return isPlain(element, style, element)
}

const grounds = new WeakMap<Element, Ground | 'unknown'>()

function groundOf(element: Element): Ground | undefined {
  const known = grounds.get(element)
  if (known) return known === 'unknown' ? undefined : known
  const found = findGround(element)
  grounds.set(element, found ?? 'unknown')
  return found
}

function findGround(element: Element): Ground | undefined {
  const style = getComputedStyle(element)
  if (style.backgroundImage !== 'none') return undefined
  const own = colorOf(style.backgroundColor)
  if (!own) return undefined
  if (own[3] >= solid) return { color: own, of: element }
  if (own[3] > clear) return undefined
  const parent = parentOf(element)
  if (parent) return groundOf(parent)
  return style.colorScheme.includes('dark') ? undefined : { color: white, of: null }
}

function parentOf(element: Element): Element | null {
  const slot = slotOf(element)
  if (slot) return slot
  const parent = parentNodeOf(element)
  if (!parent) return null
  const type = nodeTypeOf(parent)
  return type === 11 ? (parent as ShadowRoot).host : type === 1 ? (parent as Element) : null
}

/** Returns whether only the background of `ground` is behind the text, and nothing else paints it. */
function isPlain(element: Element, style: CSSStyleDeclaration, ground: Element | null): boolean {
  if (style.textShadow !== 'none' || Number.parseFloat(style.webkitTextStrokeWidth) > 0) return false
  const box = boxOf(element)
  for (let at: Element | null = element; at; at = parentOf(at)) {
    spend()
    const own = getComputedStyle(at)
    if (own.mixBlendMode !== 'normal' || own.filter !== 'none' || own.backgroundClip.includes('text')) return false
    if (hasLayer(at, '::before') || hasLayer(at, '::after')) return false
    if (at === ground) return true
    if (/absolute|fixed|sticky/.test(own.position) || hasOverlap(at, box)) return false
  }
  return true
}

function hasLayer(element: Element, name: string): boolean {
  const { content, position } = getComputedStyle(element, name)
  return content !== 'none' && content !== 'normal' && /absolute|fixed/.test(position)
}

/** Returns whether a sibling may paint behind the text in the box: it overlaps the box, or is a picture that may do so later. */
function hasOverlap(element: Element, box: DOMRect): boolean {
  let count = 0
  const parent = parentNodeOf(element)
  for (let at = parent && firstNodeOf(parent); at; at = nextNodeOf(at)) {
    if (nodeTypeOf(at) !== 1 || at === element) continue
    if (++count > maxSiblings) return true
    spend()
    const sibling = at as Element
    const inner = firstElementOf(sibling)
    const picture = [sibling, inner].find((one) => one && pictures.has(nameOf(one)))
    if (picture && mayCoverLater(picture, sibling)) return true
    if (overlaps(boxOf(sibling), box)) return true
    if (inner && overlaps(boxOf(inner), box)) return true
  }
  return false
}

/** Returns whether a picture without a size yet is not in the flow, so that it may cover other elements once it is loaded. */
function mayCoverLater(picture: Element, sibling: Element): boolean {
  const { width, height } = boxOf(picture)
  if (width > 1 && height > 1) return false
  spend()
  return [picture, sibling].some((one) => getComputedStyle(one).position !== 'static')
}

const overlaps = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1
