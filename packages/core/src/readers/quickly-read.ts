import { countByte } from '@harvestman/toolbox/count-byte'
import type { EncodedText } from '../plugin/parts.ts'
import type { ReadTask } from '../scrape/reader.ts'

// Reading time is proportional to the number of tags; scripts and styles take almost no time. Pages with this many tags take
// 5 to 15 ms, and up to 40 ms if they are built to be slow.
const maxTags = 6_000
const mainContentCost = 2
// A complex selector can take longer than parsing the page, so only simple ones run on the calling thread.
const simpleSelector = /^[\w.#-]*$/

/**
 * Returns whether a page is certain to take little time to read, and is at most `maxBytes` long, in bytes or in characters of
 * decoded text. Does not parse it.
 */
export function isQuicklyRead({ source, scope, wanted }: ReadTask, maxBytes: number): boolean {
  const body = bodyOf(source)
  const selectors = [...scope.includeTags, ...scope.excludeTags]
  return (
    (typeof body === 'string' ? body.length : body.bytes.byteLength) <= maxBytes &&
    selectors.every((selector) => simpleSelector.test(selector)) &&
    wanted.every(({ options, module }) => (module ? module.inPlace !== undefined : !hasSelectors(options))) &&
    hasFewTags(body, scope.onlyMainContent ? maxTags / mainContentCost : maxTags)
  )
}

/** Returns the content to read: a decoded string, or encoded bytes. */
export function bodyOf(source: ReadTask['source']): string | EncodedText {
  return 'text' in source ? source.text : source.html
}

const opening = '<'.charCodeAt(0)

function hasFewTags(body: string | EncodedText, most: number): boolean {
  if (typeof body === 'string') {
    let tags = 0
    for (let at = body.indexOf('<'); at >= 0 && tags <= most; at = body.indexOf('<', at + 1)) tags += 1
    return tags <= most
  }
  return countByte(body.bytes, opening, most) <= most
}

function hasSelectors(options: unknown): boolean {
  return typeof options === 'object' && options !== null && ('selectors' in options || 'marker' in options)
}
