import { joined, only, type Found, type Subject } from './agree.ts'
import { conceptOf, wordsOfName, type Concept } from './concepts.ts'
import { isOf, isWebPage, itemsAt, valuesAt } from './items.ts'
import type { ScalarShape } from './shape.ts'
import { isSite, titleOf } from './title.ts'
import type { DataItem, DataLeaf, PageData, Scalar } from './types.ts'
import { coerce, isAvailable, readNumber } from './values.ts'

// One value, or a list of plain values, for a field.

export function scalarOf(
  data: PageData,
  shape: ScalarShape,
  names: readonly string[],
  subject: Subject,
): Found | undefined {
  const concept = names.map((name) => conceptOf(name)).find((one) => one !== undefined)
  if (concept?.names[0] === 'name' && subject.isPage) return titleOf(data, shape, subject)
  const found = concept && conceptValue(data, shape, concept, subject)
  const about = subject.isPage ? aboutOf(concept) : undefined
  if (concept && about) return besideShown(data, shape, { concept, about, found, names, subject })
  if (found) return found
  return otherwise(data, shape, concept, names, subject)
}

/** What is labelled, or stands in the state of the page, where no markup says it. */
function otherwise(
  data: PageData,
  shape: ScalarShape,
  concept: Concept | undefined,
  names: readonly string[],
  subject: Subject,
): Found | undefined {
  const kind = concept?.kind ?? 'text'
  const words = names.map(wordsOfName).filter((name) => name !== '')
  const own = subject.items.flatMap((item) => ownValues(data, item, words))
  const labels = new Set([...(concept?.labels ?? []), ...words])
  const labelled = subject.isPage ? data.labelled.filter(({ label }) => labels.has(wordsOfName(label))) : []
  const said = only(concept ? [] : own, shape, kind) ?? only(labelled, shape, kind)
  if (said || !subject.isPage) return said
  return stateValue(data, shape, concept, words) ?? (concept && seenValue(data, shape, concept, subject))
}

/** What stands on the page without marks, when nothing is marked. */
function seenValue(data: PageData, shape: ScalarShape, concept: Concept, subject: Subject): Found | undefined {
  const leaves = data.seen.filter((leaf) => leaf.concept === concept.names[0])
  const found = only(leaves, shape, concept.kind)
  return found && isCertain(data, concept, found, subject) ? found : undefined
}

/** Of what is sold, people see these. */
type Sold = 'price' | 'sku' | 'availability'

/** From here on nothing else on the page could be meant. */
const clear = 0.95

interface Sought {
  readonly concept: Concept
  readonly about: Sold
  /** What markup says. */
  readonly found: Found | undefined
  readonly names: readonly string[]
  readonly subject: Subject
}

function aboutOf(concept: Concept | undefined): Sold | undefined {
  const [name] = concept?.names ?? []
  return name === 'price' || name === 'sku' || name === 'availability' ? name : undefined
}

/** What markup says and what people see of a thing that is sold: each has its own way to be wrong. */
function besideShown(
  data: PageData,
  shape: ScalarShape,
  { concept, about, found, names, subject }: Sought,
): Found | undefined {
  const seen = data.seen.find((one) => one.concept === about)
  const value = seen && coerce(seen.value, shape, concept.kind)
  const shown = seen && value !== undefined ? { value, leaf: seen, isClear: seen.confidence >= clear } : undefined
  if (about === 'sku') return codeOf(data, shape, concept, { found, shown })
  if (found && shown && about === 'availability') return isSame(found, shown, shape, concept) ? found : undefined
  // Markup has the price before the last bid, or that of another variant.
  if (found) return about === 'price' && shown?.isClear && !isSame(found, shown, shape, concept) ? shown : found
  if (shown && (about !== 'price' || shown.isClear || isUndisputed(data, concept, subject, shown))) return shown
  return otherwise(data, shape, concept, names, subject)
}

/** Where the data of the page say several prices, one that it shows must be among them. */
function isUndisputed(data: PageData, { paths }: Concept, { items }: Subject, { value }: Found): boolean {
  const said = items.flatMap((item) => paths.flatMap((path) => valuesAt(data, item, path)))
  const amount = (one: Scalar): number | undefined => (typeof one === 'number' ? one : readNumber(String(one), true))
  return said.length === 0 || said.some((leaf) => amount(leaf.value) === amount(value))
}

function isSame(one: Found, other: Found, { type }: ScalarShape, { kind }: Concept): boolean {
  if (kind === 'price' && type === 'string') {
    return readNumber(String(one.value), true) === readNumber(String(other.value), true)
  }
  return one.value === other.value
}

const codeLike = /^(?=.*\d)[\p{L}\d][\p{L}\d._/-]{1,39}$/u

/** A code that people can read beats one that only programs see: that one is often the code of a variant. */
function codeOf(
  data: PageData,
  shape: ScalarShape,
  concept: Concept,
  {
    found,
    shown,
  }: { readonly found: Found | undefined; readonly shown: (Found & { readonly isClear: boolean }) | undefined },
): Found | undefined {
  const labels = new Set(concept.labels)
  const labelled = only(
    data.labelled.filter(({ label, value }) => labels.has(wordsOfName(label)) && codeLike.test(String(value))),
    shape,
    concept.kind,
  )
  if (labelled) return labelled
  if (shown?.isClear) return shown
  return shown ?? found ?? stateValue(data, shape, concept, ['sku'])
}

/** What the objects of the page's own scripts agree on. Their prices are often in cents, so one must be shown. */
function stateValue(
  data: PageData,
  shape: ScalarShape,
  concept: Concept | undefined,
  words: readonly string[],
): Found | undefined {
  const kind = concept?.kind ?? 'text'
  if (kind === 'person' || (kind === 'price' && data.prices.length === 0)) return undefined
  const leaves = data.state.flatMap((item) =>
    Object.keys(item.properties)
      .filter((name) => (concept ? conceptOf(name) === concept : words.includes(wordsOfName(name))))
      .flatMap((name) => valuesAt(data, item, name)),
  )
  const found = only(leaves, shape, kind)
  return found && concept && !isCertain(data, concept, found, { items: [], isPage: true }) ? undefined : found
}

function conceptValue(data: PageData, shape: ScalarShape, concept: Concept, subject: Subject): Found | undefined {
  const said = subject.items.map((item) => concept.paths.map((path) => offered(valuesAt(data, item, path), concept)))
  // Prices that differ between two notations are not settled by another property.
  if (concept.kind === 'price' || concept.kind === 'currency') {
    const leaves = said.flatMap((paths) => paths.find((one) => one.length > 0) ?? [])
    if (leaves.length > 0) {
      const found = only(leaves, shape, concept.kind)
      return found && isCertain(data, concept, found, subject) ? found : undefined
    }
  }
  for (const [index] of concept.paths.entries()) {
    const leaves = said.flatMap((paths) => paths[index]!)
    const found = concept.kind === 'person' ? joined(leaves, shape) : chosen(leaves, shape, concept)
    if (found && isCertain(data, concept, found, subject)) return found
  }
  if (!subject.isPage) return undefined
  for (const name of concept.meta) {
    const found = chosen(
      data.meta.filter(({ label }) => label === name),
      shape,
      concept,
    )
    if (found) return found
  }
  const pages = data.items.filter(isWebPage)
  const isAboutPage = /^(?:datePublished|dateModified|description|inLanguage)/
  for (const path of concept.paths.filter((one) => isAboutPage.test(one))) {
    const found = only(
      pages.flatMap((item) => valuesAt(data, item, path)),
      shape,
      concept.kind,
    )
    if (found) return found
  }
  return undefined
}

/** What comes in several variants can be had when one of them can. */
function offered(leaves: readonly DataLeaf[], { kind }: Concept): readonly DataLeaf[] {
  const available = kind === 'availability' ? leaves.filter(({ value }) => isAvailable(String(value)) === true) : []
  return available.length > 0 ? available : leaves
}

/** The price must be one that is shown, if any is; a site or an account that signs an article is hardly its author. */
function isCertain(data: PageData, concept: Concept, { value }: Found, { items, isPage }: Subject): boolean {
  if (!isPage) return true
  if (concept.kind === 'price') {
    const price = typeof value === 'number' ? value : readNumber(String(value), true)
    return data.prices.length === 0 || data.prices.some((shown) => shown === price || shown === Math.floor(price ?? 0))
  }
  if (concept.kind !== 'person' || !items.some((item) => isOf('article', item))) return true
  return !isSite(data, String(value)) && !/^[a-z\d]+(?:[-_.][a-z\d]+)+$/.test(String(value))
}

const firstCounts = /^(?:url|image|description|alternative headline)$/

function chosen(leaves: readonly DataLeaf[], shape: ScalarShape, concept: Concept): Found | undefined {
  if (!firstCounts.test(concept.names[0]!)) return only(leaves, shape, concept.kind)
  for (const leaf of leaves) {
    const value = coerce(leaf.value, shape, concept.kind)
    if (value !== undefined) return { value, leaf }
  }
  return undefined
}

/** Properties of the item with just this name, and what it says of itself as pairs of name and value. */
function ownValues(data: PageData, item: DataItem, words: readonly string[]): readonly DataLeaf[] {
  const named = Object.keys(item.properties).filter((name) => words.includes(wordsOfName(name)))
  const direct = named.flatMap((name) => [
    ...valuesAt(data, item, name),
    ...itemsAt(data, item, name).flatMap((inner) => valuesAt(data, inner, 'name')),
  ])
  const additional = itemsAt(data, item, 'additionalProperty').filter((pair) =>
    valuesAt(data, pair, 'name').some(({ value }) => words.includes(wordsOfName(String(value)))),
  )
  return [...direct, ...additional.flatMap((pair) => valuesAt(data, pair, 'value'))]
}

export function scalarsOf(data: PageData, shape: ScalarShape, name: string, subject: Subject): readonly Found[] {
  const concept = conceptOf(name) ?? conceptOf(name.replace(/ies$/, 'y').replace(/s$/, ''))
  const words = wordsOfName(name)
  if (/^bread ?crumbs?$/.test(words)) return breadcrumbs(data, shape)
  if (!concept)
    return distinct(
      subject.items.flatMap((item) => ownValues(data, item, [words])),
      shape,
      'text',
    )
  for (const path of concept.paths) {
    const leaves = subject.items.slice(0, 1).flatMap((item) => valuesAt(data, item, path))
    const values = distinct(membersOf(leaves, concept.kind), shape, concept.kind)
    if (values.length > 0) return values
  }
  if (!subject.isPage) return []
  for (const label of concept.meta) {
    const leaves = data.meta.filter((entry) => entry.label === label)
    const values = distinct(membersOf(leaves, concept.kind), shape, concept.kind)
    if (values.length > 0) return values
  }
  return []
}

function distinct(leaves: readonly DataLeaf[], shape: ScalarShape, kind: Concept['kind']): readonly Found[] {
  const values = new Map<Scalar, Found>()
  for (const leaf of leaves) {
    const value = coerce(leaf.value, shape, kind)
    if (value !== undefined && !values.has(value)) values.set(value, { value, leaf })
  }
  return [...values.values()]
}

const lineEnd = /\s*(?:[\r\n]+|<\/?(?:br|p|div|li|ol|ul|h[1-6])\b[^<>]*>)\s*/i
const comma = /\s*[,;]\s*/

/** The members of a list that may be written as one text: keywords stand between commas, sentences on lines of their own. */
function membersOf(leaves: readonly DataLeaf[], kind: Concept['kind']): readonly DataLeaf[] {
  if (kind !== 'keywords' && kind !== 'lines') return leaves
  return leaves.flatMap((leaf) => {
    const { value, pointer } = leaf
    // What the page parted itself is not parted again.
    if (typeof value !== 'string' || (kind === 'keywords' && pointer?.match(/\/\d+$/))) return [leaf]
    const members = value.split(kind === 'keywords' ? comma : lineEnd).filter(Boolean)
    return members.map((member) => ({ ...leaf, value: member }))
  })
}

function breadcrumbs(data: PageData, shape: ScalarShape): readonly Found[] {
  const lists = data.items.filter(({ types }) => types.includes('BreadcrumbList'))
  const trails = lists.map((list) =>
    distinct(
      itemsAt(data, list, 'itemListElement').flatMap((step) => {
        const names = valuesAt(data, step, 'name')
        return names.length > 0 ? names.slice(0, 1) : valuesAt(data, step, 'item.name').slice(0, 1)
      }),
      shape,
      'text',
    ),
  )
  return trails.find((trail) => trail.length > 0) ?? []
}
