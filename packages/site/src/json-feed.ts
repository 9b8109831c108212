import { parseJson } from '@harvestman/toolbox/parse-json'
import { maxUrlLength, parseDate, type Scan, type ScanOptions } from './sitemap-entry.ts'

/** Maximum size in bytes, because the whole feed is in memory. */
const maxBytes = 5_000_000

/**
 * Creates a reader of the first `most` entries of JSON feeds (jsonfeed.org). `end` returns false for a file of more than 5 MB
 * and for a truncated feed, which have no entries. Other JSON has no entries either.
 */
export function scanJsonFeed({ entry, most }: ScanOptions): Scan {
  const pieces: Buffer[] = []
  let size = 0
  return {
    feed: (bytes) => {
      size += bytes.length
      // Copied, because the buffer is reused.
      if (size <= maxBytes) pieces.push(Buffer.from(bytes))
      return size <= maxBytes
    },
    end: () => {
      const items = size <= maxBytes ? itemsIn(Buffer.concat(pieces).toString()) : undefined
      for (const item of items?.slice(0, most) ?? []) {
        const url = textOf(item, 'url')
        if (url === undefined || url.length > maxUrlLength) continue
        const changedAt = parseDate(textOf(item, 'date_modified') ?? textOf(item, 'date_published') ?? '')
        entry({ kind: 'page', url, title: textOf(item, 'title'), changedAt })
      }
      return items !== undefined
    },
  }
}

/** Returns the items, or `undefined` for a truncated feed. */
function itemsIn(json: string): readonly unknown[] | undefined {
  const feed = parseJson(json)
  if (feed === undefined) return json.includes('https://jsonfeed.org/version/') ? undefined : []
  const isFeed = textOf(feed, 'version')?.startsWith('https://jsonfeed.org/version/')
  const items: unknown = isFeed ? Reflect.get(Object(feed), 'items') : undefined
  return Array.isArray(items) ? items : []
}

function textOf(value: unknown, name: string): string | undefined {
  const own: unknown = Reflect.get(Object(value), name)
  return typeof own === 'string' && own !== '' ? own : undefined
}
