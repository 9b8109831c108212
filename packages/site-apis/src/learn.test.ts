import { EngineError } from '@harvestman/ports'
import { expect, test } from 'vitest'

import type { Exchange } from './exchanges.ts'
import { runHere } from './fixtures/run-here.ts'
import { learnRecipe } from './learn.ts'
import type { Work } from './work.ts'

const names = ['Amber lamp', 'Basalt lamp']
const exchange = (url: string, type: string, text: string): Exchange => ({
  ...{ method: 'GET', url, headers: new Map(), sent: undefined },
  ...{ status: 200, received: new Map([['content-type', type]]), text },
})
const page = exchange('https://a.example/lamps', 'text/html', '<ul></ul>')
const api = exchange('https://a.example/api', 'application/json', JSON.stringify(names.map((name) => ({ name }))))

function learn(work: Work) {
  return learnRecipe({
    ...{ url: new URL(page.url), exchanges: [page, api], shown: names.join('\n'), cookies: '', repeatPosts: false },
    makeSender: () => ({
      send: async () => ({ status: 200, headers: new Map(), text: api.text }),
      cookie: () => undefined,
      count: () => 1,
    }),
    work,
  })
}

test('a recipe is learned from the response with the list', async () => {
  const { learned, refused } = await learn(runHere)
  expect(refused).toEqual([])
  expect(learned?.recipe.request).toMatchObject({ method: 'GET', url: api.url })
})

test.each(['findLists', 'draftsOf', 'readPage', 'countShown'])(
  'when %s takes too much time, learning is refused with the reason',
  async (slow) => {
    const message = 'The responses could not be read within 10 ms.'
    const { learned, refused } = await learn(async (name, input) => {
      if (name === slow) throw new EngineError('page_too_complex', message)
      return await runHere(name, input)
    })
    expect(learned).toBeUndefined()
    expect(refused).toMatchObject([{ reason: expect.stringContaining(message) }])
  },
)
