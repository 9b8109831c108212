// Detects hidden text that is content without a control: shown by scripts, subscriber-only, or a label.
import type { Element, Node } from '../tree/tree.ts'
import { nextNode, textOf } from '../tree/walk.ts'
import type { Style } from './cascade.ts'
import type { HiddenReason } from './causes.ts'

/** Attributes that frameworks remove when they have rendered the element. */
const cloaks = ['v-cloak', 'x-cloak', 'ng-cloak', 'data-cloak', 'data-ng-cloak', 'uk-cloak', 'data-turbo-permanent']
/** Attributes of elements that appear on scroll. */
const reveals = /^data-(?:aos|reveal|animate|animation|sr|scroll|wow|inview|in-view|delay|w-id|framer-[\w-]+)(?:-|$)/
const revealClasses =
  /(?:^|\s)(?:ng-cloak|wow|aos-init|reveal|js-reveal|sr-reveal|fade-?(?:in|up|down|left|right)|animate(?:d|__\w+)?|elementor-invisible|will-animate|lazy(?:load(?:ed|ing)?)?|is-loading|loading|skeleton|async-hide|no-?js)(?=\s|$)/i
const moves = /translate|matrix|scale|rotate/

/** Returns whether scripts or animations show the element without a user action. */
export function isRevealedByScript({ attributes }: Element, reason: HiddenReason, styleOf: () => Style): boolean {
  for (const cloak of cloaks) if (attributes[cloak] !== undefined) return true
  if (reason !== 'opacity' && reason !== 'visibility') return false
  for (const name in attributes) if (reveals.test(name)) return true
  if (revealClasses.test(attributes['class'] ?? '')) return true
  const style = styleOf()
  if (style.has('animation') || style.has('animation-name')) return true
  return reason === 'opacity' && (style.has('transition') || moves.test(style.get('transform') ?? ''))
}

const maxLabel = 120
const maxSteps = 200
const labelReasons: ReadonlySet<HiddenReason> = new Set(['clip', 'size', 'position', 'indent', 'font-size'])

/** Returns whether the text labels a link or button that shows only an image, or is the text of a background image. */
export function namesHiddenImage(
  element: Element,
  reason: HiddenReason,
  styleOf: () => Style,
  hidden: ReadonlySet<Node>,
  hasPicture = false,
): boolean {
  if (!labelReasons.has(reason)) return false
  const { length, hasLink } = textBelow(element)
  if (length === 0 || length > maxLabel || (hasLink && reason !== 'indent')) return false
  if (hasPicture) return true
  const style = styleOf()
  if (/url\(/.test(`${style.get('background') ?? ''}${style.get('background-image') ?? ''}`)) return true
  let control: Element | null = element
  for (let level = 0; control && level < 4; level++, control = control.parent) {
    if (control.name === 'a' || control.name === 'button' || control.name === 'label') break
  }
  if (!control || (control.name !== 'a' && control.name !== 'button' && control.name !== 'label')) return false
  return textBelow(control, hidden).length === 0
}

function textBelow(root: Element, without?: ReadonlySet<Node>): { length: number; hasLink: boolean } {
  let length = 0
  let hasLink = false
  let node: Node | null = root
  for (let steps = 0; node; steps++) {
    // Too many nodes for a label: return a length above the limit.
    if (steps > maxSteps) return { length: maxLabel + 1, hasLink }
    const skip = without?.has(node) === true
    if (!skip && node.type === 'text') length += node.text.trim().length
    if (!skip && node !== root && node.type === 'element' && node.name === 'a') hasLink = true
    if (length > maxLabel) break
    node = nextNode(node, root, skip)
  }
  return { length, hasLink }
}

/** Returns whether an element is subscriber-only. */
export type Paywall = (element: Element) => boolean

const maxSelectors = 8

/**
 * Returns a function that tells whether the page's structured data has the class or id of an element among the first 8
 * `cssSelector` values, with which pages declare parts as subscriber-only. Parts that are declared as free are omitted. False
 * on pages whose JSON in scripts has no `isAccessibleForFree`.
 */
export function paywallOf(scripts: readonly Element[]): Paywall {
  const data = scripts
    .filter(({ attributes }) => /json/i.test(attributes['type'] ?? ''))
    .map(textOf)
    .join('\n')
  if (!data.includes('isAccessibleForFree')) return () => false
  const classes = new Set<string>()
  const ids = new Set<string>()
  const isFreePage = declaresFree(data, false)
  const declared = [...data.matchAll(/"cssSelector"\s*:\s*"([^"]{1,200})"/g)]
  const paid = declared.filter((one) => !declaresFree(partAround(data, one), isFreePage))
  for (const [, selector = ''] of paid.slice(0, maxSelectors)) {
    for (const [, sign, name = ''] of selector.matchAll(/([.#])([\w-]+)/g)) (sign === '.' ? classes : ids).add(name)
  }
  return ({ attributes }) =>
    ids.has(attributes['id'] ?? '') || (attributes['class'] ?? '').split(/\s+/).some((each) => classes.has(each))
}

// Maximum distance in characters of two values of a part.
const partLength = 500
const freeAccess = /"isAccessibleForFree"\s*:\s*"?(?:https?:\/\/schema\.org\/)?true\b/i
const paidAccess = /"isAccessibleForFree"\s*:\s*"?(?:https?:\/\/schema\.org\/)?false\b/i

/** Returns whether a text declares free access and no paid one; `otherwise` if it declares neither. */
function declaresFree(text: string, otherwise: boolean): boolean {
  if (paidAccess.test(text)) return false
  return freeAccess.test(text) || otherwise
}

/** Returns the text of the object around a match in JSON. */
function partAround(json: string, { index, 0: match }: RegExpExecArray): string {
  const end = index + match.length
  const before = json.slice(Math.max(0, index - partLength), index)
  return before.slice(before.lastIndexOf('{') + 1) + json.slice(end, end + partLength).split('}', 1)[0]
}
