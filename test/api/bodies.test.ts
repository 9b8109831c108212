// Every endpoint with a JSON body, from the table of routes: what is no object and what has an unknown key is refused.
import { answers } from '@harvestman/answers'
import { createEngine, type Engine } from '@harvestman/core'
import { hosting } from '@harvestman/hosting'
import { createApi, routesOf, type ApiEngine, type Route } from '@harvestman/http'
import { ownFeatures } from '@harvestman/node/own-features'
import { live } from '@harvestman/live'
import { sessionReplay } from '@harvestman/session-replay'
import { fakeBrowser, scriptedLLM, scriptedSearch } from '@harvestman/testing'
import { afterAll, describe, expect, test } from 'vitest'

import { servedPlugins } from './served-plugins.ts'
import { z } from 'zod'

const routes = routesOf([...answers.jobs], ownFeatures)
const adminKey = 'operator-key'

const engine = createEngine({
  browser: fakeBrowser({ pages: {} }),
  llm: scriptedLLM([]),
  search: scriptedSearch({}),
  plugins: [answers, hosting(), live(), ...servedPlugins(), sessionReplay()],
}) satisfies Engine
/** Rows are checked as if all ports were there: no request of this test may get past its body. */
const served: ApiEngine = {
  ...engine,
  capabilities: () => ({ ...engine.capabilities(), ports: [...new Set(routes.flatMap(({ needs }) => needs))] }),
}
const api = createApi(served, { adminKey })
afterAll(() => engine.close())

const takingJson = routes.filter(({ input, unsupported }) => input !== undefined && unsupported === undefined)

const ids = ['00000000-0000-4000-8000-00000000dead', 'name', '1', 'default']

function pathOf({ path, params = {} }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const type = params[name]
    return (type && ids.find((id) => type.safeParse(id).success)) ?? ids[0] ?? ''
  })
}

async function send(route: Route, body: unknown) {
  const text = JSON.stringify(body)
  const headers = {
    ...(!route.takesFile && { 'content-type': 'application/json' }),
    ...(route.isAdmin && { authorization: `Bearer ${adminKey}` }),
  }
  const init = { method: route.method, headers, body: route.takesFile ? formOf(text) : text }
  const response = await api(new Request(`http://localhost${pathOf(route)}`, init))
  return { status: response.status, text: await response.text() }
}

function formOf(options: string): FormData {
  const form = new FormData()
  form.append('file', new Blob(['<p>text</p>'], { type: 'text/html' }), 'page.html')
  form.append('options', options)
  return form
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** A body with this text, or with the fixed message of endpoints whose errors have no details in the public API. */
function saying(text: string, { words }: Route): unknown {
  return expect.stringContaining(words?.plain?.invalid_request ?? text)
}

test('There are many endpoints with a body', () => expect(takingJson.length).toBeGreaterThan(40))

describe('A JSON body that is not an object is refused by every endpoint', () => {
  test.each(takingJson.map((route) => [nameOf(route), route] as const))('%s', async (_, route) => {
    for (const body of [null, [], [{}], 'x', 1, true]) {
      const { status, text } = await send(route, body)
      expect([body, status, text]).toEqual([body, 400, saying('must be an object', route)])
    }
  })
})

describe('An unknown key is refused with its name by every endpoint', () => {
  test.each(takingJson.map((route) => [nameOf(route), route] as const))('%s', async (_, route) => {
    const { example = {} } = route
    const { status, text } = await send(route, { ...example, secretz: 'x' })
    expect([status, text]).toEqual([400, saying('secretz', route)])
  })

  test.each(takingJson.map((route) => [nameOf(route), route] as const))(
    '%s: no object within its body drops keys',
    (_, route) => {
      expect(droppingIn(route.input?.(engine.schemas))).toEqual([])
    },
  )
})

/** Paths of the objects of a schema that neither refuse nor keep an unknown key. */
function droppingIn(schema: unknown, path = '', seen = new Set<unknown>()): string[] {
  if (!(schema instanceof z.ZodType) || seen.has(schema)) return []
  seen.add(schema)
  const inner = (part: unknown, name: string): string[] => droppingIn(part, `${path}${name}`, seen)
  if (schema instanceof z.ZodObject) {
    const own = schema.def.catchall === undefined ? [path === '' ? '(the body)' : path] : []
    return [...own, ...Object.entries(schema.shape).flatMap(([name, part]) => inner(part, `.${name}`))]
  }
  if (schema instanceof z.ZodPipe) return inner(schema.in, '')
  if (schema instanceof z.ZodArray) return inner(schema.element, '[]')
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((part) => inner(part, '|'))
  if (schema instanceof z.ZodRecord) return inner(schema.valueType, '.*')
  if (schema instanceof z.ZodLazy) return inner(schema.def.getter(), '')
  if (schema instanceof z.ZodIntersection) return [...inner(schema.def.left, '&'), ...inner(schema.def.right, '&')]
  return 'innerType' in schema.def ? inner(schema.def.innerType, '') : []
}
