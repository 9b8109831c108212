// Prepares the rows of pages for Postgres, in the index thread.
import { hash } from 'node:crypto'

import { nextTurn } from '@harvestman/toolbox/next-turn'

import { cutPage } from './cut.ts'
import { decodedPath } from './operators.ts'
import type { IndexedPage } from './rows.ts'
import { plainText } from './snippet.ts'
import { searchText, seamsOf, storable } from './postgres-text.ts'

/** Hashes a URL, because an index cannot have long strings. */
export function urlKey(url: string): string {
  return hash('sha256', url, 'base64')
}

/** Returns the row of each page with its chunks, as JSON that Postgres can store. Rejects when aborted. */
export async function pageJsons(pages: readonly IndexedPage[], signal: AbortSignal): Promise<readonly string[]> {
  const jsons: string[] = []
  for (const page of pages) {
    jsons.push(storableJson(await rowOf(page, signal)))
    // Lets the thread read that the work was aborted.
    await nextTurn()
    signal.throwIfAborted()
  }
  return jsons
}

function storableJson(row: object): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value))
}

async function rowOf(page: IndexedPage, signal: AbortSignal): Promise<object> {
  const { url, language, version, at, title } = page
  const { hostname, host, pathname } = new URL(url)
  const path = decodedPath(pathname)
  // Before it is cut, so that the hashes fit the stored chunks.
  const markdown = storable(page.markdown)
  const cut = await cutPage(markdown, signal)
  const chunks = cut.map(({ id, headings, start, end, hash }) => ({
    ...{ chunk: id, start, end, hash, headings },
    heading_words: searchText(headings.join('\n')),
    body_words: searchText(plainText(markdown.slice(start, end))),
  }))
  return {
    ...{ key: urlKey(url), url, host: hostname, path, language, at, version, title, markdown },
    bytes: Buffer.byteLength(markdown),
    title_words: searchText(title),
    url_words: searchText(host + path),
    body_words: searchText(plainText(markdown)),
    seams: seamsOf(chunks.map(({ body_words: words }) => words)),
    chunks,
  }
}
