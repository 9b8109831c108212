import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

import { madeUpPage } from './made-up-pages.ts'

export interface CorpusPage {
  readonly name: string
  readonly url: string
  readonly html: string
}

interface Row {
  readonly id: string
  readonly url: string
}

/** Pages of the corpus folder: `take` of each set, evenly spread over the sizes; made-up ones without a folder. */
export function readCorpus(folder: string, take: number): CorpusPage[] {
  if (folder === '') return madeUp(take)
  const pages: CorpusPage[] = []
  for (const set of readdirSync(folder).toSorted()) {
    const list = join(folder, set, 'pages.jsonl.br')
    if (!existsSync(list)) continue
    const rows = unpack(list)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row)
    const all = rows.map(({ id, url }) => ({
      name: `${set}/${id}`,
      url,
      html: unpack(join(folder, set, 'html', `${id}.html.br`)),
    }))
    pages.push(
      ...spread(
        all.toSorted((a, b) => a.html.length - b.html.length),
        take,
      ),
    )
  }
  return pages
}

function spread<T>(items: readonly T[], take: number): T[] {
  if (items.length <= take) return [...items]
  return Array.from({ length: take }, (_, index) => items[Math.floor(((index + 0.5) * items.length) / take)]!)
}

function unpack(file: string): string {
  return brotliDecompressSync(readFileSync(file)).toString()
}

function madeUp(take: number): CorpusPage[] {
  return Array.from({ length: take }, (_, number) => {
    return { name: `made up/${number}`, url: `https://example.com/${number}`, html: madeUpPage(number, take) }
  })
}
