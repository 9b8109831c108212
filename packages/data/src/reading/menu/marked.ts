// Reads a menu from structured data.
import { type Base, type DataItem, type PageData, type Scalar, readNumber, resolveUrl } from '@harvestman/html/internal'
import { menuBounds, type Menu, type MenuItem, type MenuPrice, type MenuSection } from './types.ts'

const places = new Set([
  'Restaurant',
  'FoodEstablishment',
  'FastFoodRestaurant',
  'CafeOrCoffeeShop',
  'BarOrPub',
  'Bakery',
  'Brewery',
  'Winery',
  'IceCreamShop',
])
const sure = 0.95

/** Returns the menu sections in the structured data of a page. `undefined` if no section has a dish. */
export function markedMenu(data: PageData, base: Base): Menu | undefined {
  const sections = data.items
    .filter(({ types }) => types.includes('MenuSection') || types.includes('Menu'))
    .slice(0, menuBounds.sections)
    .map((item) => sectionOf(item, data, base))
    .filter(({ items }) => items.length > 0)
  return sections.length === 0 ? undefined : { confidence: sure, sections, ...merchantOf(data) }
}

/** Returns the restaurant that the page belongs to, from structured data. Empty if none has a name. */
export function merchantOf(data: PageData): Pick<Menu, 'merchant'> {
  const place = data.items.find(({ types }) => types.some((type) => places.has(type)))
  const name = place && textOf(place, 'name')
  return name === undefined ? {} : { merchant: { name, type: place!.types[0]! } }
}

function sectionOf(item: DataItem, data: PageData, base: Base): MenuSection {
  const description = textOf(item, 'description')
  const items = partsOf(item, 'hasMenuItem', data).slice(0, menuBounds.items)
  return {
    name: textOf(item, 'name') ?? 'Menu',
    ...(description !== undefined && { description }),
    items: items.flatMap((dish) => dishOf(dish, data, base) ?? []),
  }
}

function dishOf(item: DataItem, data: PageData, base: Base): MenuItem | undefined {
  const name = textOf(item, 'name')
  if (name === undefined) return undefined
  const description = textOf(item, 'description')
  const address = (property: string): string | undefined => {
    const text = textOf(item, property)
    return text === undefined ? undefined : resolveUrl(text, base)
  }
  const [image, url] = [address('image'), address('url')]
  const price = priceOf(item, data)
  const calories = partsOf(item, 'nutrition', data).map((one) => textOf(one, 'calories'))[0]
  const energy = calories === undefined ? undefined : readNumber(calories.replace(/[^\d.,]+/g, ' ').trim(), false)
  return {
    name,
    ...(description !== undefined && { description }),
    ...(image !== undefined && { image }),
    ...(price && { price }),
    dietary: textsOf(item, 'suitableForDiet').map((diet) => diet.replace(/^.*\//, '').replace(/Diet$/, '')),
    ...(energy !== undefined && { calories: energy }),
    ...(url !== undefined && { url }),
  }
}

function priceOf(item: DataItem, data: PageData): MenuPrice | undefined {
  for (const offer of [...partsOf(item, 'offers', data), item]) {
    const amount = readNumber(textOf(offer, 'price') ?? '', true)
    const currency = textOf(offer, 'priceCurrency')
    if (amount !== undefined) return { amount, ...(currency !== undefined && { currency }) }
  }
  return undefined
}

function partsOf({ properties }: DataItem, name: string, { items }: PageData): readonly DataItem[] {
  return (properties[name] ?? []).flatMap((entry) => ('item' in entry ? (items[entry.item] ?? []) : []))
}

function textsOf({ properties }: DataItem, name: string): readonly string[] {
  return (properties[name] ?? []).flatMap((entry) => ('value' in entry ? [wordsOf(entry.value)] : [])).filter(Boolean)
}

function textOf(item: DataItem, name: string): string | undefined {
  return textsOf(item, name)[0]
}

function wordsOf(value: Scalar): string {
  return String(value).trim()
}
