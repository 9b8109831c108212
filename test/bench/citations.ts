// Are claims cited with passages that contain them, and does verify notice what changes on the pages?
//
//   node test/bench/citations.ts
//
// 50 pages have four facts each, which a scripted model on a chat completions endpoint returns as data or text, through five kinds
// of results. Each fact must be cited with a range of the page that contains it. The model also makes one claim on each page that
// the page does not have. Then each page is changed by one of ten rules, and verify must have the verdict of the rule.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { agent, answers, deepResearch, extract, verify } from '@harvestman/answers'
import { createEngine } from '@harvestman/core'
import type { Citation, Claim } from '@harvestman/core/plugin'
import { data } from '@harvestman/data'
import { chatLLM } from '@harvestman/llm'
import { scriptedSearch, startChatServer, type ChatReply } from '@harvestman/testing'

interface Facts {
  readonly name: string
  readonly material: string
  readonly price: string
  readonly stock: string
  readonly delivery: string
}

const names = ['Aurora', 'Luna', 'Stella', 'Vega', 'Lyra', 'Castor', 'Pollux', 'Rigel', 'Mira', 'Altair']
const materials = ['oak', 'ash', 'walnut', 'brass', 'linen']
const filler = 'Our workshop is near the sea, and visitors are welcome on every weekday in summer.'

function factsOf(page: number, by = 0): Facts {
  const name = `${names[page % names.length]}${page}`
  const material = materials[(page + (by > 0 ? 1 : 0)) % materials.length] ?? ''
  const [price, stock, delivery] = [100 + page + by, 20 + page + by, 3 + page + by].map(String)
  return { name, material, price: price ?? '', stock: stock ?? '', delivery: delivery ?? '' }
}

interface Parts {
  readonly before?: string
  readonly after?: string
  readonly facts?: string
}

function html(page: number, { before = '', after = '', facts = factsHtml(factsOf(page)) }: Parts = {}): string {
  return `<title>Lamp ${page}</title><main><h1>Lamps by hand</h1>${before}<p>${filler}</p>${facts}
<p>We have made lamps for a hundred years.</p>${after}</main>`
}

function factsHtml({ name, material, price, stock, delivery }: Facts): string {
  return `<p>The ${name} is made of <b>${material}</b>. It costs EUR ${price} with its shade.</p>
<table><tr><th>Lamp</th><th>Pieces</th></tr><tr><td>${name}</td><td>${stock} in stock</td></tr></table>
<ul><li>Delivery of the ${name} takes ${delivery} days.</li></ul>`
}

type Status = 'unchanged' | 'moved' | 'changed' | 'gone' | 'unreachable'

interface Rule {
  readonly name: string
  readonly expected: Status
  /** The page after the change, or its status. */
  after(page: number): string | number
}

const more = '<p>In winter we are closed, except for the market in the old town hall.</p>'
const rules: readonly Rule[] = [
  { name: 'nothing', expected: 'unchanged', after: (page) => html(page) },
  { name: 'new paragraph after the facts', expected: 'unchanged', after: (page) => html(page, { after: more }) },
  {
    name: 'other tags and classes',
    expected: 'unchanged',
    after: (page) =>
      html(page)
        .replaceAll('<p>', '<p class="text">')
        .replaceAll(/<\/?b>/g, (tag) => tag.replace('b', 'strong')),
  },
  { name: 'new paragraph before the facts', expected: 'moved', after: (page) => html(page, { before: more }) },
  {
    name: 'facts at the end',
    expected: 'moved',
    after: (page) => html(page, { facts: '', after: factsHtml(factsOf(page)) }),
  },
  { name: 'other values', expected: 'changed', after: (page) => html(page, { facts: factsHtml(factsOf(page, 7)) }) },
  {
    name: 'one more digit, another material',
    expected: 'changed',
    after: (page) => {
      const { name, price, stock, delivery } = factsOf(page)
      const facts = { name, material: 'resin', price: `${price}0`, stock: `${stock}0`, delivery: `${delivery}0` }
      return html(page, { facts: factsHtml(facts) })
    },
  },
  { name: 'facts removed', expected: 'gone', after: (page) => html(page, { facts: more }) },
  { name: 'status 404', expected: 'gone', after: () => 404 },
  { name: 'status 500', expected: 'unreachable', after: () => 500 },
]

const kinds = ['json', 'question', 'extract', 'agent', 'research'] as const
const count = kinds.length * rules.length
const ruleOf = (page: number): Rule | undefined => rules[page % rules.length]

let isChanged = false
const site = createServer(({ url = '' }, response) => {
  const page = Number(url.slice(1))
  const body = isChanged ? (ruleOf(page)?.after(page) ?? 404) : html(page)
  response.writeHead(typeof body === 'number' ? body : 200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(typeof body === 'number' ? `<main><p>${filler}</p></main>` : body)
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
    plugins: [data(), answers],
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

await using engine = createEngine({ plugins: [data(), answers], allowPrivate: ['127.0.0.0/8'] })
const rows = kinds.map((kind) => ({ kind, claims: 0, cited: 0, contained: 0, invented: 0 }))
const citations: { readonly citation: Citation; readonly page: number }[] = []

for (let page = 0; page < count; page += 1) {
  const at = Math.floor(page / rules.length)
  const [kind, row] = [kinds[at], rows[at]]
  if (!kind || !row) continue
  const found = await claimsOf(kind, urlOf(page))
  const { markdown, chunks } = await engine.scrape({ url: urlOf(page), formats: ['markdown', 'chunks'] })
  const { material, price, stock, delivery } = factsOf(page)
  for (const [index, fact] of [material, price, stock, delivery].entries()) {
    row.claims += 1
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
