// @module-tag browser
// Live browsers that are recorded, and replayed with the network shut.
import type { EndpointFile } from '@harvestman/core/plugin'
import { createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { createEngine, type Engine } from '@harvestman/core'
import { live, type Live, type LiveSession } from '@harvestman/live'
import { puppeteerSessions } from '@harvestman/puppeteer'
import { answer, answerJson, scriptedLLM, startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { recording, records, replay } from '../src/index.ts'
import { here, makeFolder } from './bench.ts'

const folder = makeFolder()
let counted = 0
let site: Site
beforeAll(async () => {
  const page = `<!doctype html><title>Shop</title><h1>Lamps</h1><ul></ul><button>More</button><script>
    const more = async () => {
      const lamps = await (await fetch('/lamps')).json()
      document.querySelector('ul').innerHTML += '<li>' + lamps[0] + '</li>'
      document.title = document.querySelectorAll('li').length + ' lamps'
    }
    document.querySelector('button').onclick = more
    more()
  </script>`
  site = await startSite({
    routes: [
      { path: '/shop', about: 'a shop', handle: (visit) => answer(visit, 'text/html', page) },
      { path: '/lamps', about: 'another lamp each time', handle: (visit) => answerJson(visit, [`Lamp ${++counted}`]) },
    ],
  })
})
afterAll(async () => {
  await site.close()
  folder.clean()
})

const model = () => scriptedLLM([{ value: 'There are two lamps.' }])

/** Opens the shop, asks for a second lamp, has a model look at it, and gives what is there. */
async function visit(session: LiveSession): Promise<unknown> {
  await session.act({ type: 'goto', url: `${site.url}/shop` })
  await expect.poll(async () => (await session.snapshot()).title, { timeout: 60_000 }).toBe('1 lamps')
  const ref = /button "More".*\[ref=(\w+)\]/.exec((await session.snapshot()).text)?.[1] ?? ''
  await session.act({ type: 'click', ref })
  await expect.poll(async () => (await session.snapshot()).title, { timeout: 60_000 }).toBe('2 lamps')
  const { answer: said } = await session.ask('How many lamps are there?', { timeout: 60_000 })
  return { said, text: (await session.snapshot()).text }
}

async function replayed(file: string): Promise<unknown> {
  const plugins = [live({ sessions: puppeteerSessions() })] as const
  await using engine = await replay(file, { engine: { allowPrivate: here, plugins } })
  await using session = await engine.live.open()
  return await visit(session)
}

/** The part of an engine that returns records. */
interface Saving {
  readonly records: { get(id: string, call?: { readonly team?: string | undefined }): Promise<EndpointFile> }
}

async function save({ records: kept }: Saving, id: string): Promise<string> {
  const file = folder.file(`${id}.warc.gz`)
  await pipeline(Readable.from((await kept.get(id)).bytes), createWriteStream(file))
  return file
}

test(
  'a live browser is recorded under its id, with the questions to the model, and is replayed',
  { tags: ['long'] },
  async () => {
    // The order of the plugins says nothing.
    const plugins = [records(), live({ sessions: puppeteerSessions() })] as const
    await using engine = createEngine({ allowPrivate: here, llm: model(), plugins })
    const session = await engine.live.open({ record: true })
    const recorded = await visit(session)
    await session.stop()
    const file = await save(engine, session.id)
    const before = counted
    expect(await replayed(file)).toEqual(recorded)
    expect(counted).toBe(before)
  },
)

test('a live browser of an engine that records everything is in its record', { tags: ['long'] }, async () => {
  const file = folder.file('all.warc.gz')
  const plugins = [live({ sessions: puppeteerSessions() }), recording({ file })] as const
  const engine: Engine & { readonly live: Live } = createEngine({ allowPrivate: here, llm: model(), plugins })
  const session = await engine.live.open()
  const recorded = await visit(session)
  await session.stop()
  await engine.close()
  // It is written when the record is closed.
  expect(existsSync(folder.file('all.cdxj'))).toBe(true)
  const before = counted
  expect(await replayed(file)).toEqual(recorded)
  expect(counted).toBe(before)
})

test('a live browser is not opened for a record that nothing would keep', async () => {
  const plugins = [live({ sessions: puppeteerSessions() })] as const
  await using engine = createEngine({ allowPrivate: here, plugins })
  await expect(engine.live.open({ record: true })).rejects.toMatchObject({ code: 'not_configured' })
  expect(await engine.live.list()).toEqual([])
})
