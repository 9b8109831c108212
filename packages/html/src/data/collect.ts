import type { Element } from '../tree/tree.ts'
import { resolveUrl, type Base } from '../addresses/urls.ts'
import { elementsOf, lineOf, textOf } from '../tree/walk.ts'
import { collectAnnotations, wordsOf } from './annotations.ts'
import { makeBuilder, shorten, type DataBuilder } from './builder.ts'
import { collectJsonLd } from './json-ld.ts'
import { plainName } from './items.ts'
import { collectLabels } from './labels.ts'
import { collectPrices } from './prices.ts'
import { collectSeen } from './seen/seen.ts'
import type { SightReader } from './seen/spots.ts'
import { collectState } from './state.ts'
import type { DataMethod, LabelledValue, PageData } from './types.ts'

/** Options of the search for values without markup, which takes as long as all the rest. */
export interface SightOptions {
  /** Concepts to search for; all if absent. */
  readonly wanted?: ReadonlySet<string>
  /** Searches in addition to those for author and date. */
  readonly readers?: readonly SightReader[]
}

/** Collects the machine-readable data of a page, and values without markup. The tree is not changed. */
export function collectData(root: Element, base: Base, { wanted, readers }: SightOptions = {}): PageData {
  const elements = elementsOf(root)
  const builder = makeBuilder(elements)
  const meta = collectMarkup(elements, base, builder)
  const { labelled, tables } = collectLabels(elements, builder)
  const titles = new Set(
    meta.filter(({ label }) => namesOfPage.has(label)).map(({ value }) => plainName(String(value))),
  )
  const scripts = elements.filter(
    (element) => element.name === 'script' && !element.attributes['src'] && !isJsonLd(element),
  )
  const state = collectState(scripts, (name) => titles.has(plainName(name)), builder)
  const { sources, items } = builder
  return {
    url: base.href,
    sources,
    items,
    meta,
    labelled,
    tables,
    state,
    prices: collectPrices(root),
    seen: collectSeen({ elements, meta, url: base.href, wanted, readers }, builder),
  }
}

/** Collects what markup states: JSON-LD, microdata and RDFa items into the builder, `meta` and the like as the result. */
export function collectMarkup(elements: readonly Element[], base: Base, builder: DataBuilder): LabelledValue[] {
  const scripts: Element[] = []
  const named: Element[] = []
  for (const element of elements) {
    if (element.name === 'script') {
      if (isJsonLd(element)) scripts.push(element)
    } else if (metaElements.has(element.name)) named.push(element)
  }
  collectJsonLd(scripts, builder)
  collectAnnotations(elements, base, builder)
  return collectMeta(named, base, builder)
}

const metaElements = new Set(['meta', 'html', 'title', 'h1', 'link', 'a', 'time'])

const namesOfPage = new Set(['h1', 'og:title', 'title'])

function isJsonLd({ name, attributes }: Element): boolean {
  return name === 'script' && /^\s*application\/ld\+json\b/i.test(attributes['type'] ?? '')
}

const maxMeta = 500

function collectMeta(elements: readonly Element[], base: Base, builder: DataBuilder): LabelledValue[] {
  const meta: LabelledValue[] = []
  const add = (label: string, value: string | undefined, element: Element, method: DataMethod): void => {
    const words = lineOf(value ?? '')
    if (words === '' || meta.length >= maxMeta) return
    const source = builder.sourceOf(element, method)
    if (source !== undefined) meta.push({ label: label.trim().toLowerCase(), value: shorten(words), source })
  }
  const addLink = (label: string, href: string | undefined, element: Element): void =>
    add(label, href && (resolveUrl(href, base) ?? href), element, 'element')
  for (const element of elements) {
    const { name, attributes } = element
    if (name === 'meta') {
      const label = attributes['property'] ?? attributes['name'] ?? attributes['itemprop']
      if (label) add(label, attributes['content'], element, 'meta')
    } else if (name === 'html') add('language', attributes['lang'], element, 'element')
    else if (name === 'title' && element.parent?.name === 'head') add('title', textOf(element), element, 'element')
    else if (name === 'h1') add('h1', wordsOf(element), element, 'element')
    else if (name === 'link' && /\bcanonical\b/i.test(attributes['rel'] ?? '')) {
      addLink('canonical', attributes['href'], element)
    } else if (name === 'a' && /\bauthor\b/i.test(attributes['rel'] ?? ''))
      add('rel-author', wordsOf(element), element, 'element')
    else if (name === 'time') add('time', attributes['datetime'] ?? wordsOf(element), element, 'element')
  }
  return meta
}
