import { plainBytes } from './sitemap-encoding.ts'
import { maxUrlLength, type Scan, type ScanOptions } from './sitemap-entry.ts'
import { makeTextOf } from './sitemap-text.ts'
import { scanXml } from './sitemap-xml.ts'
import { scanJsonFeed } from './json-feed.ts'

export interface SitemapScan {
  /** Reads a chunk. Returns false if no more is needed: there are enough entries, or the file is not a sitemap. */
  feed(piece: Uint8Array): boolean
  /** Returns whether the file was complete. A file that is not a sitemap counts as complete. */
  end(): boolean
}

/**
 * Creates a streaming reader for sitemaps: XML of sitemaps.org, sitemap indexes, RSS, Atom, JSON feeds, or a list of URLs, one
 * per line. Reads broken files as far as possible. Memory does not grow with the file, except for JSON, whose size is limited.
 */
export function scanSitemap(options: ScanOptions): SitemapScan {
  const encoding = plainBytes()
  let reader: ((bytes: Buffer) => boolean) | undefined
  let finish = (): boolean => true
  const choose = (bytes: Buffer): void => {
    const scan = scanOf(bytes, options)
    reader = scan.feed
    finish = scan.end
  }
  const read = (bytes: Buffer | undefined): boolean => {
    if (!bytes || bytes.length === 0) return true
    if (!reader) choose(bytes)
    return reader!(bytes)
  }
  return {
    feed: (piece) => read(encoding.feed(piece)),
    end: () => {
      read(encoding.end())
      return finish()
    },
  }
}

function scanOf(bytes: Buffer, options: ScanOptions): Scan {
  if (bytes[0] === 0x3c) return scanXml(options, makeTextOf(bytes))
  return bytes[0] === 0x7b ? scanJsonFeed(options) : scanLines(options)
}

// After this many invalid lines the file is not a list of URLs.
const maxStrangeLines = 100

function scanLines({ entry, most }: ScanOptions): Scan {
  let rest = ''
  let [taken, strange] = [0, 0]
  const take = (line: string): void => {
    const url = line.trim()
    if (url === '') return
    if (/^https?:\/\/\S+$/i.test(url) && url.length <= maxUrlLength) {
      taken += 1
      entry({ kind: 'page', url, title: undefined })
    } else if (taken === 0) strange += 1
  }
  return {
    feed: (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split(/[\r\n]+/)
      rest = (lines.pop() ?? '').slice(0, maxUrlLength + 1)
      for (const line of lines) {
        if (taken >= most || strange > maxStrangeLines) return false
        take(Buffer.from(line, 'latin1').toString('utf8'))
      }
      return taken < most && strange <= maxStrangeLines
    },
    end: () => {
      if (taken < most) take(Buffer.from(rest, 'latin1').toString('utf8'))
      // The last line of a list may lack a line break.
      return true
    },
  }
}
