// Are claims cited with passages that contain them, and does verify notice what changes on the pages?
//
//   node test/bench/citations.ts
//
// 50 pages, of which 22 are PDFs, have four facts each, which a scripted model on a chat completions endpoint returns as data or
// text, through five kinds of results. Each fact must be cited with a range of the page that contains it, and in a PDF with the page
// and the box of the block that has it. The model also makes one claim on each page that the page does not have. Then each page is
// changed by one of ten rules, and verify must have the verdict of the rule.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { agent, answers, deepResearch, extract, verify } from '@harvestman/answers'
import { createEngine } from '@harvestman/core'
import type { Citation, Claim } from '@harvestman/core/plugin'
import { data } from '@harvestman/data'
import { chatLLM } from '@harvestman/llm'
import { pdf } from '@harvestman/pdf'
import { scriptedSearch, startChatServer, type ChatReply } from '@harvestman/testing'

import { factsOf, filler, htmlOf, pdfOf, placeOfFact, rules, type PageVersion } from './cited-pages.ts'

const kinds = ['json', 'question', 'extract', 'agent', 'research'] as const
const count = kinds.length * rules.length
const ruleOf = (page: number) => rules[page % rules.length]
/** Returns whether a page is a PDF: every second one, except those whose markup changes. */
const isPdf = (page: number): boolean =>
  (page + Math.floor(page / rules.length)) % 2 === 0 && ruleOf(page)?.name !== 'other tags and classes'

let isChanged = false
const bodyOf = (page: number, version: PageVersion): string | Uint8Array =>
  isPdf(page) ? pdfOf(version) : htmlOf(page, version)
const site = createServer(({ url = '' }, response) => {
  const page = Number(url.slice(1))
  const facts = factsOf(page)
  const version = isChanged ? (ruleOf(page)?.after(facts, page) ?? 404) : { facts }
  const isError = typeof version === 'number'
  response.writeHead(isError ? version : 200, {
    'content-type': isPdf(page) && !isError ? 'application/pdf' : 'text/html; charset=utf-8',
  })
  response.end(isError ? `<main><p>${filler}</p></main>` : bodyOf(page, version))
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
// Cast: a TCP server has an address of this type.
const { port } = site.address() as AddressInfo
const urlOf = (page: number): string => `http://127.0.0.1:${port}/${page}`

/** Reads the facts from the page in the prompt, so that the model knows only what it is sent. */
const reply: ChatReply = ({ prompt, body }) => {
  const page = Number(new RegExp(`127\\.0\\.0\\.1:${port}/(\\d+)`).exec(prompt)?.[1])
  if (body.tools && !body.response_format) {
    const hasRead = body.messages.some(({ role }) => role === 'tool')
    return { calls: [hasRead ? { name: 'finish', input: {} } : { name: 'read', input: { url: urlOf(page) } }] }
  }
  if (prompt.includes('Choose what to search')) return { value: { queries: ['lamps'] } }
  if (prompt.includes('Judge whether')) return { value: { summary: 'A lamp.', gaps: [], isEnough: true } }
  const [, name = '', material = ''] = /The (\w+) is made of \W*(\w+)/.exec(prompt) ?? []
  const [, price = ''] = /costs EUR (\d+)/.exec(prompt) ?? []
  const [, stock = ''] = /\| *(\d+) in stock/.exec(prompt) ?? []
  const [, delivery = ''] = /takes (\d+) days/.exec(prompt) ?? []
  if (body.response_format)
    return {
      value: {
        material,
        price: Number(price),
        stock: Number(stock),
        delivery: Number(delivery),
        warranty: 'seventeen years',
      },
    }
  return {
    text: `Made of ${material} <cite>The ${name} is made of ${material}.</cite>. The price is ${price} <cite>It costs EUR ${price}</cite>.
There are ${stock} of it <cite>${name} | ${stock} in stock</cite>. It arrives in ${delivery} days <cite>takes ${delivery} days</cite>.
It is waterproof <cite>The ${name} is waterproof.</cite>.`,
  }
}

const chat = await startChatServer({ replies: [reply] })
const parsing = pdf()
const llm = chatLLM({ url: chat.url, model: 'scripted' })
const [field, number] = [{ type: 'string' }, { type: 'number' }]
const schema = {
  type: 'object',
  properties: { material: field, price: number, stock: number, delivery: number, warranty: field },
} as const

async function claimsOf(kind: (typeof kinds)[number], url: string): Promise<readonly Claim[]> {
  // One engine each, because the search must find this page.
  await using engine = createEngine({
    ...{ llm, search: scriptedSearch({ web: [{ url, title: 'A lamp' }] }), allowPrivate: ['127.0.0.0/8'] },
    plugins: [data(), answers, parsing],
  })
  const prompt = 'What about this lamp?'
  if (kind === 'json')
    return (await engine.scrape({ url, formats: [{ type: 'json', prompt, schema, citations: true }] })).claims ?? []
  if (kind === 'question')
    return (
      (await engine.scrape({ url, formats: [{ type: 'question', question: prompt, citations: true }] })).claims ?? []
    )
  if (kind === 'extract')
    return (await (await engine.start(extract, { urls: [url], prompt, schema })).end()).claims ?? []
  if (kind === 'agent')
    return (await (await engine.start(agent, { urls: [url], prompt, mode: 'chat' })).end()).claims ?? []
  return (await (await engine.start(deepResearch, { query: prompt })).end()).claims ?? []
}

/** A page of a file, with its blocks. */
interface PageBlocks {
  readonly pageNumber: number
  readonly items: readonly { readonly content: string; readonly bbox: readonly number[] | null }[]
}

/** Returns whether a citation has the page and box of the block with the quote, which is where the bench wrote the fact. */
function isPlaced({ quote, places = [] }: Citation, fact: number, blocks: readonly PageBlocks[]): boolean {
  const { page, point } = placeOfFact(fact)
  const [place] = places
  const [left = 1, top = 1, right = 0, bottom = 0] = place?.box ?? []
  const isAround = left <= point[0] && point[0] <= right && top <= point[1] && point[1] <= bottom
  const items = blocks.find(({ pageNumber }) => pageNumber === page)?.items ?? []
  const own = items.find(({ content }) => plain(content).includes(plain(quote)))
  return places.length === 1 && place?.page === page && isAround && String(place.box) === String(own?.bbox)
}

/** Returns the alphanumeric characters of Markdown or HTML. */
function plain(text: string): string {
  return text.replaceAll(/<[^>]*>/g, '').replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

await using engine = createEngine({ plugins: [data(), answers, parsing], allowPrivate: ['127.0.0.0/8'] })
const rows = kinds.map((kind) => ({ kind, claims: 0, cited: 0, contained: 0, ofPdfs: 0, placed: 0, invented: 0 }))
const citations: { readonly citation: Citation; readonly page: number }[] = []

for (let page = 0; page < count; page += 1) {
  const at = Math.floor(page / rules.length)
  const [kind, row] = [kinds[at], rows[at]]
  if (!kind || !row) continue
  const found = await claimsOf(kind, urlOf(page))
  const {
    markdown,
    chunks,
    blocks = [],
  } = await engine.scrape({
    url: urlOf(page),
    formats: ['markdown', 'chunks'],
    parsers: [{ type: 'pdf', blocks: true }],
  })
  const { material, price, stock, delivery } = factsOf(page)
  for (const [index, fact] of [material, price, stock, delivery].entries()) {
    row.claims += 1
    if (isPdf(page)) row.ofPdfs += 1
    const [citation] = found[index]?.citations ?? []
    if (!citation) continue
    row.cited += 1
    const { url, start, end, quote, chunk, hash, link } = citation
    const range = markdown.slice(start, end)
    const isRight =
      url === urlOf(page) &&
      range === quote &&
      new RegExp(`\\b${fact}\\b`).test(range) &&
      chunks.some((one) => one.id === chunk && one.start <= start && start < one.end) &&
      hash === createHash('sha256').update(markdown).digest('hex') &&
      link.startsWith(`${url}#:~:text=`)
    if (isRight) row.contained += 1
    if (isPdf(page) ? isPlaced(citation, index, blocks) : citation.places) row.placed += 1
    citations.push({ citation, page })
  }
  row.invented += found.slice(4).filter((claim) => claim.citations.length > 0).length
}
console.log('claims of')
console.table(rows)

isChanged = true
const job = await engine.start(verify, { citations: citations.map(({ citation }) => citation) })
const { data: result, creditsUsed } = await job.end()
const verdicts = rules.map(({ name, expected }) => ({ change: name, expected, citations: 0, right: 0, others: '' }))
for (const [index, { page }] of citations.entries()) {
  const row = verdicts[page % rules.length]
  const status = result?.citations[index]?.status
  if (!row) continue
  row.citations += 1
  if (status === row.expected) row.right += 1
  else row.others += `${status} `
}
console.log('verify')
console.table(verdicts)
const right = verdicts.reduce((sum, row) => sum + row.right, 0)
console.log(`${right} of ${citations.length} verdicts are right, for ${creditsUsed} credits of ${count} pages`)
await chat.close()
site.close()
