// Interprets the styles of an OpenDocument file: marks, headings, quotes, code, and numbered lists.
import type { Marks } from '../html/blocks.ts'
import { at, childrenOf, type XmlElement } from '../xml/tree.ts'

export interface ListLevel {
  readonly isOrdered: boolean
  readonly start: number
}

export interface Styles {
  marks(name: string | undefined): Marks
  /** Returns the display names of a paragraph's style and of its ancestors, nearest first. */
  ancestry(name: string | undefined): readonly string[]
  list(name: string | undefined, level: number): ListLevel | undefined
}

interface RawStyle {
  readonly parent: string | undefined
  readonly name: string
  readonly marks: Marks
}

const maxChain = 20

/**
 * Reads the styles of the given parts, of which missing ones are skipped. The content must be the last part, because its
 * styles override the others.
 */
export function readStyles(roots: readonly (XmlElement | undefined)[]): Styles {
  const raw = new Map<string, RawStyle>()
  const lists = new Map<string, ReadonlyMap<number, ListLevel>>()
  for (const root of roots) {
    for (const group of ['office:styles', 'office:automatic-styles']) {
      for (const style of childrenOf(at(root, group))) {
        const name = style.attributes['style:name']
        if (name === undefined) continue
        if (style.name === 'style:style') raw.set(name, readStyle(style, name))
        if (style.name === 'text:list-style') lists.set(name, readLevels(style))
      }
    }
  }
  const chain = (name: string | undefined): RawStyle[] => {
    const found: RawStyle[] = []
    for (let next = name; next !== undefined && found.length < maxChain;) {
      const style = raw.get(next)
      if (!style) break
      found.push(style)
      next = style.parent
    }
    return found
  }
  return {
    marks: (name) =>
      Object.assign(
        {},
        ...chain(name)
          .toReversed()
          .map(({ marks }) => marks),
      ),
    ancestry: (name) => {
      const found = chain(name).map((style) => style.name)
      // Some applications refer to styles that they do not define.
      return found.length === 0 && name !== undefined ? [shownName(name)] : found
    },
    list: (name, level) => (name === undefined ? undefined : lists.get(name)?.get(level)),
  }
}

function readStyle(style: XmlElement, name: string): RawStyle {
  const shown = style.attributes['style:display-name'] ?? shownName(name)
  return {
    parent: style.attributes['style:parent-style-name'],
    name: shown,
    marks: { ...readMarks(at(style, 'style:text-properties').attributes), ...named.get(shown) },
  }
}

function shownName(name: string): string {
  return name.replaceAll('_20_', ' ')
}

// Styles whose meaning is in their name, because their appearance is arbitrary.
const named: ReadonlyMap<string, Marks> = new Map(
  Object.entries<Marks>({
    'Strong Emphasis': { bold: true },
    Emphasis: { italic: true },
    'Source Text': { code: true },
  }),
)

function readMarks(look: Readonly<Record<string, string>>): Marks {
  const { 'fo:font-weight': weight, 'fo:font-style': slant, 'style:text-position': position } = look
  const line = look['style:text-line-through-style'] ?? look['style:text-line-through-type']
  return {
    ...(weight !== undefined && { bold: weight === 'bold' || Number(weight) >= 600 }),
    ...(slant !== undefined && { italic: slant === 'italic' || slant === 'oblique' }),
    ...(line !== undefined && { strike: line !== 'none' }),
    ...(position !== undefined && {
      raised: /^super|^[1-9]/.test(position),
      lowered: /^sub|^-/.test(position),
    }),
  }
}

function readLevels(list: XmlElement): ReadonlyMap<number, ListLevel> {
  return new Map(
    childrenOf(list).map(({ name, attributes }) => {
      const format = attributes['style:num-format']
      const start = Number(attributes['text:start-value'] ?? 1)
      const isOrdered = name === 'text:list-level-style-number' && format !== undefined && format !== ''
      return [Number(attributes['text:level'] ?? 1), { isOrdered, start: Number.isSafeInteger(start) ? start : 1 }]
    }),
  )
}
