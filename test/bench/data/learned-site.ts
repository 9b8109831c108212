// node test/bench/data/learned-site.ts <corpus> [--hosts 50] [--pages 1000] [--asked] [--only <host>]
// What a model costs over many pages of one template: pages of the corpus with the values of other pages put in their place
// read as the engine does it. On every twentieth page a value is missing; in the middle the site is made anew (classes renamed,
// wrappers added). What a page says beside these values stays the same, so this is an easier site than a real one.
import { parseArgs } from 'node:util'

import { learnProgram, type LearnedProgram, type LearnedRead } from '@harvestman/data/pages'
import { extract } from '@harvestman/html'

import { readLearned } from '../../../packages/data/src/reading/learned/choose.ts'
import { openPage } from '../../../packages/html/src/page/page.ts'
import { drifted, withoutMarkup } from './drift.ts'
import { answerOf, readHosts, type HostPage } from './learned-pages.ts'

const fields = ['title', 'name', 'author', 'brand', 'sku', 'price', 'section'] as const

interface Template {
  readonly url: string
  readonly text: string
  /** The page after its site was made anew. */
  readonly later: string
  /** What it costs to ask a model about the page: it is sent as Markdown. */
  readonly tokens: number
  /** How long that Markdown is. */
  readonly length: number
  readonly values: Readonly<Record<string, string>>
}

/** A page and those of its values that stand in its text as they are. */
function templateOf(page: HostPage): Template | undefined {
  const text = withoutMarkup(page.html())
  const shown = fields.flatMap((field) => {
    const value = page.gold[field]?.[0]
    const isShown = value !== undefined && value.length > 2 && text.includes(`>${value}<`)
    return isShown && !/[&<>"]/.test(value) ? [[field, value] as const] : []
  })
  const values = Object.fromEntries(shown)
  // A value that is a part of another one would be changed with it.
  for (const [field, value] of shown) {
    if (shown.some(([other, longer]) => other !== field && other in values && longer.includes(value)))
      delete values[field]
  }
  if (Object.keys(values).length < 2) return undefined
  const { markdown } = extract(text, { url: page.url })
  const later = drifted(text, { kinds: ['classes', 'wrappers'], seed: 1 })
  return { url: page.url, text, later, values, tokens: tokensOf(markdown), length: markdown.length }
}

/** Of this thread, in microseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** As the scripted model of the tests counts them. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4)

type Answer = Readonly<Record<string, string | number>>

function sibling(
  { text, later, values }: Template,
  pools: ReadonlyMap<string, readonly string[]>,
  number: number,
  most: number,
) {
  let html = number < most / 2 ? text : later
  const answer: Record<string, string | number> = {}
  const others = new Map<string, string>()
  for (const [field, value] of Object.entries(values)) {
    const pool = pools.get(field)!
    const other = pool[(number * 7 + field.length) % pool.length]!
    const isMissing = number % 20 === 19 && field === Object.keys(values).at(-1)
    others.set(value, isMissing ? '' : other)
    if (!isMissing) answer[field] = answerOf(field, other)
  }
  // In one go: what is put in has the words of other values in it.
  const known = Object.values(values).map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  html = html.replaceAll(new RegExp(known.join('|'), 'g'), (value) => others.get(value)!)
  return { html, answer }
}

interface Sums {
  pages: number
  asked: number
  tokens: number
  allTokens: number
  right: number
  wrong: number
  parse: number
  run: number
}

function readSite(
  template: Template,
  pools: ReadonlyMap<string, readonly string[]>,
  most: number,
  sums: Sums,
  tell: boolean,
): void {
  const programs: LearnedProgram[] = []
  for (let number = 0; number < most; number += 1) {
    const { html, answer } = sibling(template, pools, number, most)
    const url = template.url.replace(/\/?$/, `-${number}`)
    const times = [processorTime()]
    const { root, base } = openPage({ html, url }, { onlyMainContent: false, includeTags: [], excludeTags: [] })
    times.push(processorTime())
    const read = readLearned(root, base, url, programs)
    times.push(processorTime())
    sums.pages += 1
    sums.parse += times[1]! - times[0]!
    sums.run += times[2]! - times[1]!
    const tokens = template.tokens + tokensOf(JSON.stringify(answer))
    sums.allTokens += tokens
    const isSure = read && Object.keys(read.doubts).length === 0
    judge(read, answer, sums, tell ? `${template.url.slice(0, 70)} page ${number}:` : undefined)
    if (isSure) continue
    sums.asked += 1
    const cost = read ? tokensFor(template, read, answer) : tokens
    sums.tokens += cost
    if (tell)
      console.log(
        `${template.url.slice(0, 70)} page ${number}: ${cost} of ${tokens} tokens ${JSON.stringify(read?.doubts ?? 'new')}`,
      )
    const taught = learnProgram([{ html, url, json: answer }], read && programs[read.program])!
    if (read) programs[read.program] = taught
    else programs.push(taught)
  }
}

/** As the engine asks: for the missing fields, with the parts of the page around them first, and the page when they are not there. */
function tokensFor({ values, tokens, length }: Template, read: LearnedRead, answer: Answer): number {
  const missing = Object.keys(values).filter((field) => !(field in read.value) && !read.absent.includes(`/${field}`))
  const parts = missing.map((field) => read.around[`/${field}`])
  const asked = Object.fromEntries(missing.map((field) => [field, answer[field] ?? '']))
  const whole = tokens + tokensOf(JSON.stringify(asked))
  const excerpt = [...new Set(parts)].join('\n\n')
  if (parts.includes(undefined) || parts.length === 0 || excerpt.length * 2 > length) return whole
  const part = tokensOf(excerpt) + tokensOf(JSON.stringify(asked))
  const isThere = missing.every((field) => answer[field] !== undefined && excerpt.includes(String(answer[field])))
  return isThere ? part : part + whole
}

function judge(read: LearnedRead | undefined, answer: Answer, sums: Sums, tell: string | undefined): void {
  const { value = {}, absent = [], evidence = {} } = read ?? {}
  for (const field of new Set([...Object.keys(value), ...Object.keys(answer)])) {
    // A value that is said to be absent is as silently wrong as another one.
    if (value[field] === undefined && !absent.includes(`/${field}`)) continue
    if (value[field] === answer[field]) sums.right += 1
    else {
      sums.wrong += 1
      if (tell) console.log(tell, 'wrong', field, JSON.stringify([value[field], answer[field], evidence[`/${field}`]]))
    }
  }
}

function main(): void {
  const options = {
    hosts: { type: 'string', default: '50' },
    pages: { type: 'string', default: '1000' },
    asked: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  if (!positionals[0]) throw new Error('Give the corpus folder: node test/bench/data/learned-site.ts <corpus>')
  const all = [...readHosts(positionals[0]).values()]
  const pools = new Map<string, readonly string[]>(
    fields.map((field) => {
      const known = all.flat().flatMap(({ gold }) => gold[field]?.slice(0, 1) ?? [])
      // What "2.449" is, is another thing from shop to shop.
      const plain = known
        .map(inOneLine)
        .filter((value) => !/[&<>"]/.test(value) && (field !== 'price' || /^\d+(?:\.\d\d)?$/.test(value)))
      return [field, [...new Set(plain)]]
    }),
  )
  const sums: Sums = { pages: 0, asked: 0, tokens: 0, allTokens: 0, right: 0, wrong: 0, parse: 0, run: 0 }
  let hosts = 0
  const shares: number[] = []
  for (const [page] of all) {
    if (hosts >= Number(values.hosts)) break
    if (!page?.host.includes(values.only)) continue
    const template = templateOf(page)
    if (!template) continue
    hosts += 1
    const before = sums.asked
    readSite(template, pools, Number(values.pages), sums, values.asked)
    shares.push((sums.asked - before) / Number(values.pages))
  }
  const { pages, asked, tokens, allTokens, right, wrong, parse, run } = sums
  console.log(`${hosts} sites of ${values.pages} pages each`)
  console.log(
    `tokens of the model: ${((100 * tokens) / allTokens).toFixed(2)} % of asking for each page (a token is four characters)`,
  )
  console.log(`the model was asked on ${((100 * asked) / pages).toFixed(2)} % of the pages`)
  const always = shares.filter((share) => share > 0.5).length
  const usual = shares.toSorted((one, other) => one - other)[Math.floor(shares.length / 2)] ?? 0
  console.log(`on half of the sites on at most ${(100 * usual).toFixed(2)} %; on ${always} sites on most pages`)
  console.log(`values without it: ${right} right, ${wrong} wrong (${((100 * wrong) / (right + wrong)).toFixed(3)} %)`)
  console.log(`a page: ${Math.round(run / pages)} µs beside ${Math.round(parse / pages)} µs to parse it`)
}

main()
