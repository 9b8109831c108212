import type { Element } from '../tree.ts'
import { resolveUrl, type Base } from '../urls.ts'
import { elementsOf, lineOf, nextNode, textOf } from '../walk.ts'
import { collectAnnotations, wordsOf } from './annotations.ts'
import { makeBuilder, shorten, type DataBuilder } from './builder.ts'
import { collectJsonLd } from './json-ld.ts'
import { plainName } from './items.ts'
import { collectLabels } from './labels.ts'
import { collectState } from './state.ts'
import { readNumber } from './values.ts'
import type { DataMethod, LabelledValue, PageData } from './types.ts'

/** Collects what a page says in a form that programs can read. The tree stays as it is. */
export function collectData(root: Element, base: Base): PageData {
  const elements = elementsOf(root)
  const builder = makeBuilder(elements)
  collectJsonLd(elements.filter(isJsonLd), builder)
  collectAnnotations(elements, base, builder)
  const meta = collectMeta(elements, base, builder)
  const { labelled, tables } = collectLabels(elements, builder)
  const titles = new Set(
    meta.filter(({ label }) => namesOfPage.has(label)).map(({ value }) => plainName(String(value))),
  )
  const scripts = elements.filter(
    (element) => element.name === 'script' && !element.attributes['src'] && !isJsonLd(element),
  )
  const state = collectState(scripts, (name) => titles.has(plainName(name)), builder)
  const { sources, items } = builder
  return { url: base.href, sources, items, meta, labelled, tables, state, prices: collectPrices(root) }
}

const namesOfPage = new Set(['h1', 'og:title', 'title'])

function isJsonLd({ name, attributes }: Element): boolean {
  return name === 'script' && /^\s*application\/ld\+json\b/i.test(attributes['type'] ?? '')
}

const mostMeta = 500

function collectMeta(elements: readonly Element[], base: Base, builder: DataBuilder): LabelledValue[] {
  const meta: LabelledValue[] = []
  const add = (label: string, value: string | undefined, element: Element, method: DataMethod): void => {
    const words = lineOf(value ?? '')
    if (words === '' || meta.length >= mostMeta) return
    const source = builder.sourceOf(element, method)
    if (source !== undefined) meta.push({ label: label.trim().toLowerCase(), value: shorten(words), source })
  }
  const addLink = (label: string, href: string | undefined, element: Element): void =>
    add(label, href && (resolveUrl(href, base) ?? href), element, 'element')
  for (const element of elements) {
    const { name, attributes } = element
    if (name === 'meta') {
      const label = attributes['property'] ?? attributes['name']
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

const mostPrices = 500
const money = /[$€£¥₹]|\b(?:EUR|USD|GBP|CHF|AUD|CAD|kr|zł|Kč|Ft|лв)\b/
const unshown = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg'])
const longestPrice = 60

/** The numbers in small elements that speak of money, however their digits are parted. */
function collectPrices(root: Element): number[] {
  const prices = new Set<number>()
  let node = nextNode(root, root)
  while (node && prices.size < mostPrices) {
    if (node.type === 'text' && node.text.length <= longestPrice && money.test(node.text)) {
      const around = node.parent && isSmall(node.parent) ? wordsOf(node.parent) : ''
      for (const text of [node.text, around])
        for (const part of text.match(/\d[\d.,' \u00A0\u202F]*/g) ?? []) {
          const price = readNumber(part, true)
          if (price !== undefined) prices.add(price)
        }
    }
    node = nextNode(node, root, node.type === 'element' && unshown.has(node.name))
  }
  return [...prices]
}

const mostParts = 6

function isSmall(element: Element): boolean {
  let parts = 0
  for (let child = element.first; child; child = child.next) {
    if (++parts > mostParts || (child.type === 'text' && child.text.length > longestPrice)) return false
  }
  return true
}
