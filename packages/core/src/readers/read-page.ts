import { readHtml } from '@harvestman/html/internal'
import { encodeJson } from '../lib/encoded-json.ts'
import { decodeText } from '../net/decode.ts'
import type { ReadResult, ReadTask } from '../scrape/reader.ts'

/** What crosses into a worker: the task without what only the main thread needs to know. */
export type PageTask = Omit<ReadTask, 'version' | 'team'>

/** Decodes a page and reads it, here and now. What is to be encoded is bytes. */
export function readPage({ html, url, scope, wanted }: PageTask): ReadResult {
  const text = typeof html === 'string' ? html : decodeText(html.bytes, html.contentType, { html: true }).text
  const { values, warnings } = readHtml({ html: text, url }, scope, wanted)
  const given = wanted.map(({ field, name, encode }) => [field, encode ? encodeJson(values[name]) : values[name]])
  return { values: Object.fromEntries(given), warnings }
}
