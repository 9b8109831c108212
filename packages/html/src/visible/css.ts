// Reads the rules of a page's own style sheets that apply on a screen. Linear in the length of the sheet.

/** Limits of the style sheets of one page. Whatever exceeds them is ignored. */
export const cssLimits = {
  /** Characters of all sheets. */
  chars: 512_000,
  rules: 10_000,
  /** Depth of nested blocks, such as `@media`. */
  depth: 16,
  /** Characters of one selector list. */
  selector: 2_000,
  /** Steps of selector matching. */
  steps: 200_000,
} as const

/** A style rule that applies on a screen. */
export interface Rule {
  readonly selector: string
  /** The declarations, as written. */
  readonly block: string
  /** The screens on which it applies: bits of `screens`. */
  readonly widths: number
  /** Whether it is in a `@layer`, which any rule outside overrides. */
  readonly isLayered: boolean
}

export interface Declaration {
  readonly name: string
  /** In lower case, without `!important`. */
  readonly value: string
  readonly isImportant: boolean
}

/**
 * Returns the rules of a style sheet that may matter for what is visible, in order, at most `max`. `widths` has the screens on
 * which the sheet applies, as bits of `screens`; rules that apply on none of them are omitted.
 */
export function readRules(css: string, max: number, widths: number): Rule[] {
  const text = withoutComments(css)
  const rules: Rule[] = []
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
      const mask = widthsOf(prelude) & (outer?.widths ?? widths)
      if (open.length < cssLimits.depth && mask !== 0) {
        open.push({ widths: mask, isLayered: outer?.isLayered === true || /^@layer\b/i.test(prelude) })
      } else at = skipBlock(text, at)
    } else {
      const close = skipBlock(text, at)
      const block = text.slice(at, close - 1)
      if (end - from <= cssLimits.selector && mayMatter.test(block)) {
        const { widths: mask, isLayered } = open.at(-1) ?? { widths, isLayered: false }
        rules.push({ selector: text.slice(from, end).trim(), block, widths: mask, isLayered })
      }
      at = close
    }
  }
  return rules
}

/** White space before an at-rule, at most. */
const maxBlank = 200

/**
 * Returns the declarations in an element's `style`, or in a rule without its braces, in source order and in lower case; values
 * are cut to 300 characters. Custom properties are included. Nested rules, malformed declarations and properties that do not
 * affect visibility are skipped.
 */
export function readDeclarations(block: string): Declaration[] {
  const found: Declaration[] = []
  let at = 0
  while (at < block.length) {
    const end = endOf(block, at, declarationEnd)
    if (block[end] === '{') {
      at = skipBlock(block, end + 1)
      continue
    }
    const written = block.slice(at, end)
    at = end + 1
    const colon = written.indexOf(':')
    if (colon < 0) continue
    const name = written.slice(0, colon).trim().toLowerCase()
    if (!known.has(name) && !name.startsWith('--')) continue
    const value = written
      .slice(colon + 1, colon + 1 + maxValue)
      .trim()
      .toLowerCase()
    const isImportant = /!\s*important$/.test(value)
    found.push({ name, value: isImportant ? value.slice(0, value.lastIndexOf('!')).trim() : value, isImportant })
  }
  return found
}

const maxValue = 300

const known = new Set(
  (
    'display visibility opacity clip clip-path text-indent font-size font position left right top bottom margin-left ' +
    'margin-top margin width height max-width max-height overflow overflow-x overflow-y transform scale color background ' +
    'background-color background-image animation animation-name transition padding padding-top padding-bottom ' +
    'content-visibility -webkit-text-fill-color'
  ).split(' '),
)

/** Declarations that can hide. The full style of an element is computed only if one of them applies. */
const hiding =
  /display\s*:\s*(?:none|var)|visibility\s*:\s*(?:hidden|collapse|var)|opacity\s*:\s*(?:0(?![.\d])|0?\.0|[0-4](?:\.\d+)?%|var)|clip(?:-path)?\s*:|text-indent\s*:\s*(?:-|\d{3})|font-size\s*:\s*(?:0(?![.\d])|0?\.0|[01]?(?:\.\d+)?p[xt]|var)|font\s*:[^;}]{0,60}(?<![.\d])[01](?:px)?[\s/]|(?:left|top|right|bottom)\s*:\s*(?:-(?:\d{3}|[\d.]+(?:r?em|%|v[wh]|in|[cm]m|pt|ex|ch))|\d{4})|(?:^|[;{\s]|max-)(?:width|height)\s*:\s*[01](?:px|r?em|%|v[wh])?\s*(?:[;!}]|$)|translate[^;]{0,60}-\s*[.\d]|scale[^;:]{0,4}[(:]\s*0(?!\.?\d)|margin\s*:[^;]{0,60}-\d{3}/i

/** Returns whether declarations can hide what they apply to. Exact only together with the rest of the style. */
export const mayHide = (declarations: string): boolean => hiding.test(declarations)

/** Properties of which most rules have none. */
const mayMatter =
  /display|visib|opacity|clip|indent|font|position|left|top|right|bottom|width|height|overflow|transform|scale|color|background|animation|transition|--/i

const preludeEnd = /[{};"'(\\]/g
const declarationEnd = /[;{"'(\\]/g

/** Returns the index of the next sign outside strings and parentheses, or the length. */
function endOf(text: string, from: number, signs: RegExp): number {
  let at = from
  for (;;) {
    signs.lastIndex = at
    const match = signs.exec(text)
    if (!match) return text.length
    const sign = match[0]
    if (sign === '\\') at = match.index + 2
    else if (sign === '"' || sign === "'") at = skipString(text, match.index)
    else if (sign === '(') at = skipParentheses(text, match.index + 1)
    else return match.index
  }
}

function skipString(text: string, from: number): number {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at++
    else if (sign === quote || sign === '\n') return at + 1
  }
  return text.length
}

/** An unclosed parenthesis ends at the next brace, so that one of a hostile sheet costs no more than its own text. */
function skipParentheses(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"' || sign === "'") at = skipString(text, at) - 1
    else if (sign === '\\') at++
    else if (sign === '(') depth++
    else if (sign === ')' && --depth === 0) return at + 1
    else if (sign === '{' || sign === '}') return at
  }
  return text.length
}

const blockSign = /[{}"'\\]/g

/** Returns the index after the brace that closes the block. */
function skipBlock(text: string, from: number): number {
  let depth = 1
  let at = from
  for (;;) {
    blockSign.lastIndex = at
    const match = blockSign.exec(text)
    if (!match) return text.length + 1
    at = match.index + 1
    if (match[0] === '{') depth++
    else if (match[0] === '}') {
      if (--depth === 0) return at
    } else at = match[0] === '\\' ? at + 1 : skipString(text, match.index)
  }
}

/** Returns CSS without comments, also those of HTML. An unterminated comment extends to the end. */
export function withoutComments(css: string): string {
  if (!css.includes('/*')) return css.includes('--') ? css.replaceAll(/<!--|-->/g, '') : css
  const parts: string[] = []
  let at = 0
  for (let open = css.indexOf('/*'); open >= 0; open = css.indexOf('/*', at)) {
    parts.push(css.slice(at, open))
    const close = css.indexOf('*/', open + 2)
    at = close < 0 ? css.length : close + 2
  }
  parts.push(css.slice(at))
  return parts.join('').replaceAll(/<!--|-->/g, '')
}

/** The screens for which a page is read. What one of them shows is visible. */
export const screens = [
  { width: 1280, height: 800, isLarge: true },
  { width: 390, height: 844, isLarge: false },
  { width: 820, height: 1180, isLarge: false },
] as const
export const allWidths = 2 ** screens.length - 1

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

/**
 * Returns a bit mask of the `screens` that a media query list matches. A query with an unknown condition matches none. An empty
 * list matches all.
 */
export function fittingScreens(list: string): number {
  if (list.trim() === '') return allWidths
  const queries = list.toLowerCase().split(',')
  return screens.reduce((mask, screen, i) => mask | (queries.some((query) => fitsQuery(query, screen)) ? 1 << i : 0), 0)
}

type Screen = (typeof screens)[number]

function fitsQuery(query: string, screen: Screen): boolean {
  return query.split(/\band\b/).every((written) => {
    const part = written.trim().replace(/^only\s+/, '')
    if (/^not\b/.test(part)) return /^not\s+print$/.test(part)
    if (part === 'all' || part === 'screen') return true
    return fitsFeature(part, screen)
  })
}

function fitsFeature(part: string, screen: Screen): boolean {
  const [, edge, side, number, unit] = /^\(\s*(min|max)-(width|height)\s*:\s*([\d.]+)(px|em|rem)\s*\)$/.exec(part) ?? []
  if (edge !== undefined) {
    const size = Number(number) * (unit === 'px' ? 1 : 16)
    const own = side === 'width' ? screen.width : screen.height
    return edge === 'min' ? own >= size : own <= size
  }
  const [, relation, limit, rangeUnit] = /^\(\s*width\s*([<>]=?)\s*([\d.]+)(px|em|rem)\s*\)$/.exec(part) ?? []
  if (relation !== undefined) {
    const size = Number(limit) * (rangeUnit === 'px' ? 1 : 16)
    return relation.startsWith('<') ? screen.width <= size : screen.width >= size
  }
  if (/^\(\s*(?:hover(?:\s*:\s*hover)?|pointer\s*:\s*fine|orientation\s*:\s*landscape)\s*\)$/.test(part)) {
    return screen.isLarge
  }
  if (/^\(\s*(?:hover\s*:\s*none|pointer\s*:\s*coarse|orientation\s*:\s*portrait)\s*\)$/.test(part)) {
    return !screen.isLarge
  }
  return /^\(\s*(?:prefers-color-scheme\s*:\s*light|scripting\s*:\s*enabled|prefers-reduced-motion\s*:\s*no-preference)\s*\)$/.test(
    part,
  )
}
