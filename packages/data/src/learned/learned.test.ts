// Pages of one template, and a model that is asked for what is not known yet.
import { memoryStore, scriptedLLM, type Reply } from '@harvestman/testing'
import { describe, expect, onTestFinished, test } from 'vitest'

import { createEngine } from '@harvestman/core'
import type { Fetcher, Json } from '@harvestman/ports'

import { data } from '../plugin.ts'

interface Lamp {
  readonly name: string
  readonly maker: string
  readonly worth: number
}

const lamps: Readonly<Record<string, Lamp>> = {
  aurora: { name: 'Aurora Table Lamp', maker: 'Holm', worth: 129.5 },
  luna: { name: 'Luna Floor Lamp', maker: 'Berg & Son', worth: 89 },
  stella: { name: 'Stella Wall Lamp', maker: 'Lindqvist', worth: 1249 },
  nova: { name: 'Nova Desk Lamp', maker: 'Holm', worth: 45.25 },
}

const money = (worth: number): string => `€ ${worth.toFixed(2)}`

function lampPage({ name, maker, worth }: Lamp): string {
  return `<!doctype html><title>${name} - Lamp House</title><body><nav><a href="/">Lamps</a><a href="/sale">Sale</a></nav>
    <main><h1 class="lamp-name">${name}</h1><dl class="facts"><dt>Maker</dt><dd class="maker">${maker}</dd></dl>
    <p class="worth-now">${money(worth)}</p><p class="about">A lamp for every room of the house, made with care.</p></main></body>`
}

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, maker: { type: 'string' }, worth: { type: 'number' } },
  required: ['name', 'maker', 'worth'],
} as const

/** A model that knows the lamps. */
const expert: Reply = ({ prompt }) => {
  const lamp = Object.values(lamps).find(({ name }) => prompt.includes(name)) ?? null
  return { value: lamp as Json }
}

function shop({ page = lampPage, replies = [expert], store = memoryStore() } = {}) {
  const llm = scriptedLLM(replies)
  const fetcher = (): Fetcher => ({
    exchange: async ({ url }) => {
      const lamp = lamps[new URL(url).pathname.split('/').at(-1) ?? '']
      const body = lamp ? page(lamp) : '<p>Gone</p>'
      const headers: [string, string][] = [['content-type', 'text/html; charset=utf-8']]
      return { status: lamp ? 200 : 404, headers, body: new TextEncoder().encode(body) }
    },
    close: async () => undefined,
  })
  const engine = createEngine({ fetcher, llm, store, plugins: [data()] })
  onTestFinished(() => engine.close())
  const read = (name: string, options: { readonly team?: string } & Readonly<Record<string, unknown>> = {}) => {
    const { team = 'a', ...request } = options
    const url = `https://lamps.test/lamps/${name}`
    return engine.unchecked.scrape(
      { url, maxAge: 0, formats: [{ type: 'json', schema }], ...request },
      { team, explain: true },
    )
  }
  return { engine, llm, read }
}

describe('json with a schema', () => {
  test('asks the model for the first page of a template, and reads the next ones without it', async () => {
    const { llm, read } = shop()
    for (const name of ['aurora', 'luna', 'stella', 'nova']) {
      const { json, metadata } = await read(name)
      expect(json).toEqual(lamps[name])
      expect(metadata.creditsUsed).toBe(name === 'aurora' ? 5 : 1)
    }
    expect(llm.questions).toHaveLength(1)
  })

  test('says where a learned value stands, and how many alternatives agree', async () => {
    const { read } = shop()
    const first = await read('aurora')
    expect(first.explain?.formats?.['json']).toMatchObject({ fields: { '/worth': { method: 'model' } } })
    const { explain } = await read('luna')
    expect(explain?.formats?.['json']).toMatchObject({
      fields: { '/worth': { method: 'learned', quote: '€ 89.00', isGrounded: true, agreed: expect.any(Number) } },
    })
  })

  test('asks again when the page has been made anew, and knows both from then on', async () => {
    let isNew = false
    const anew = ({ name, maker, worth }: Lamp) =>
      `<body class="v2"><section id="top"><h2 data-part="title">${name}</h2><div data-part="by">${maker}</div>
       <div data-part="cost">${money(worth)}</div></section><section class="more"><p class="note">Made with care.</p></section></body>`
    const { llm, read } = shop({ page: (lamp) => (isNew ? anew(lamp) : lampPage(lamp)) })
    await read('aurora')
    isNew = true
    expect((await read('luna')).json).toEqual(lamps['luna'])
    expect(llm.questions).toHaveLength(2)
    expect((await read('stella')).json).toEqual(lamps['stella'])
    isNew = false
    expect((await read('nova')).json).toEqual(lamps['nova'])
    expect(llm.questions).toHaveLength(2)
  })

  test('gives no value where alternatives disagree, and asks the model for that one', async () => {
    const other = ({ name, maker, worth }: Lamp) =>
      lampPage({ name, maker, worth }).replace(
        '</dl>',
        `</dl><dl><dt>Maker</dt><dd class="maker">Other House</dd></dl>`,
      )
    let isOther = false
    const { llm, read } = shop({ page: (lamp) => (isOther ? other(lamp) : lampPage(lamp)) })
    await read('aurora')
    isOther = true
    expect((await read('luna')).json).toEqual(lamps['luna'])
    expect(llm.questions).toHaveLength(2)
    expect(llm.questions[1]?.schema).toMatchObject({ properties: { maker: {} } })
    expect(Object.keys(Object(llm.questions[1]?.schema?.['properties']))).toEqual(['maker'])
  })

  test('shows the model the parts of a long page where a doubted value may stand', async () => {
    const about = '<p>Words about lamps and the rooms that they stand in.</p>'.repeat(80)
    const other = (lamp: Lamp) =>
      lampPage(lamp).replace('</dl>', '</dl><dl><dt>Maker</dt><dd class="maker">Other House</dd></dl>')
    let isOther = false
    const seen: string[] = []
    const reader: Reply = ({ prompt }) => {
      seen.push(prompt)
      const found = Object.values(lamps).find(({ maker }) => prompt.includes(maker))
      return { value: (found && prompt.includes('Aurora') ? found : { maker: found?.maker ?? null }) as Json }
    }
    const page = (lamp: Lamp) => (isOther ? other(lamp) : lampPage(lamp)).replace('</main>', `${about}</main>`)
    const { llm, read } = shop({ page, replies: [reader] })
    await read('aurora')
    isOther = true
    const { json } = await read('luna')
    expect(json).toEqual(lamps['luna'])
    expect(llm.questions).toHaveLength(2)
    expect(seen[1]).toContain('Berg & Son')
    expect(seen[1]!.length).toBeLessThan(seen[0]!.length / 2)
  })

  test('shows the model the whole page when the parts of it do not have the value', async () => {
    const about = '<p>Words about lamps and the rooms that they stand in.</p>'.repeat(80)
    const moved = (lamp: Lamp) =>
      lampPage({ ...lamp, maker: 'House of Lamps' })
        .replace('</dl>', '</dl><dl><dt>Maker</dt><dd class="maker">Other House</dd></dl>')
        .replace('</main>', `${about}<p>Made by ${lamp.maker}.</p></main>`)
    let isMoved = false
    const reader: Reply = ({ prompt }) => {
      const found = Object.values(lamps).find(({ maker }) => prompt.includes(maker))
      return { value: (prompt.includes('Aurora') ? found : found ? { maker: found.maker } : {}) as Json }
    }
    const page = (lamp: Lamp) => (isMoved ? moved(lamp) : lampPage(lamp))
    const { llm, read } = shop({ page, replies: [reader] })
    await read('aurora')
    isMoved = true
    expect((await read('luna')).json).toEqual(lamps['luna'])
    expect(llm.questions.map(({ prompt }) => prompt.includes('Berg & Son'))).toEqual([false, false, true])
  })

  test('learns nothing from a request with zeroDataRetention', async () => {
    const { engine, llm, read } = shop()
    await read('aurora', { zeroDataRetention: true })
    await read('luna', { zeroDataRetention: true })
    expect(llm.questions).toHaveLength(2)
    expect(await engine.extractors.list({ team: 'a' })).toEqual([])
  })

  test('knows nothing of what another team has learned', async () => {
    const { engine, llm, read } = shop()
    await read('aurora', { team: 'a' })
    await read('luna', { team: 'b' })
    expect(llm.questions).toHaveLength(2)
    const [mine] = await engine.extractors.list({ team: 'a' })
    await expect(engine.extractors.get(mine!.id, { team: 'c' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await engine.extractors.list({ team: 'c' })).toEqual([])
  })

  test('keeps what it has learned in the store of the engine', async () => {
    const store = memoryStore()
    await shop({ store }).read('aurora')
    const { llm, read } = shop({ store })
    expect((await read('luna')).json).toEqual(lamps['luna'])
    expect(llm.questions).toEqual([])
  })
})

describe('a lesson', () => {
  test('teaches from an example, without any model', async () => {
    const { llm, read } = shop()
    const taught = await read('aurora', { formats: [{ type: 'lesson', schema, answer: lamps['aurora'] }] })
    expect(taught.lesson).toEqual({
      extractor: 'lamps.test.1',
      learned: ['/name', '/maker', '/worth'],
      notLearned: [],
    })
    expect((await read('stella')).json).toEqual(lamps['stella'])
    expect(llm.questions).toEqual([])
  })

  test('teaches nothing in a request with zeroDataRetention, and says so', async () => {
    const { engine, read } = shop()
    const formats = [{ type: 'lesson', schema, answer: lamps['aurora'] }]
    const { lesson, warning } = await read('aurora', { formats, zeroDataRetention: true })
    expect(lesson).toMatchObject({ extractor: null })
    expect(warning).toContain('teaches nothing')
    expect(await engine.extractors.list({ team: 'a' })).toEqual([])
  })

  test('says which values the page does not show', async () => {
    const { read } = shop()
    const answer = { ...lamps['aurora'], maker: 'Unnamed Studio' }
    const { lesson } = await read('aurora', { formats: [{ type: 'lesson', schema, answer }] })
    expect(lesson).toMatchObject({ learned: ['/name', '/worth'], notLearned: ['/maker'] })
  })
})

describe('engine.extractors', () => {
  test('lists, shows, edits and deletes what a team has learned', async () => {
    const { engine, llm, read } = shop()
    await read('aurora')
    const call = { team: 'a' }
    const [first] = await engine.extractors.list(call)
    expect(first).toMatchObject({ id: 'lamps.test.1', host: 'lamps.test', revision: 1, program: { path: '/lamps/*' } })
    const { program } = first!
    const byClass = program.fields['/maker']!.alternatives.filter(({ by }) => by === 'class' || by === 'label')
    const edited = {
      ...program,
      fields: { ...program.fields, '/maker': { ...program.fields['/maker']!, alternatives: byClass } },
    }
    expect(await engine.extractors.edit(first!.id, { program: edited }, call)).toMatchObject({
      revision: 2,
      program: edited,
    })
    expect((await read('luna')).json).toEqual(lamps['luna'])
    expect(llm.questions).toHaveLength(1)
    await engine.extractors.delete(first!.id, call)
    await expect(engine.extractors.get(first!.id, call)).rejects.toMatchObject({ code: 'not_found' })
    await read('stella')
    expect(llm.questions).toHaveLength(2)
  })

  test('refuses what is no program, and names the field', async () => {
    const { engine, read } = shop()
    await read('aurora')
    const [first] = await engine.extractors.list({ team: 'a' })
    const broken = { program: { ...first!.program, pages: 'many' as never } }
    await expect(engine.extractors.edit(first!.id, broken, { team: 'a' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('pages'),
    })
  })
})

describe('deterministicJson', () => {
  const formats = [{ type: 'deterministicJson', schema }]

  test('fills json, for ten credits where the model is asked and for three where the values are known', async () => {
    const { llm, read } = shop()
    for (const name of ['aurora', 'luna', 'stella']) {
      const document = await read(name, { formats })
      expect(document['json']).toEqual(lamps[name])
      expect(document.metadata.creditsUsed).toBe(name === 'aurora' ? 10 : 3)
    }
    expect(llm.questions).toHaveLength(1)
  })

  test('knows what json has learned', async () => {
    const { llm, read } = shop()
    await read('aurora')
    expect(await read('luna', { formats })).toMatchObject({ json: lamps['luna'], metadata: { creditsUsed: 3 } })
    expect(llm.questions).toHaveLength(1)
  })

  test('is refused beside json, which fills the same field', async () => {
    const { read } = shop()
    const both = read('aurora', { formats: [{ type: 'json', schema }, ...formats] })
    await expect(both).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('both fill json'),
    })
  })

  test('gives a warning instead of a value where nothing may be kept', async () => {
    const { llm, read } = shop()
    const document = await read('aurora', { formats, zeroDataRetention: true })
    expect(document).not.toHaveProperty('json')
    expect(document['warning']).toContain('zeroDataRetention')
    expect(llm.questions).toHaveLength(0)
  })
})

describe('The versions of an extractor', () => {
  test('are its last programs, the newest first, and go with it', async () => {
    const { engine, read } = shop()
    await read('aurora')
    const [extractor] = await engine.extractors.list({ team: 'a' })
    const { id, program } = extractor!
    await engine.extractors.edit(id, { program: { ...program, path: '/other/*' } }, { team: 'a' })
    const versions = await engine.extractors.versions(id, { team: 'a' })
    expect(versions.map(({ revision, program: { path } }) => [revision, path])).toEqual([
      [2, '/other/*'],
      [1, program.path],
    ])
    await engine.extractors.delete(id, { team: 'a' })
    await expect(engine.extractors.versions(id, { team: 'a' })).rejects.toMatchObject({ code: 'not_found' })
    await read('luna')
    expect(await engine.extractors.versions(id, { team: 'a' })).toHaveLength(1)
  })

  test('are not more than ten', async () => {
    const { engine, read } = shop()
    await read('aurora')
    const [extractor] = await engine.extractors.list({ team: 'a' })
    const { id, program } = extractor!
    for (let edits = 0; edits < 12; edits += 1) await engine.extractors.edit(id, { program }, { team: 'a' })
    const versions = await engine.extractors.versions(id, { team: 'a' })
    expect(versions.map(({ revision }) => revision)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4])
  })
})
