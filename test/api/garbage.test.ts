// Schema-aware garbage over all endpoints: never a fault of ours, a hang, a stack or a path of this machine in an answer.
// HARVESTMAN_GARBAGE is how many requests are sent, HARVESTMAN_SEED what they are made from.
import { EngineError } from '@harvestman/core'
import { fakeBrowser, scriptedLLM, scriptedSearch } from '@harvestman/testing'
import { answers } from '@harvestman/answers'
import { routesOf, type Route } from '@harvestman/http'
import { ownFeatures } from '@harvestman/node/own-features'
import { expect, test } from 'vitest'

import { openHouse } from './bench.ts'
import { makeGarbage, randomFrom, type Garbage, type JsonSchema } from './garbage.ts'

const routes = routesOf(answers.jobs, ownFeatures)

const count = Number(process.env['HARVESTMAN_GARBAGE'] ?? 600)
const seed = Number(process.env['HARVESTMAN_SEED'] ?? Date.now() % 1_000_000)
const timeout = 60_000
const atOnce = 8

const house = openHouse('key-one', {
  browser: fakeBrowser({ pages: {} }),
  llm: scriptedLLM([{ value: { a: 1 } }]),
  search: scriptedSearch({ web: [{ url: 'https://a.test/', title: 'A' }], news: new Error('broken') }),
  // No name leads anywhere, so that nothing leaves this machine.
  resolver: async () => {
    throw new EngineError('dns_failed', 'There is no such host.')
  },
})

interface Operation {
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: JsonSchema } } }
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
}

interface Asked {
  readonly route: Route
  readonly path: string
  readonly init: RequestInit & { readonly body?: string }
}

/** Failures of pages, of models and of what this server was not given are not ours. */
const theirs = /^(?:SCRAPE_|MAP_|SEARCH_|MODEL_|LLM_|BROWSER_|NOT_CONFIGURED|NOT_SUPPORTED|URL_BLOCKED)/
const leaks =
  /\/tmp\/|node_modules|file:\/\/\/|\.ts:\d|\n\s+at |at async|\bZodError\b|\bTypeError\b|\bundefined is not\b/

function make(route: Route, operation: Operation, garbage: Garbage, ids: readonly string[]): Asked {
  const { pick, chance, body } = garbage
  const filled = route.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(chance(0.8) ? pick(ids) : pick(badIds)))
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query' && chance(0.5))
  const search = new URLSearchParams(
    query.map(({ name }): [string, string] => [name, pick(['', '-1', '1', 'x', '%00', 'NaN'])]),
  )
  const schema = operation.requestBody?.content['application/json']?.schema
  const headers = { authorization: 'Bearer key-one', 'content-type': 'application/json' }
  const text = schema && (chance(0.02) ? pick(['', '[', '"', 'null', '{"url":']) : JSON.stringify(body(schema)))
  return {
    route,
    path: `${filled}?${search.toString()}`,
    init: { method: route.method, headers, ...(text !== undefined && { body: text }) },
  }
}

const offered = routes.filter(({ unsupported }) => unsupported === undefined)
const badIds = ['none', '..', '00000000-0000-0000-0000-00000000000g', '%', '💣', '__proto__']

test(
  `${count} requests of garbage (seed ${seed}) are each answered, and no answer shows our inside`,
  { timeout: 3_600_000, tags: ['long'] },
  async () => {
    const description = (await (await fetch(`${house.server.url}/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    }
    const urls = ['/good/article', '/good/docs', '/status/404', '/bytes/random'].map(house.at)
    const garbage = makeGarbage(
      randomFrom(seed),
      [...urls, 'http://none.test/', 'ftp://a.test', 'http://10.0.0.1', 'x'],
      description,
    )
    const ids: string[] = [crypto.randomUUID()]
    const wrong: object[] = []
    const seen = new Map<number, number>()

    const send = async (): Promise<void> => {
      const route = garbage.pick(garbage.chance(0.05) ? routes : offered)
      const operation = description.paths[route.path]?.[route.method.toLowerCase()] ?? {}
      const { path, init } = make(route, operation, garbage, ids)
      const about = { method: route.method, path, body: (init.body ?? '').slice(0, 500) }
      try {
        const response = await fetch(house.server.url + path, { ...init, signal: AbortSignal.timeout(timeout) })
        // A stream has no end of its own.
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
        const text = isStream ? '' : await response.text()
        if (isStream) await response.body?.cancel()
        const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
        seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
        const { code = '', id } = (isJson ? JSON.parse(text) : {}) as { code?: string; id?: string }
        if (id !== undefined && ids.length < 50) ids.push(id)
        const isOurs = response.status >= 500 && !theirs.test(code)
        const isLeak = response.status >= 400 && leaks.test(text)
        if (isOurs || isLeak) wrong.push({ ...about, status: response.status, text: text.slice(0, 500) })
      } catch (error) {
        wrong.push({ ...about, error: String(error) })
      }
    }
    let left = count
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await send()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    console.log(
      `seed ${seed}: ${[...seen]
        .toSorted(([one], [other]) => one - other)
        .map(([status, times]) => `${status} × ${times}`)
        .join(', ')}`,
    )
    expect(wrong).toEqual([])
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 404]))
  },
)
