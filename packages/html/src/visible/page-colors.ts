// Text in the colour of its background.
import type { Element } from '../tree/tree.ts'
import type { Accepts } from './candidates.ts'
import type { Sheets, Style } from './cascade.ts'
import {
  colorsIn,
  declaredColors,
  isSameColor,
  isSameLuminance,
  luminance,
  readColor,
  type Color,
  type DeclaredColors,
} from './colors.ts'
import { isLaidOver } from './declarations.ts'
import type { Rules } from './rules.ts'

/** The colours at an element, if they are known. */
interface Pair {
  readonly text: Color | undefined
  readonly background: Color | undefined
}

const white: Color = [255, 255, 255, 1]
const black: Color = [0, 0, 0, 1]
const nothing = { text: [], background: [] }
const unknown: Pair = { text: undefined, background: undefined }
/** Elements whose text has a colour of its own unless the page declares one. */
const ownColor = new Set(['a', 'button', 'input', 'mark'])
const pictures = new Set(['img', 'picture', 'video', 'canvas', 'svg', 'iframe'])
const clear = 0.03
const solid = 0.95

/** Computes the colours of text and background at each element. */
export class Colors {
  readonly #sheets: Sheets
  readonly #inline: Comparison
  readonly #rules: Comparison
  readonly #top: Pair
  readonly #pairs = new Map<Element, Pair>()

  /** `inline` has the `style` attributes of the page. */
  constructor(sheets: Sheets, inline: ReadonlySet<string>) {
    this.#sheets = sheets
    // Other sheets may colour anything, so that nothing is known of what the page does not declare.
    this.#top = sheets.hasUnread ? unknown : { text: black, background: white }
    const own = sheets.hasUnread ? nothing : declaredColors(inline)
    const hasOwn = own.text.length + own.background.length > 0
    this.#inline = comparison(sheets, own)
    this.#rules = hasOwn ? this.#inline : comparisonOfRules(sheets)
  }

  /** Returns whether a rule declares a colour that text and a background of the page share. */
  get ofRule(): Accepts {
    return this.#rules.ofRule
  }

  /** Whether any rule declares a colour that text and a background of the page share. */
  get mayHideByRule(): boolean {
    return this.#sheets.rules.all.some(this.#rules.ofRule)
  }

  /** Whether a `style` attribute declares a colour that text and a background of the page share. */
  mayHideBy(style: string): boolean {
    return this.#inline.of(style)
  }

  /** Whether the element declares a colour that text and a background of the page share. */
  mayHide(element: Element): boolean {
    const { style } = element.attributes
    return (style !== undefined && this.#inline.of(style)) || this.#sheets.applies(this.#rules.ofRule, element)
  }

  isHidden(element: Element): boolean {
    const { text, background } = this.#pairOf(element)
    if (!text) return false
    return text[3] < clear || (background !== undefined && isSameColor(text, background))
  }

  #pairOf(element: Element): Pair {
    const chain: Element[] = []
    let at: Element | null = element
    while (at && !this.#pairs.has(at)) {
      chain.push(at)
      at = at.parent
    }
    let pair = (at && this.#pairs.get(at)) ?? this.#top
    for (const each of chain.toReversed()) this.#pairs.set(each, (pair = this.#below(pair, each)))
    return pair
  }

  #below(above: Pair, element: Element): Pair {
    const style = this.#sheets.styleOf(element, 'color')
    const { attributes, name } = element
    const isNamed = attributes['class'] !== undefined || attributes['id'] !== undefined
    const isOpen = this.#sheets.hasUnread && isNamed
    const fill = backgroundOf(style)
    let background = isOpen || isInFront(element, style) ? undefined : above.background
    if (fill === 'unknown') background = undefined
    else if (fill && fill[3] >= solid) background = fill
    else if (fill && fill[3] > clear) background = undefined
    const written = style.get('-webkit-text-fill-color') ?? style.get('color')
    let text = isOpen || ownColor.has(name) ? undefined : above.text
    if (written === 'inherit') text = above.text
    else if (written !== undefined) text = readColor(written)
    // Text in the shape of its background.
    if (text && text[3] < clear && (style.has('background-image') || style.has('background'))) text = undefined
    return { text, background }
  }
}

/** Tells whether declarations have a colour that text and a background of the page share. */
interface Comparison {
  readonly of: (declarations: string) => boolean
  readonly ofRule: Accepts
}

const comparisons = new WeakMap<Rules, { known?: Comparison; unread?: Comparison }>()

/** Returns the comparison for pages whose elements declare no colours. It is the same for all pages with these rules. */
function comparisonOfRules(sheets: Sheets): Comparison {
  let found = comparisons.get(sheets.rules)
  if (!found) comparisons.set(sheets.rules, (found = {}))
  return (found[sheets.hasUnread ? 'unread' : 'known'] ??= comparison(sheets, nothing))
}

function comparison({ hasUnread, rules }: Sheets, own: DeclaredColors): Comparison {
  const known = new Map<string, boolean>()
  const declared = hasUnread ? nothing : rules.colors
  const text = [...declared.text, ...own.text, black].map(luminance)
  const background = [...declared.background, ...own.background, white].map(luminance)
  const compare = (declarations: string): boolean => {
    // A sheet that is not known may set the background of any other element.
    const near = hasUnread ? declaredColors([declarations]) : undefined
    for (const { isBackground, color } of colorsIn(declarations)) {
      if (!isBackground && color[3] < clear) return true
      const others = isBackground
        ? (near?.text.map(luminance) ?? text)
        : (near?.background.map(luminance) ?? background)
      const light = luminance(color)
      if (others.some((other) => isSameLuminance(light, other))) return true
    }
    return false
  }
  const of = (declarations: string): boolean => {
    let answer = known.get(declarations)
    if (answer === undefined) known.set(declarations, (answer = compare(declarations)))
    return answer
  }
  return { of, ofRule: ({ block }) => of(block) }
}

/** Whether the element may be in front of something else than its ancestors. */
function isInFront(element: Element, style: Style): boolean {
  if (isLaidOver(style.get('position') ?? '')) return true
  let steps = 0
  for (let at = element.previous; at && steps < 4; at = at.previous) {
    if (at.type !== 'element') continue
    steps++
    if (pictures.has(at.name) || (at.first?.type === 'element' && pictures.has(at.first.name))) return true
  }
  return false
}

function backgroundOf(style: Style): Color | 'unknown' | undefined {
  if (/url\(|gradient\(|image-set/.test(`${style.get('background-image') ?? ''} ${style.get('background') ?? ''}`)) {
    return 'unknown'
  }
  const value = style.get('background-color') ?? style.get('background')
  if (value === undefined || /^(?:none|inherit|initial|unset)$/.test(value)) return undefined
  return readColor(value) ?? 'unknown'
}
