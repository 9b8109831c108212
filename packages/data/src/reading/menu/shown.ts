// Reads a menu from visible text: headings, with dishes and prices below them.
import { type Base, type Element, findElement, lineOf, nextNode, readNumber, textOf } from '@harvestman/html/internal'
import { cellsOf } from '../lists/cells.ts'
import { isFurniture } from '../lists/blocks.ts'
import { readValue } from '../lists/values.ts'
import { menuBounds, type Menu, type MenuItem, type MenuPrice, type MenuSection } from './types.ts'

const menuWords =
  /\bmenus?\b|speisekarte|getränke|\bla carte\b|\bcarta\b|\bmenú\b|\bmenù\b|cardápio|ementa|menukaart|meny|jadłospis|étlap|меню|メニュー|菜单|菜單/iu
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'caption'])
const bare = /^\d{1,3}[.,]\d{2}$|^\d{1,3}[.,]-$/
const minDishes = 4
const maxElements = 50_000
const maxTextLength = 600
const maxPrices = 3
const likely = 0.7

interface Dish {
  readonly element: Element
  readonly item: MenuItem
}

/**
 * Returns the visible menu. `undefined` unless the title, heading or URL names a menu and at least 4 similar blocks have a
 * price.
 */
export function shownMenu(root: Element, base: Base): Menu | undefined {
  if (!mentionsMenu(root, base)) return undefined
  const elements = contentOf(root)
  const dishes = dishesOf(elements, base)
  if (dishes.size < minDishes) return undefined
  const sections = sectionsOf(elements, dishes)
  return { confidence: likely, sections }
}

function mentionsMenu(root: Element, base: Base): boolean {
  const titles = ['title', 'h1'].map((name) => findElement(root, name)).map((found) => (found ? textOf(found) : ''))
  return [...titles, decoded(base.href)].some((text) => menuWords.test(text.slice(0, 500)))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the elements of a page in order, without navigation, header, footer and the like. */
function contentOf(root: Element): readonly Element[] {
  const found: Element[] = []
  for (let node = nextNode(root, root), left = maxElements; node && left > 0; left -= 1) {
    const isLeftOut = node.type === 'element' && isFurniture(node)
    if (node.type === 'element' && !isLeftOut) found.push(node)
    node = nextNode(node, root, isLeftOut)
  }
  return found
}

/** Returns the blocks with a name and a price that belong to the most common element type. */
function dishesOf(elements: readonly Element[], base: Base): ReadonlyMap<Element, Dish> {
  const kinds = new Map<string, Dish[]>()
  for (const element of elements) {
    const item = dishIn(element, base)
    if (!item) continue
    const kind = `${kindOf(element)}<${element.parent ? kindOf(element.parent) : ''}`
    const known = kinds.get(kind)
    if (known) known.push({ element, item })
    else kinds.set(kind, [{ element, item }])
  }
  // Nested types have the same count. The outermost comes first, and it includes the description.
  const [best = []] = [...kinds.values()].toSorted((one, other) => other.length - one.length)
  return new Map(best.slice(0, menuBounds.items).map((dish) => [dish.element, dish]))
}

function kindOf({ name, attributes }: Element): string {
  return `${name}.${attributes['class']?.trim().split(/\s+/, 1)[0] ?? ''}`
}

function dishIn(element: Element, base: Base): MenuItem | undefined {
  if (!element.first || element.first === element.last || !isShort(element)) return undefined
  const cells = [...cellsOf(element, base).values()]
  const texts = cells.filter(({ kind }) => kind === 'text').map(({ words }) => words)
  const prices = texts.flatMap((words) => priceIn(words) ?? [])
  const [name, ...more] = texts.filter((words) => priceIn(words) === undefined && /\p{L}{2}/u.test(words))
  const [price] = prices
  if (name === undefined || !price || prices.length > maxPrices) return undefined
  const description = more.join(' ').slice(0, maxTextLength)
  const image = cells.find(({ kind }) => kind === 'image')?.words
  return {
    name,
    ...(description !== '' && { description }),
    ...(image !== undefined && { image }),
    price,
    dietary: [],
  }
}

/** Whether an element has little text. Stops reading at the limit. */
function isShort(element: Element): boolean {
  let left = maxTextLength
  for (let node = nextNode(element, element); node && left >= 0; node = nextNode(node, element)) {
    left -= node.type === 'text' ? node.text.length : 1
  }
  return left >= 0
}

function priceIn(words: string): MenuPrice | undefined {
  const price = readValue(words, 'price')
  if (typeof price === 'object') return { ...price, formatted: words }
  const amount = bare.test(words) ? readNumber(words, true) : undefined
  return amount === undefined ? undefined : { amount, formatted: words }
}

/** Groups dishes by the heading before them. */
function sectionsOf(elements: readonly Element[], dishes: ReadonlyMap<Element, Dish>): readonly MenuSection[] {
  const sections: { name: string; items: MenuItem[] }[] = []
  let heading = 'Menu'
  let current: { name: string; items: MenuItem[] } | undefined
  for (const element of elements) {
    const dish = dishes.get(element)
    if (dish) {
      if (current?.name !== heading) sections.push((current = { name: heading, items: [] }))
      current.items.push(dish.item)
    } else if (headings.has(element.name) && !isPartOfDish(element, dishes)) {
      heading = lineOf(textOf(element)).slice(0, maxTextLength) || heading
    }
  }
  return sections.slice(0, menuBounds.sections)
}

function isPartOfDish(element: Element, dishes: ReadonlyMap<Element, Dish>): boolean {
  for (let at = element.parent; at; at = at.parent) if (dishes.has(at)) return true
  return false
}
