// node test/bench/data/learned.ts <corpus> [--wrong] [--whole] [--most <hosts>]
// Programs that are learned from one answered page of a host and read its siblings. What is known of the page plays the
// model; what the page marks up for programs is taken away first, unless --whole is given. Each page teaches once, and all
// others of its host are read; those that are less alike than the engine takes for one template are counted apart.
// The sets differ in what they call an author or a price; what is counted as wrong is looked at with --wrong.
import { parseArgs } from 'node:util'

import { learnProgram, runProgram, type LearnedProgram } from '@harvestman/data/pages'

import { drifted, drifts, withoutMarkup } from './drift.ts'
import { answerOf, readHosts, type Gold, type HostPage } from './learned-pages.ts'

/** As in the engine. */
const sameTemplate = 0.5

interface Tally {
  right: number
  /** With more or fewer words than the set has it, as on the page that taught: "Ada Lee, Editor" for "Ada Lee". */
  longer: number
  wrong: number
  none: number
}

interface Page extends HostPage {
  readonly text: string
  readonly known: Gold
}

const plain = (value: unknown): string =>
  String(value)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

function isRight(field: string, found: unknown, wanted: readonly string[]): boolean {
  return wanted.some((value) => {
    if (typeof found === 'number') return found === answerOf(field, value)
    return plain(found) === plain(value)
  })
}

function isLonger(found: unknown, wanted: readonly string[]): boolean {
  if (typeof found !== 'string') return false
  const own = wordsOf(found)
  return wanted.some((value) => own.includes(wordsOf(value)) || wordsOf(value).includes(own))
}

const wordsOf = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `

const visible = (html: string): string =>
  plain(
    html
      .replaceAll(/<(script|style)\b.*?<\/\1>/gis, ' ')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/&amp;/g, '&')
      .replaceAll(/&#x?[\da-f]+;|&[a-z]+;/gi, ''),
  )

/** What the headings of a page say. The sets have as the title now a heading, now the `<title>`: only the first is asked for. */
function headings(html: string): ReadonlySet<string> {
  const found = html.matchAll(/<(h[12])\b[^>]*>(.*?)<\/\1>/gis)
  return new Set([...found].map(([, , inner = '']) => visible(inner)))
}

/** The values that the page shows without its markup. */
function shown({ gold, url }: HostPage, text: string): Gold {
  const words = visible(text)
  const said = headings(text)
  const all = Object.entries(gold).flatMap(([field, values]) => {
    const seen = values.filter((value) => {
      if (field === 'title' || field === 'name') return said.has(plain(value))
      if (field !== 'date') return words.includes(plain(value))
      const program = learnProgram([{ html: text, url, json: { date: value } }])
      return (program?.fields['/date']?.alternatives.length ?? 0) > 0
    })
    return seen.length > 0 ? [[field, seen] as const] : []
  })
  return Object.fromEntries(all)
}

function teach(pages: readonly Page[]): LearnedProgram | undefined {
  return learnProgram(
    pages.map(({ text, url, known }) => {
      const values = Object.entries(known).map(([field, [value]]) => [field, answerOf(field, value!)] as const)
      return { html: text, url, json: Object.fromEntries(values) }
    }),
  )
}

const mostTeachers = 3

/** Each page is read with what up to three others of its template teach. */
function readByOthers(known: readonly Page[], score: Score): void {
  for (const page of known) {
    const print = teach([page])
    const others = known.filter(
      (other) => other !== page && print && runProgram(other.text, other.url, print).likeness >= sameTemplate,
    )
    if (others.length < 2) continue
    const program = teach(others.slice(0, mostTeachers))
    const taught = Object.assign({}, ...others.slice(0, mostTeachers).map((other) => other.known)) as Gold
    if (program) judge(score, program, page, page.text, taught, undefined)
  }
}

interface Score {
  readonly byField: Map<string, Tally>
  pages: number
  asked: number
  unlike: number
  time: number
}

const makeScore = (): Score => ({ byField: new Map(), pages: 0, asked: 0, unlike: 0, time: 0 })

function judge(
  score: Score,
  program: LearnedProgram,
  page: Page,
  text: string,
  taught: Gold,
  tell: string | undefined,
): void {
  const start = process.cpuUsage()
  const { value, likeness, doubts, evidence } = runProgram(text, page.url, program)
  const { user, system } = process.cpuUsage(start)
  if (likeness < sameTemplate) {
    score.unlike += 1
    return
  }
  score.time += user + system
  score.pages += 1
  if (Object.keys(doubts).length > 0) score.asked += 1
  for (const field of Object.keys(taught)) {
    const wanted = page.known[field]
    if (!wanted) continue
    const tally = score.byField.get(field) ?? { right: 0, longer: 0, wrong: 0, none: 0 }
    score.byField.set(field, tally)
    const found = value[field]
    const outcome = found == null ? 'none' : outcomeOf(field, found, wanted)
    tally[outcome] += 1
    if (tell !== undefined && outcome !== 'right') {
      const why =
        outcome === 'none'
          ? doubts[`/${field}`]
          : `${evidence[`/${field}`]?.agreed}/${evidence[`/${field}`]?.of} ${evidence[`/${field}`]?.selector}`
      console.log(
        `${tell} ${outcome} ${field} ${page.url.slice(0, 90)}\n   found ${JSON.stringify(found)} (${why}) wanted ${JSON.stringify(wanted)}`,
      )
    }
  }
}

function outcomeOf(field: string, found: unknown, wanted: readonly string[]): 'right' | 'longer' | 'wrong' {
  if (isRight(field, found, wanted)) return 'right'
  return isLonger(found, wanted) ? 'longer' : 'wrong'
}

function show(name: string, score: Score): void {
  const rows = [...score.byField, ['all', total(score)] as const]
  console.log(
    `\n${name}: ${score.pages} pages read, ${score.unlike} of another template; in doubt on ${percent(score.asked / score.pages)} of the pages`,
  )
  const { right, longer, wrong, none } = total(score)
  const answered = (right + none) / (right + longer + wrong + none)
  console.log(`F1 with the model asked where in doubt: ${answered.toFixed(3)}`)
  console.log(
    '| field | values | F1 | precision | recall | longer or shorter | silently wrong |\n| --- | --- | --- | --- | --- | --- | --- |',
  )
  for (const [field, { right, longer, wrong, none }] of rows) {
    const all = right + longer + wrong + none
    const given = right + longer + wrong
    const figures = [(2 * right) / (given + all), right / given, right / all]
    console.log(
      `| ${field} | ${all} | ${figures.map((one) => one.toFixed(3)).join(' | ')} | ${percent(longer / all)} | ${percent(wrong / all)} |`,
    )
  }
}

function total({ byField }: Score): Tally {
  const sum: Tally = { right: 0, longer: 0, wrong: 0, none: 0 }
  for (const { right, longer, wrong, none } of byField.values()) {
    sum.right += right
    sum.longer += longer
    sum.wrong += wrong
    sum.none += none
  }
  return sum
}

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { wrong: { type: 'boolean' }, whole: { type: 'boolean' }, most: { type: 'string' } },
  })
  if (!positionals[0]) throw new Error('Give the corpus folder: node test/bench/data/learned.ts <corpus>')
  const before = makeScore()
  const after = new Map(drifts.map((kind) => [kind, makeScore()]))
  const more = makeScore()
  const hosts = new Set<string>()
  for (const [host, all] of [...readHosts(positionals[0])].slice(0, Number(values.most ?? 1e9))) {
    const pages = all.map((page): Page => {
      const text = values.whole ? page.html() : withoutMarkup(page.html())
      const { url, gold, html } = page
      return { host, url, gold, html, text, known: shown(page, text) }
    })
    const known = pages.filter((page) => Object.keys(page.known).length > 0).slice(0, 8)
    readByOthers(known, more)
    known.forEach((teacher, index) => {
      const program = teach([teacher])
      if (!program) return
      for (const page of known) {
        if (page === teacher) continue
        const read = before.pages
        judge(before, program, page, page.text, teacher.known, values.wrong ? 'before' : undefined)
        if (before.pages === read) continue
        hosts.add(host)
        const kind = drifts[(index + before.pages) % drifts.length]!
        const text = drifted(page.text, { kinds: [kind], seed: before.pages, values: Object.values(page.known).flat() })
        if (kind !== 'missing')
          judge(after.get(kind)!, program, page, text, teacher.known, values.wrong ? `after ${kind}` : undefined)
      }
    })
  }
  console.log(`${hosts.size} hosts with siblings`)
  console.log(`a page is parsed and read in ${Math.round(before.time / before.pages)} µs of processor time`)
  show('before drift', before)
  show('before drift, taught by two or three other pages', more)
  for (const [kind, score] of after) if (score.pages > 0) show(`after drift of ${kind}`, score)
  const all = makeScore()
  for (const { byField, pages, asked, unlike } of after.values()) {
    all.pages += pages
    all.asked += asked
    all.unlike += unlike
    for (const [field, { right, longer, wrong, none }] of byField) {
      const sum = all.byField.get(field) ?? { right: 0, longer: 0, wrong: 0, none: 0 }
      const both = { longer: sum.longer + longer, wrong: sum.wrong + wrong, none: sum.none + none }
      all.byField.set(field, { right: sum.right + right, ...both })
    }
  }
  show('after drift, all', all)
}

main()
