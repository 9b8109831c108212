import { createEngine } from '@harvestman/core'
import { definePlugin } from '@harvestman/core/plugin'
import { hosting } from '@harvestman/hosting'
import { startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())
const allowPrivate = ['127.0.0.0/8', '::1/128']
const team = 'acme'

describe('the activity', () => {
  test('lists what was asked for, what was refused and why, each under the id that finds it', async () => {
    await using engine = createEngine({ allowPrivate, plugins: [hosting()] })
    const { metadata } = await engine.scrape({ url: `${site.url}/` }, { team, keep: true, apiVersion: 'v2', key: 'k' })
    const batch = await engine.batch({ urls: [`${site.url}/`] }, { team })
    await batch.end()
    await expect(engine.unchecked.scrape({ url: 'nothing' }, { team })).rejects.toThrow()
    engine.activity.note({ id: 'none', team, endpoint: 'crawl', refused: 'rate_limited' })
    const { data } = await engine.activity.list({}, { team })
    expect(data.map(({ endpoint, refused }) => `${endpoint} ${refused ?? 'begun'}`).toSorted()).toEqual([
      'batch_scrape begun',
      'crawl rate_limited',
      'scrape begun',
      'scrape invalid_request',
    ])
    const scrape = data.find(({ endpoint, refused }) => endpoint === 'scrape' && !refused)
    expect(scrape).toMatchObject({ id: metadata.scrapeId, target: `${site.url}/`, api_version: 'v2', key: 'k' })
    expect((await engine.results.find(scrape!.id, { team })).metadata.scrapeId).toBe(scrape!.id)
    expect((await engine.jobs.find(batch.id, { team })).id).toBe(batch.id)
    expect((await engine.activity.list({}, { team: 'other' })).data).toEqual([])
  })

  test('has no passwords of addresses, and nothing of what must leave nothing', async () => {
    await using engine = createEngine({ allowPrivate, plugins: [hosting()] })
    const url = site.url.replace('http://', 'http://me:secret@')
    await engine.scrape({ url: `${url}/` }, { team }).catch(() => undefined)
    await engine.scrape({ url: `${site.url}/`, zeroDataRetention: true }, { team })
    const { data } = await engine.activity.list({}, { team })
    expect(data).toHaveLength(1)
    expect(JSON.stringify(data)).not.toContain('secret')
  })
})

test('files that were sent go when there are more than fit in memory, and a file that went is asked for again', async () => {
  await using engine = createEngine({ keep: { storeBytes: 100_000 }, plugins: [hosting()] })
  const places: string[] = []
  for (let number = 0; number < 5; number += 1) {
    const { id } = await engine.uploads.open({ name: `${number}.txt` }, 'team')
    await engine.uploads.put(id, new Uint8Array(40_000))
    places.push(id)
  }
  await expect(engine.uploads.read(places[0]!, 'team')).rejects.toMatchObject({ code: 'invalid_request' })
  expect((await engine.uploads.read(places.at(-1)!, 'team')).bytes).toHaveLength(40_000)
})

test('two engines of one plugin do not know of each other', async () => {
  const plugin = hosting()
  await using one = createEngine({ plugins: [plugin] })
  await using other = createEngine({ plugins: [plugin] })
  await one.teams.create({ id: team, limits: { browsers: 1 } })
  expect(await other.teams.list()).toEqual([])
  expect(await other.admit({ group: 'scrape' }, { team })).toEqual({})
  expect((await one.admit({ group: 'scrape' }, { team })).limits).toEqual({ browsers: 1 })
})

test('what is no option is refused by its name, and so are its gate without its features', () => {
  // Cast: as a program without types would ask.
  expect(() => hosting({ uploadByte: 1 } as object)).toThrow(/uploadByte/)
  const { gates } = hosting()
  expect(() => createEngine({ plugins: [definePlugin({ name: 'half', gates })] })).toThrow(/feature teams/)
})
