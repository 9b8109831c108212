// Text in the colour of its background.
import type { Element } from '../tree/tree.ts'
import type { Sheets, Style } from './cascade.ts'
import { declaredColors, eachColor, isSameColor, readColor, type Color } from './colors.ts'

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

export class Colors {
  readonly #sheets: Sheets
  readonly #text: readonly Color[]
  readonly #background: readonly Color[]
  readonly #top: Pair
  readonly #pairs = new Map<Element, Pair>()
  readonly #known = new Map<string, boolean>()

  /** `inline` has the `style` attributes of the page. */
  constructor(sheets: Sheets, inline: ReadonlySet<string>) {
    this.#sheets = sheets
    // Other sheets may colour anything, so that nothing is known of what the page does not declare.
    const { text, background } = sheets.hasUnread ? nothing : declaredColors([...sheets.blocks, ...inline])
    this.#text = [...text, black]
    this.#background = [...background, white]
    this.#top = sheets.hasUnread ? unknown : { text: black, background: white }
  }

  /** Whether the element declares a colour that text and a background of the page share. */
  mayHide(element: Element): boolean {
    const { style } = element.attributes
    return (style !== undefined && this.#canHide(style)) || this.#sheets.applies(this.#accepts, element)
  }

  readonly #accepts = (block: string): boolean => this.#canHide(block)

  isHidden(element: Element): boolean {
    const { text, background } = this.#pairOf(element)
    if (!text) return false
    return text[3] < clear || (background !== undefined && isSameColor(text, background))
  }

  #canHide(declarations: string): boolean {
    let known = this.#known.get(declarations)
    if (known === undefined) this.#known.set(declarations, (known = this.#compare(declarations)))
    return known
  }

  #compare(declarations: string): boolean {
    // A sheet that is not known may set the background of any other element.
    const near = this.#sheets.hasUnread ? declaredColors([declarations]) : undefined
    for (const { isBackground, color } of eachColor(declarations)) {
      if (!isBackground && color[3] < clear) return true
      const others = isBackground ? (near?.text ?? this.#text) : (near?.background ?? this.#background)
      if (others.some((other) => isSameColor(color, other))) return true
    }
    return false
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
    let background = isOpen || isLaidOver(element, style) ? undefined : above.background
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

/** Whether the element may be in front of something else than its ancestors. */
function isLaidOver(element: Element, style: Style): boolean {
  if (/^(?:absolute|fixed|sticky)$/.test(style.get('position') ?? '')) return true
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
