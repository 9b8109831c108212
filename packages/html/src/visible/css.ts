// Reads the rules of a page's own style sheets that apply on a screen. Linear in the length of the sheet.
import { readDeclarations, mayHide, propertiesOf, type Declaration } from './declarations.ts'
import { allWidths, fittingScreens } from './media.ts'
import { endOf, preludeEnd, skipBlock, withoutComments } from './scan-css.ts'

/** Limits of the style sheets of one page. Whatever exceeds them is ignored. */
export const cssLimits = {
  /** Characters of all sheets. */
  chars: 512_000,
  rules: 10_000,
  /** Depth of nested blocks, such as `@media`. */
  depth: 16,
  /** Characters of one selector list. */
  selector: 2_000,
  /** Lists of selectors that are stored for the `class` attributes of elements. */
  lists: 500_000,
  /** Steps of selector matching. */
  steps: 200_000,
} as const

/** A style rule that applies on a screen. Its declarations are parsed on first use, as most rules apply to no element. */
export class Rule {
  readonly selector: string
  /** The declarations, as written. */
  readonly block: string
  /** The screens on which it applies: bits of `screens`. */
  readonly widths: number
  /** Whether it is in a `@layer`, which any rule outside overrides. */
  readonly isLayered: boolean
  #declarations: readonly Declaration[] | undefined
  #properties: number | undefined
  #mayHide: boolean | undefined

  constructor(selector: string, block: string, widths: number, isLayered: boolean) {
    this.selector = selector
    this.block = block
    this.widths = widths
    this.isLayered = isLayered
  }

  get declarations(): readonly Declaration[] {
    return (this.#declarations ??= readDeclarations(this.block))
  }

  /** The groups of the declared properties, as bits. */
  get properties(): number {
    return (this.#properties ??= propertiesOf(this.declarations))
  }

  /** Whether the declarations can hide, other than by colours. */
  get mayHide(): boolean {
    return (this.#mayHide ??= mayHide(this.block))
  }
}

/**
 * Returns the rules of a style sheet in order, at most `max`. `widths` has the screens on which the sheet applies, as bits of
 * `screens`; rules that apply on none of them are omitted.
 */
export function readRules(css: string, max: number, widths: number): Rule[] {
  const text = withoutComments(css)
  const rules: Rule[] = []
  const masks = new Map<string, number>()
  // The open at-rules whose rules apply.
  const open: { readonly widths: number; readonly isLayered: boolean }[] = []
  let at = 0
  while (at < text.length && rules.length < max) {
    const end = endOf(text, at, preludeEnd)
    const sign = text[end]
    const from = at
    at = end + 1
    if (sign === '}') open.pop()
    else if (sign !== '{') continue
    else if (/^\s*@/.test(text.slice(from, Math.min(end, from + maxBlank)))) {
      const prelude = text.slice(from, end).trim()
      const outer = open.at(-1)
      let own = masks.get(prelude)
      if (own === undefined) masks.set(prelude, (own = widthsOf(prelude)))
      const mask = own & (outer?.widths ?? widths)
      if (open.length < cssLimits.depth && mask !== 0) {
        open.push({ widths: mask, isLayered: outer?.isLayered === true || /^@layer\b/i.test(prelude) })
      } else at = skipBlock(text, at)
    } else {
      const close = skipBlock(text, at)
      const block = text.slice(at, close - 1)
      if (end - from <= cssLimits.selector && mayMatter.test(block)) {
        const { widths: mask, isLayered } = open.at(-1) ?? { widths, isLayered: false }
        rules.push(new Rule(text.slice(from, end).trim(), block, mask, isLayered))
      }
      at = close
    }
  }
  return rules
}

/** White space before an at-rule, at most. */
const maxBlank = 200

/** Properties of which most rules have none. */
const mayMatter =
  /display|visib|opacity|clip|indent|font|position|left|top|right|bottom|width|height|overflow|transform|scale|color|background|animation|transition|--/i

function widthsOf(prelude: string): number {
  const [, name = '', rest = ''] = /^@([\w-]+)\s*([^]*)$/.exec(prelude) ?? []
  switch (name.toLowerCase()) {
    case 'media':
      return fittingScreens(rest)
    case 'supports':
      return /^\s*not\b/i.test(rest) ? 0 : allWidths
    case 'layer':
      return allWidths
    default:
      return 0
  }
}
