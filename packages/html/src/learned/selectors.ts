// Selectors that may find an element again on other pages of its template.
import type { Element } from '../tree/tree.ts'
import { isNaming } from './facts.ts'
import type { AlternativeKind } from './types.ts'

/** A selector, and what it finds its element by. */
export interface Naming {
  readonly by: AlternativeKind
  readonly selector: string
}

const telling = new Set(['h1', 'time', 'address', 'main', 'article', 'header', 'figcaption', 'blockquote'])
const tellingLinks = new Set(['author', 'tag', 'category', 'license'])
const word = /^-?[A-Za-z_][\w-]{1,50}$/
/** A class that a tool made up: its end changes with each build. */
const hashed = /^([A-Za-z][\w-]*?(?:__|--|_|-))[A-Za-z\d]*(?:\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z])[\w-]*$/
const madeUp = /^(?:css|sc|jss|emotion|styled|e|_)-?[a-z\d]{5,}$|\d{3}|^[a-z]{1,2}\d/i
/** The name that styled-components makes of a style, beside the one of the component. */
const styledName = /^[A-Za-z]{5,7}$/

/** How an element can be named by itself, the most telling first. */
export function namingsOf({ name, attributes }: Element): readonly Naming[] {
  const namings: Naming[] = []
  const isMeta = name === 'meta'
  for (const attribute in attributes) {
    const value = attributes[attribute]!
    if (isNaming(attribute) && isToken(value, isMeta) && (attribute !== 'rel' || tellingLinks.has(value)))
      namings.push({ by: isMeta ? 'meta' : 'attribute', selector: `[${attribute}="${value}"]` })
  }
  if (isMeta) return namings
  // What browsers show as the title is often another one than that of the page.
  if (name === 'title') return [{ by: 'near', selector: name }]
  if (telling.has(name)) namings.push({ by: 'heading', selector: name })
  const { id } = attributes
  if (id && isStable(id)) namings.push({ by: 'id', selector: `#${id}` })
  const tokens = (attributes['class'] ?? '').split(/\s+/).slice(0, 12)
  const isStyled = tokens.some((token) => token.startsWith('sc-'))
  for (const token of tokens) if (!isStyled || !styledName.test(token)) namings.push(...ofClass(token))
  return namings
}

function isToken(value: string, isMeta: boolean): boolean {
  return value.length <= 40 && /^[A-Za-z][\w:.-]*$/.test(value) && (isMeta || !/\d{3}/.test(value))
}

function isStable(token: string): boolean {
  return word.test(token) && !madeUp.test(token) && !hashed.test(token)
}

function ofClass(token: string): readonly Naming[] {
  if (isStable(token)) return [{ by: 'class', selector: `.${token}` }]
  const start = word.test(token) ? hashed.exec(token)?.[1] : undefined
  return start !== undefined && start.length >= 5 ? [{ by: 'class', selector: `[class*="${start}"]` }] : []
}

const mostAbove = 6

/** Selectors for an element, the most telling first: by itself, and within what is around it. */
export function* selectorsFor(element: Element, root: Element): Generator<Naming> {
  const own = namingsOf(element)
  yield* own
  if (element.name === 'meta') return
  for (const naming of own) {
    if (naming.selector.startsWith('.') || naming.selector.startsWith('['))
      yield { ...naming, selector: element.name + naming.selector }
  }
  const last = [...own.slice(0, 3).map(({ selector }) => selector), element.name]
  let above = element.parent
  for (let steps = 0; above && above !== root && steps < mostAbove; steps += 1, above = above.parent) {
    for (const { selector } of namingsOf(above).slice(0, 4)) {
      for (const end of last) yield { by: end === element.name ? 'within' : 'class', selector: `${selector} ${end}` }
      if (steps === 0) yield { by: 'near', selector: `${selector} > ${element.name}${placeOf(element)}` }
    }
  }
}

function placeOf(element: Element): string {
  let place = 1
  for (let at = element.previous; at; at = at.previous) {
    if (at.type === 'element' && at.name === element.name) place += 1
  }
  return `:nth-of-type(${place})`
}
