import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

export const dataSets = ['wcxb', 'articles', 'news', 'pieces'] as const
export type DataSet = (typeof dataSets)[number]

export interface Gold {
  readonly text?: string
  readonly with?: readonly string[]
  readonly without?: readonly string[]
}

export interface Page {
  readonly set: DataSet
  readonly id: string
  readonly url: string
  readonly type: string
  readonly gold: Gold
}

const unpack = (file: string): string => brotliDecompressSync(readFileSync(file)).toString()

export function readPages(folder: string, set: DataSet): Page[] {
  const file = join(folder, set, 'pages.jsonl.br')
  if (!existsSync(file)) throw new Error(`No ${file}. Give the folder that holds wcxb, articles, news and pieces.`)
  const lines = unpack(file).split('\n').filter(Boolean)
  return lines.map((line) => Object.assign(JSON.parse(line) as Omit<Page, 'set'>, { set }))
}

export function readHtml(folder: string, page: Page): string {
  return unpack(join(folder, page.set, 'html', `${page.id}.html.br`))
}

const publicSecondLevel = /^(?:ac|co|com|edu|gob|gov|govt|gv|ne|net|or|org)$/
const sharedHosts = /(?:blogspot\.[a-z.]+|wordpress\.com|github\.io|medium\.com|substack\.com|tumblr\.com)$/

/** Pages of one site look alike, so folds keep a site whole. Close to the public suffix list, without carrying it. */
export function siteOf(url: string): string {
  let host = ''
  try {
    host = new URL(url).hostname.replace(/^www\./, '')
  } catch {
    return url
  }
  const labels = host.split('.')
  if (labels.length <= 2 || sharedHosts.test(host)) return host
  const twoPart = publicSecondLevel.test(labels.at(-2) ?? '') && (labels.at(-1) ?? '').length === 2
  return labels.slice(twoPart ? -3 : -2).join('.')
}
