// Title, author and date as other packages read them, loaded from a folder of the reader's choice.
import { loadFrom, type Load } from './peers.ts'

export const facts = ['title', 'author', 'date'] as const
export type Fact = (typeof facts)[number]
export type Answers = Readonly<Record<Fact, string>>

/** Reads the facts of a page. */
export interface FactReader {
  readonly name: string
  readonly read: (html: string, url: string) => Answers | Promise<Answers>
}

interface Given {
  readonly title?: string | null
  readonly author?: string | null
  readonly byline?: string | null
  readonly published?: string | null
  readonly publishedTime?: string | null
  readonly date?: string | null
}

/** Returns the day of a time as written, or in UTC if it is in another form. */
function dayOf(written: string): string {
  if (/^\d{4}-\d{2}-\d{2}/.test(written)) return written.slice(0, 10)
  const time = Date.parse(written)
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10)
}

const answersOf = (given: Given | null): Answers => ({
  title: given?.title ?? '',
  author: given?.author ?? given?.byline ?? '',
  date: dayOf(given?.published ?? given?.publishedTime ?? given?.date ?? ''),
})

const makers: Readonly<Record<string, (load: Load) => Promise<FactReader['read']>>> = {
  '@mozilla/readability': readability,
  defuddle,
  metascraper,
  '@extractus/article-extractor': extractus,
}

/** Returns the packages of a folder that read facts. Those that are missing are reported and omitted. */
export async function loadFactPeers(folder: string): Promise<FactReader[]> {
  const peers: FactReader[] = []
  for (const [name, make] of Object.entries(makers)) {
    try {
      peers.push({ name, read: await make(loadFrom(folder)) })
    } catch (error) {
      console.error(`Omitted: ${name}. ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    }
  }
  return peers
}

type Parse = (html: string) => { readonly document: { readonly documentElement: unknown } }

const linkedom = async (load: Load): Promise<Parse> => (await load('linkedom'))['parseHTML'] as unknown as Parse

async function readability(load: Load): Promise<FactReader['read']> {
  const parse = await linkedom(load)
  const { Readability } = (await load('@mozilla/readability')) as unknown as {
    readonly Readability: new (document: unknown) => { parse(): Given | null }
  }
  return (html) => {
    const { document } = parse(html)
    return answersOf(document.documentElement ? new Readability(document).parse() : null)
  }
}

async function defuddle(load: Load): Promise<FactReader['read']> {
  const parse = await linkedom(load)
  const { Defuddle } = (await load('defuddle/node')) as unknown as {
    readonly Defuddle: (document: unknown, url: string) => Promise<Given>
  }
  return async (html, url) => answersOf(await Defuddle(parse(html).document, url))
}

async function metascraper(load: Load): Promise<FactReader['read']> {
  const names = ['metascraper', 'metascraper-title', 'metascraper-author', 'metascraper-date']
  const [scraper, ...rules] = (await Promise.all(names.map(load))).map((loaded) => loaded['default'] as unknown)
  const makeScraper = scraper as (rules: readonly unknown[]) => (page: object) => Promise<Given>
  const scrape = makeScraper((rules as readonly (() => unknown)[]).map((make) => make()))
  return async (html, url) => answersOf(await scrape({ html, url }))
}

async function extractus(load: Load): Promise<FactReader['read']> {
  const { extractFromHtml } = (await load('@extractus/article-extractor')) as unknown as {
    readonly extractFromHtml: (html: string, url: string) => Promise<Given | null>
  }
  return async (html, url) => answersOf(await extractFromHtml(html, url))
}
