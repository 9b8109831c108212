import type { EncodedText } from '../plugin/parts.ts'
import type { ReadTask } from '../scrape/reader.ts'

// Reading time follows from the tags of a page: scripts and styles take next to nothing. Pages of so many tags take 5
// to 15 ms, and those that are made to be slow up to 40.
const mostTags = 6_000
const mainContentCost = 2
// A selector can cost more than the page it is tried on, so only these run on the calling thread.
const simpleSelector = /^[\w.#-]*$/

/** Is it known, before it is read, that a page of up to so many bytes takes little time? */
export function isQuicklyRead({ source, scope, wanted }: ReadTask, mostBytes: number): boolean {
  const body = bodyOf(source)
  const selectors = [...scope.includeTags, ...scope.excludeTags]
  return (
    (typeof body === 'string' ? body.length : body.bytes.byteLength) <= mostBytes &&
    selectors.every((selector) => simpleSelector.test(selector)) &&
    wanted.every(({ options, module }) => (module ? module.inPlace !== undefined : !hasSelectors(options))) &&
    hasFewTags(body, scope.onlyMainContent ? mostTags / mainContentCost : mostTags)
  )
}

/** Content to be read, as it is held. */
export function bodyOf(source: ReadTask['source']): string | EncodedText {
  return 'text' in source ? source.text : source.html
}

const opening = '<'.charCodeAt(0)

function hasFewTags(body: string | EncodedText, most: number): boolean {
  let tags = 0
  if (typeof body === 'string') {
    for (let at = body.indexOf('<'); at >= 0 && tags <= most; at = body.indexOf('<', at + 1)) tags += 1
    return tags <= most
  }
  const { bytes } = body
  for (let at = 0; at < bytes.length && tags <= most; at += 1) if (bytes[at] === opening) tags += 1
  return tags <= most
}

function hasSelectors(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'selectors' in options
}
