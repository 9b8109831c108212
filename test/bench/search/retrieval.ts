// Does the index of scraped pages find the chunk with the answer, by words, by vectors and by both, and how many tokens does an
// answer need with a budget and without one?
//
//   node test/bench/search/retrieval.ts <corpus, or '' for generated pages> [pages per set] [questions]
//
// The questions are made by rule: a sentence of a chunk without its answer, a number or a name that is in no other chunk of the
// page. A third has the words of the sentence, a third has other endings, and a third has typing errors. The vectors are those of
// `hashedVector`, which compares parts of words and knows no meaning.
import { fitMarkdown } from '../../../packages/chunks/src/index.ts'
import { extract } from '../../../packages/html/src/extract.ts'
import { cutPage, embeddedText, type PageChunk } from '../../../packages/search/src/pages/cut.ts'
import { openTeamIndex } from '../../../packages/search/src/pages/database.ts'
import type { Passage } from '../../../packages/search/src/pages/finding.ts'
import type { IndexedPage } from '../../../packages/search/src/pages/rows.ts'
import { toBytes } from '../../../packages/search/src/pages/vectors.ts'
import { chance, hashedVector, queryFor } from '../../../packages/testing/src/index.ts'
import { estimateTokens } from '../../../packages/toolbox/src/tokens.ts'
import { readCorpus } from '../corpus-pages.ts'
import { given } from '../ratios.ts'

const [folder = '', perSet = '250', count = '300'] = given
const { signal } = new AbortController()
const model = 'hashed'
const random = chance(7)
const kinds = ['words', 'other endings', 'typing errors'] as const

interface Question {
  readonly kind: (typeof kinds)[number]
  readonly words: string
  readonly url: string
  readonly chunk: string
  readonly answer: string
}

function vectorOf(text: string): Float32Array {
  const vector = hashedVector(text)
  const length = Math.hypot(...vector) || 1
  return Float32Array.from(vector, (value) => value / length)
}

interface CutPage extends IndexedPage {
  readonly chunks: readonly PageChunk[]
}

async function readPages(): Promise<readonly CutPage[]> {
  const pages = new Map<string, CutPage>()
  for (const { html, url } of readCorpus(folder, Number(perSet))) {
    const { markdown } = extract(html, { url })
    const text = markdown.slice(0, 50_000)
    const base = { url: new URL(url).href, title: '', markdown: text, language: '', version: '', at: Date.now() }
    if (text.trim() !== '') pages.set(base.url, { ...base, chunks: await cutPage(text, signal) })
  }
  return [...pages.values()]
}

/** Returns a question about a random sentence of a page, or `undefined` if the page has none that fits. */
function questionOf(page: CutPage, kind: Question['kind']): Question | undefined {
  const chunk = page.chunks[Math.floor(random() * page.chunks.length)]
  if (!chunk) return undefined
  const text = page.markdown.slice(chunk.start, chunk.end)
  for (const sentence of text.match(/[A-Z][^.!?\n|[\]*#]{60,300}[.!?]/g) ?? []) {
    const answers = sentence.slice(1).match(/\b(?:\d[\d,.]*\d|[A-Z][a-z]{4,})\b/g) ?? []
    const answer = answers.find((one) => page.markdown.split(one).length === 2)
    const words = (sentence.match(/[\p{L}]{4,}/gu) ?? []).filter((word) => word !== answer)
    if (answer === undefined || words.length < 6) continue
    const chosen = words.toSorted((a, b) => b.length - a.length).slice(0, 6)
    return { kind, words: chosen.map((word) => change(word, kind)).join(' '), url: page.url, chunk: chunk.id, answer }
  }
  return undefined
}

function change(word: string, kind: Question['kind']): string {
  if (kind === 'words') return word
  if (kind === 'other endings') return `${word.slice(0, Math.max(4, word.length - 2))}al`
  const at = 1 + Math.floor(random() * (word.length - 2))
  return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
}

const pages = await readPages()
const questions: Question[] = []
for (let tries = 0; questions.length < Number(count) && tries < Number(count) * 50; tries += 1) {
  const page = pages[Math.floor(random() * pages.length)]
  const question = page && questionOf(page, kinds[questions.length % kinds.length] ?? 'words')
  if (question) questions.push(question)
}

const index = openTeamIndex(':memory:', { pages: 1e6, bytes: 1e12, life: 1e12, vectors: 1e6 })
for (let at = 0; at < pages.length; at += 50) index.put(pages.slice(at, at + 50))
let embedded = 0
for (;;) {
  const chunks = await index.pending(model, 256, signal)
  if (chunks.length === 0) break
  index.store(
    model,
    chunks.map(({ hash, text }) => ({ hash, vector: toBytes(vectorOf(text)) })),
  )
  embedded += chunks.length
}
console.log(`${pages.length} pages, ${embedded} different chunks, ${questions.length} questions`)

const now = Date.now()
type Way = 'words' | 'vectors' | 'both'
function passagesFor({ words }: Question, way: Way, limit: number): Promise<readonly Passage[]> {
  const vector = way === 'words' ? undefined : { model, vector: vectorOf(embeddedText([], words)) }
  return index.passages({ query: queryFor({ words: way === 'vectors' ? '' : words, limit }), now, vector }, signal)
}
const isAnswer = ({ url, text }: Pick<Passage, 'url' | 'text'>, question: Question): boolean =>
  url === question.url && text.includes(question.answer)
const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`.padStart(8)

console.log(`\nrecall at 5      ${[...kinds, 'all'].map((kind) => kind.padStart(14)).join('')}   ms a query`)
for (const way of ['words', 'vectors', 'both'] as const) {
  const began = performance.now()
  const found: Question[] = []
  for (const question of questions) {
    const passages = await passagesFor(question, way, 5)
    if (passages.some(({ url, chunk }) => url === question.url && chunk === question.chunk)) found.push(question)
  }
  const time = (performance.now() - began) / questions.length
  const shares = kinds.map((kind) => {
    const of = (list: readonly Question[]) => list.filter((one) => one.kind === kind).length
    return share(of(found), of(questions)).padStart(14)
  })
  console.log(
    `${way.padEnd(17)}${shares.join('')}${share(found.length, questions.length).padStart(14)}${time.toFixed(1).padStart(13)}`,
  )
}

/** The questions that are answered, and the tokens of what is read for all questions, if `read` returns what is read for one. */
async function cost(
  read: (question: Question) => Promise<readonly { readonly isAnswer: boolean; readonly text: string }[]>,
) {
  let [answered, tokens] = [0, 0]
  for (const question of questions) {
    const texts = await read(question)
    if (texts.some((one) => one.isAnswer)) answered += 1
    tokens += texts.reduce((sum, { text }) => sum + estimateTokens(text), 0)
  }
  return `${share(answered, questions.length)} ${Math.round(tokens / questions.length)
    .toString()
    .padStart(8)}`
}

const byUrl = new Map(pages.map((page) => [page.url, page.markdown]))
console.log('\nread for an answer            answered   tokens')
for (const limit of [1, 3, 5])
  console.log(
    `whole pages of ${limit} results    ${await cost(async (question) => {
      const vector = { model, vector: vectorOf(question.words) }
      const hits = await index.find({ query: queryFor({ words: question.words, limit }), now, vector }, signal)
      return hits.map(({ url }) => {
        const text = byUrl.get(url) ?? ''
        return { text, isAnswer: isAnswer({ url, text }, question) }
      })
    })}`,
  )
for (const budget of [500, 1_000, 2_000, 4_000])
  console.log(
    `passages up to ${budget.toString().padStart(5)} tokens ${await cost(async (question) => {
      let left = budget
      return (await passagesFor(question, 'both', 20)).flatMap((passage) => {
        const tokens = estimateTokens(passage.text)
        if (tokens > left) return []
        left -= tokens
        return [{ text: passage.text, isAnswer: isAnswer(passage, question) }]
      })
    })}`,
  )

// The page with the answer, as the formats markdown, json and question cut it.
const fitted: Readonly<Record<string, (text: string, words: string) => Promise<string>>> = {
  'the whole page': async (text) => text,
  'its first 4,000 characters': async (text) => text.slice(0, 4_000),
  'its first 8,000 characters': async (text) => text.slice(0, 8_000),
  ...Object.fromEntries(
    [500, 1_000, 2_000, 4_000].map((maxTokens) => [
      `maxTokens ${maxTokens}`,
      async (markdown: string, query: string) =>
        (await fitMarkdown([{ markdown }], { maxTokens, query }, signal))[0]?.markdown ?? '',
    ]),
  ),
}
console.log('\nread of the right page        answered   tokens')
for (const [name, fit] of Object.entries(fitted))
  console.log(
    `${name.padEnd(29)} ${await cost(async (question) => {
      const text = await fit(byUrl.get(question.url) ?? '', question.words)
      return [{ text, isAnswer: text.includes(question.answer) }]
    })}`,
  )
index.close()
