// Builds selectors that are likely to match an element on other pages of its template.
import type { Element } from '@harvestman/html/internal'
import { classNamesOf, isStable, type Naming } from './class-names.ts'
import { isNaming } from './compiled.ts'

const telling = new Set(['h1', 'time', 'address', 'main', 'article', 'header', 'figcaption', 'blockquote'])
const tellingLinks = new Set(['author', 'tag', 'category', 'license'])

/**
 * Returns selectors for an element by its own attributes, or by a telling tag name such as `h1`, most specific first. Empty if
 * nothing identifies it.
 */
export function namingsOf({ name, attributes }: Element): readonly Naming[] {
  const namings: Naming[] = []
  const isMeta = name === 'meta'
  for (const attribute in attributes) {
    const value = attributes[attribute]!
    if (isNaming(attribute) && isToken(value, isMeta) && (attribute !== 'rel' || tellingLinks.has(value)))
      namings.push({ by: isMeta ? 'meta' : 'attribute', selector: `[${attribute}="${value}"]` })
  }
  if (isMeta) return namings
  // The browser title often differs from the heading of the page.
  if (name === 'title') return [{ by: 'near', selector: name }]
  if (telling.has(name)) namings.push({ by: 'heading', selector: name })
  const { id } = attributes
  if (id && isStable(id)) namings.push({ by: 'id', selector: `#${id}` })
  const classes = attributes['class']
  if (classes !== undefined) namings.push(...classNamesOf(classes).namings)
  return namings
}

function isToken(value: string, isMeta: boolean): boolean {
  return value.length <= 40 && /^[A-Za-z][\w:.-]*$/.test(value) && (isMeta || !/\d{3}/.test(value))
}

const maxAncestors = 6

/** Yields selectors for an element, most specific first: by its own attributes, then below an ancestor. */
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
  for (let steps = 0; above && above !== root && steps < maxAncestors; steps += 1, above = above.parent) {
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
