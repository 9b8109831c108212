import { readHtml } from '../html/read.ts'
import { decodeText } from '../net/decode.ts'
import type { ReadResult, ReadTask } from '../scrape/reader.ts'

/** What crosses into a worker: the task without what only the main thread needs to know. */
export type PageTask = Omit<ReadTask, 'version'>

/** Decodes a page and reads it, here and now. */
export function readPage({ html, url, scope, wanted }: PageTask): ReadResult {
  const text = typeof html === 'string' ? html : decodeText(html.bytes, html.contentType, { html: true }).text
  const { values, warnings } = readHtml({ html: text, url }, scope, wanted)
  return { values: Object.fromEntries(wanted.map(({ field, name }) => [field, values[name]])), warnings }
}
