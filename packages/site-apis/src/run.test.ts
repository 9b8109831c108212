import { EngineError } from '@harvestman/ports'
import { expect, test } from 'vitest'

import type { Recipe } from './recipe.ts'
import { tryRecipe } from './run.ts'
import { runHere } from './fixtures/run-here.ts'

const recipe: Recipe = {
  ...{ version: 1, page: 'https://a.example/lamps', parameters: [], visitsPage: false, tokens: [], schema: {} },
  request: { method: 'GET', url: 'https://a.example/api', query: [], headers: {} },
  items: { in: 'json', path: [], fields: ['name'] },
}
const senderOf = (send: () => Promise<never>) => ({ send, cookie: () => undefined, count: () => 0 })

test.each([
  [200, undefined],
  [404, undefined],
  [403, undefined],
  [408, true],
  [429, true],
  [500, true],
  [503, true],
])('a page or an origin of a token with status %i fails temporarily: %s', async (status, isTemporary) => {
  const send = async () => ({ status, headers: new Map(), text: '' })
  const sender = { send, cookie: () => undefined, count: () => 0 }
  const from = { in: 'response' as const, url: 'https://a.example/session', before: 'token', after: '"' }
  for (const one of [recipe, { ...recipe, visitsPage: true }, { ...recipe, tokens: [{ name: 'token1', from }] }]) {
    const run = await tryRecipe(one, new URL(recipe.page), 1, { sender, work: runHere })
    expect('failure' in run && run.isTemporary).toBe(isTemporary)
  }
})

test.each([
  ['connection_failed', true],
  ['dns_failed', true],
  ['page_too_complex', undefined],
  ['robots_denied', undefined],
] as const)('the error %s is temporary: %s', async (code, isTemporary) => {
  const sender = senderOf(() => Promise.reject(new EngineError(code, 'no')))
  const run = await tryRecipe(recipe, new URL(recipe.page), 1, { sender, work: runHere })
  expect('failure' in run && run.isTemporary).toBe(isTemporary)
})

test('the pages before one that the host does not send are returned with the reason', async () => {
  const pages = [JSON.stringify([{ name: 'Amber lamp' }])]
  const send = async () => {
    const text = pages.shift()
    if (text === undefined) throw new EngineError('connection_failed', 'The host closed the connection.')
    return { status: 200, headers: new Map(), text }
  }
  const paged: Recipe = {
    ...recipe,
    request: { ...recipe.request, query: [['page', '1']] },
    paging: { by: 'number', at: { in: 'query', path: ['page'] }, step: 1 },
  }
  const kit = { sender: { send, cookie: () => undefined, count: () => 0 }, work: runHere }
  expect(await tryRecipe(paged, new URL(recipe.page), 3, kit)).toEqual({
    ...{ items: [{ name: 'Amber lamp' }], pages: 1 },
    incomplete: 'Page 2: The host closed the connection.',
  })
})

test('details of errors of the server are not part of the reason of a failure', async () => {
  const sender = senderOf(() => Promise.reject(new EngineError('internal', 'secret host db-1')))
  const run = await tryRecipe(recipe, new URL(recipe.page), 1, { sender, work: runHere })
  expect(run).toEqual({ failure: 'An unexpected error occurred.' })
})
