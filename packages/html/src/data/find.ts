import { joined, only, type Found, type Subject } from './agree.ts'
import { conceptOf, wordsOfName, type Concept } from './concepts.ts'
import { isOf, isWebPage, itemsAt, valuesAt } from './items.ts'
import type { ScalarShape } from './shape.ts'
import { isSite, titleOf } from './title.ts'
import type { DataItem, DataLeaf, PageData, Scalar } from './types.ts'
import { coerce, isAvailable, readNumber } from './values.ts'

// Finds a value, or a list of plain values, for a field.

/**
 * Returns the value for a field that may have any of these names, with its source, or `undefined` if none is certain.
 */
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

/** Returns a value from other sources than markup: properties of the same name, labels, script state, or visible text. */
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
  const exact = only(concept ? [] : own, shape, kind) ?? only(labelled, shape, kind)
  if (exact || !subject.isPage) return exact
  return stateValue(data, shape, concept, words) ?? (concept && seenValue(data, shape, concept, subject))
}

/** Returns a value that the page shows without markup. */
function seenValue(data: PageData, shape: ScalarShape, concept: Concept, subject: Subject): Found | undefined {
  const leaves = data.seen.filter((leaf) => leaf.concept === concept.names[0])
  const found = only(leaves, shape, concept.kind)
  return found && isCertain(data, concept, found, subject) ? found : undefined
}

/** Concepts of a product that pages usually also show to users. */
type Sold = 'price' | 'sku' | 'availability'

/** Minimum confidence at which a shown value is considered unambiguous. */
const clear = 0.95

interface Sought {
  readonly concept: Concept
  readonly about: Sold
  /** The value from markup. */
  readonly found: Found | undefined
  readonly names: readonly string[]
  readonly subject: Subject
}

function aboutOf(concept: Concept | undefined): Sold | undefined {
  const [name] = concept?.names ?? []
  return name === 'price' || name === 'sku' || name === 'availability' ? name : undefined
}

/** Chooses between the value from markup and the one shown to users. Each is wrong in different cases. */
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
  // The price in markup can be that of another variant, or older than the last bid.
  if (found) return about === 'price' && shown?.isClear && !isSame(found, shown, shape, concept) ? shown : found
  if (shown && (about !== 'price' || shown.isClear || isUndisputed(data, concept, subject, shown))) return shown
  return otherwise(data, shape, concept, names, subject)
}

/** Returns whether the shown price is one of those in the page's structured data, if there are any. */
function isUndisputed(data: PageData, { paths }: Concept, { items }: Subject, { value }: Found): boolean {
  const structured = items.flatMap((item) => paths.flatMap((path) => valuesAt(data, item, path)))
  const amount = (one: Scalar): number | undefined => (typeof one === 'number' ? one : readNumber(String(one), true))
  return structured.length === 0 || structured.some((leaf) => amount(leaf.value) === amount(value))
}

function isSame(one: Found, other: Found, { type }: ScalarShape, { kind }: Concept): boolean {
  if (kind === 'price' && type === 'string') {
    return readNumber(String(one.value), true) === readNumber(String(other.value), true)
  }
  return one.value === other.value
}

const codeLike = /^(?=.*\d)[\p{L}\d][\p{L}\d._/-]{1,39}$/u

/** Prefers a code that the page shows over one in markup only: the latter is often the code of a variant. */
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

/**
 * Returns the value that all objects in the page's script state agree on. A price must also be shown, as state often
 * has cents.
 */
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
  const candidates = subject.items.map((item) =>
    concept.paths.map((path) => offered(valuesAt(data, item, path), concept)),
  )
  // If notations disagree on the price, no other property decides.
  if (concept.kind === 'price' || concept.kind === 'currency') {
    const leaves = candidates.flatMap((paths) => paths.find((one) => one.length > 0) ?? [])
    if (leaves.length > 0) {
      const found = only(leaves, shape, concept.kind)
      return found && isCertain(data, concept, found, subject) ? found : undefined
    }
  }
  for (const [index] of concept.paths.entries()) {
    const leaves = candidates.flatMap((paths) => paths[index]!)
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

/** Returns only the available offers if there are any: a product is available if one variant is. */
function offered(leaves: readonly DataLeaf[], { kind }: Concept): readonly DataLeaf[] {
  const available = kind === 'availability' ? leaves.filter(({ value }) => isAvailable(String(value)) === true) : []
  return available.length > 0 ? available : leaves
}

/**
 * Returns whether a value is plausible. A price must be shown if the page shows any. The author of an article must not
 * be the site itself or an account name.
 */
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

/** Returns values of properties with exactly this name, including name-value pairs in `additionalProperty`. */
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

/**
 * Returns the distinct values for a list field of plain values, such as breadcrumbs or authors. Empty if there are
 * none.
 */
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

/** Splits a list that is written as one string: keywords at commas, lines at line breaks. */
function membersOf(leaves: readonly DataLeaf[], kind: Concept['kind']): readonly DataLeaf[] {
  if (kind !== 'keywords' && kind !== 'lines') return leaves
  return leaves.flatMap((leaf) => {
    const { value, pointer } = leaf
    // Arrays on the page are not split further.
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
