// Reads the declarations of rules and of `style` attributes.
import { declarationEnd, endOf, skipBlock } from './scan-css.ts'

export interface Declaration {
  readonly name: string
  /** In lower case, without `!important`. */
  readonly value: string
  readonly isImportant: boolean
}

/** Properties that are evaluated together. */
const groups = {
  box:
    'display content-visibility opacity clip clip-path position left top right bottom margin-left margin-top width height ' +
    'max-width max-height overflow overflow-x overflow-y transform scale padding padding-top padding-bottom',
  visibility: 'visibility',
  'font-size': 'font-size font',
  indent: 'text-indent overflow',
  color: 'color -webkit-text-fill-color background background-color background-image position',
  reveal: 'animation animation-name transition transform background background-image',
} as const

export type Group = keyof typeof groups

/** The bit of each group. */
export const groupBits = Object.fromEntries(Object.keys(groups).map((group, i) => [group, 1 << i])) as Readonly<
  Record<Group, number>
>

/** The groups of each property, as bits. */
const known = new Map<string, number>()
for (const [group, names] of Object.entries(groups)) {
  for (const name of names.split(' ')) known.set(name, (known.get(name) ?? 0) | groupBits[group as Group])
}

/**
 * Returns the declarations in an element's `style`, or in a rule without its braces, in source order and in lower case; values
 * are cut to 300 characters. Custom properties are included. Nested rules, malformed declarations and properties that do not
 * affect visibility are skipped.
 */
export function readDeclarations(block: string): Declaration[] {
  const found: Declaration[] = []
  let at = 0
  let colon = -1
  while (at < block.length) {
    const end = endOf(block, at, declarationEnd)
    if (block[end] === '{') {
      at = skipBlock(block, end + 1)
      continue
    }
    // The next colon may be far behind this declaration. It is searched once.
    if (colon < at) colon = block.indexOf(':', at)
    if (colon < 0) break
    const from = at
    at = end + 1
    if (colon >= end) continue
    const name = block.slice(from, colon).trim().toLowerCase()
    if (!known.has(name) && !name.startsWith('--')) continue
    const value = block
      .slice(colon + 1, Math.min(end, colon + 1 + maxValue))
      .trim()
      .toLowerCase()
    const isImportant = value.includes('!') && /!\s*important$/.test(value)
    found.push({ name, value: isImportant ? value.slice(0, value.lastIndexOf('!')).trim() : value, isImportant })
  }
  return found
}

const maxValue = 300

/** Returns the groups of the declared properties, as bits. */
export function propertiesOf(declarations: readonly Declaration[]): number {
  let bits = 0
  for (const { name, value } of declarations) {
    const own = known.get(name) ?? 0
    // An element in the normal flow is in front of its ancestors only.
    bits |= name === 'position' && !isLaidOver(value) ? own & ~groupBits.color : own
  }
  return bits
}

/** Returns whether a `position` may put an element in front of others than its ancestors. */
export const isLaidOver = (position: string): boolean => /^(?:absolute|fixed|sticky)$/.test(position)

/** Declarations that can hide. The full style of an element is computed only if one of them applies. */
const hiding =
  /display\s*:\s*(?:none|var)|visibility\s*:\s*(?:hidden|collapse|var)|opacity\s*:\s*(?:0(?![.\d])|0?\.0|[0-4](?:\.\d+)?%|var)|clip(?:-path)?\s*:|text-indent\s*:\s*(?:-|\d{3})|font-size\s*:\s*(?:0(?![.\d])|0?\.0|[01]?(?:\.\d+)?p[xt]|var)|font\s*:[^;}]{0,60}(?<![.\d])[01](?:px)?[\s/]|(?:left|top|right|bottom)\s*:\s*(?:-(?:\d{3}|[\d.]+(?:r?em|%|v[wh]|in|[cm]m|pt|ex|ch))|\d{4})|(?:^|[;{\s]|max-)(?:width|height)\s*:\s*[01](?:px|r?em|%|v[wh])?\s*(?:[;!}]|$)|translate[^;]{0,60}-\s*[.\d]|scale[^;:]{0,4}[(:]\s*0(?!\.?\d)|margin\s*:[^;]{0,60}-\d{3}/i

/** Returns whether declarations can hide their element. Exact only together with the rest of the style. */
export const mayHide = (declarations: string): boolean => hiding.test(declarations)
