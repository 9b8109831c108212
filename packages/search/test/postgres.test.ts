// @module-tag long
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite/vector'
import { createEngine } from '@harvestman/core'
import type { EngineEvent } from '@harvestman/ports'
import { engineErrorOf, searchContract, withoutCases } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { pageIndex } from '../src/index.ts'
import { indexContract } from './index-contract.ts'
import { hashed, put, urlsOf } from './postgres-pages.ts'

const postgres = new PGlite({ extensions: { vector } })
beforeAll(async () => postgres.waitReady, 120_000)
afterAll(() => postgres.close())

let schemas = 0
const newPlace = () => {
  schemas += 1
  return { postgres, schema: `index_${schemas}` }
}

indexContract(newPlace)

describe('an index in Postgres keeps the contract of the port', () => {
  const silent = 'a search that is silent rejects with the reason of the signal as soon as it is aborted'
  for (const { name, run } of withoutCases(searchContract, { [silent]: 'Postgres in the test answers at once' }))
    test(name, () =>
      run(async ({ pages }) => {
        const index = pageIndex(newPlace())
        if (pages === 'silence') throw new Error('not asked for')
        for (const { url, title, description = '' } of pages) await put(index, url, { title, markdown: description })
        return index
      }),
    )
})

describe('an index in Postgres', () => {
  test('does not return pages of another team', async () => {
    const index = pageIndex(newPlace())
    await put(index, 'https://a.example/', { markdown: 'A secret of ants.' })
    for (const team of ['b', 'A', 'a ', 'a\0', "a' OR 1=1"])
      expect(await urlsOf(index, 'secret ants', team)).toEqual([])
    expect(await urlsOf(index, 'secret ants')).toEqual(['https://a.example/'])
  })

  test('has the pages that another process has put into it', async () => {
    const place = newPlace()
    const [one, other] = [pageIndex(place), pageIndex(place)]
    await put(one, 'https://a.example/', { markdown: 'A lamp.' })
    await urlsOf(one, 'lamp')
    expect(await urlsOf(other, 'lamp')).toEqual(['https://a.example/'])
  })

  test('deletes the oldest pages beyond its limits, and pages that have expired', async () => {
    const index = pageIndex({ ...newPlace(), pages: 2, life: 1_000_000 })
    const now = Date.now()
    for (const [number, at] of [now - 2_000_000, now - 3, now - 2, now - 1].entries())
      await put(index, `https://a.example/${number}`, { markdown: 'A lamp.', at })
    expect((await urlsOf(index, 'lamp')).toSorted()).toEqual(['https://a.example/2', 'https://a.example/3'])
  })

  test('stores any characters, and long URLs', async () => {
    const index = pageIndex(newPlace())
    const url = `https://a.example/${'long/'.repeat(800)}`
    await put(index, url, { title: 'A\0B', markdown: 'Lamp \0 \uD800 東京の天気 café' })
    for (const words of ['lamp', 'cafe', '天気', '天', '"東京の"']) expect(await urlsOf(index, words)).toEqual([url])
  })

  test('ranks rare words above common ones', async () => {
    const index = pageIndex(newPlace())
    for (let number = 0; number < 20; number += 1)
      await put(index, `https://a.example/${number}`, { markdown: 'lamp lamp lamp lamp' })
    await put(index, 'https://a.example/rare', { markdown: 'One violet thing that is here. '.repeat(3) })
    expect((await urlsOf(index, 'lamp violet'))[0]).toBe('https://a.example/rare')
  })

  test('removes a page, or all pages of a team', async () => {
    const index = pageIndex(newPlace())
    const urls = ['https://a.example/1', 'https://a.example/2']
    for (const url of urls) await put(index, url, { markdown: 'A lamp.' })
    await index.forget({ team: 'a', url: urls[0] })
    expect(await urlsOf(index, 'lamp')).toEqual([urls[1]])
    await index.forget({ team: 'a' })
    expect(await urlsOf(index, 'lamp')).toEqual([])
  })

  test('rejects with search_unavailable while Postgres fails', async () => {
    const broken = { query: () => Promise.reject(new Error('connect ECONNREFUSED')) }
    const error = await engineErrorOf(urlsOf(pageIndex({ postgres: broken }), 'lamp'))
    expect(error.code).toBe('search_unavailable')
  })

  test('refuses the name of a schema that is not plain', () => {
    expect(() => pageIndex({ postgres, schema: 'x; DROP TABLE y' })).toThrow('not a valid name')
  })
})

test('without the extension, an index finds pages by their words, and warns', async () => {
  const plain = new PGlite()
  const embedded: string[] = []
  const embeddings = hashed(embedded)
  const index = pageIndex({ postgres: plain, embeddings })
  const warnings: string[] = []
  const observer = (event: EngineEvent): void => {
    if (event.kind === 'warning') warnings.push(event.message)
  }
  const engine = createEngine({ search: index, plugins: [index.plugin], observer })
  await put(index, 'https://a.example/', { markdown: 'A lamp.' })
  await engine.search({ query: 'warm-up' }, { team: 'a' })
  expect(await urlsOf(index, 'lamp')).toEqual(['https://a.example/'])
  await index.embedded('a')
  expect(embedded).not.toContain('A lamp.')
  expect(warnings.join()).toMatch(/no extension vector.*Install pgvector/)
  await engine.close()
  await plain.close()
})
