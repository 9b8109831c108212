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

test('details of errors of the server are not part of the reason of a failure', async () => {
  const sender = senderOf(() => Promise.reject(new EngineError('internal', 'secret host db-1')))
  const run = await tryRecipe(recipe, new URL(recipe.page), 1, { sender, work: runHere })
  expect(run).toEqual({ failure: 'An unexpected error occurred.' })
})
