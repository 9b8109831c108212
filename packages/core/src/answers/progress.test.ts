import { expect, test } from 'vitest'
import { z } from 'zod'

import { createEngine } from '../engine/engine.ts'
import { defineJob, definePlugin } from '../plugin.ts'

test('the progress of a job that has ended is computed once, and is the same in each status', async () => {
  let computed = 0
  const count = defineJob({
    kind: 'count',
    description: 'Counts.',
    request: z.object({ words: z.string() }),
    answer: z.number(),
    example: { words: 'a b' },
    about: 'words',
    price: () => ({ min: 0, max: 0, reasons: [] }),
    progress: {
      schema: z.object({ steps: z.array(z.string()) }),
      of: (kept) => {
        computed += 1
        // Cast: the steps that `run` keeps.
        return { steps: kept.map(({ step }) => step as string) }
      },
    },
    run: async ({ words }: { readonly words: string }, work) => {
      await work.keep('counted')
      return words.split(' ').length
    },
  })
  await using engine = createEngine({ plugins: [definePlugin({ name: 'count', jobs: [count] })] })
  const job = await engine.start(count, { words: 'a b' })
  const ended = await job.end()
  const before = computed
  expect(ended).toMatchObject({ status: 'completed', data: 2, steps: ['counted'] })
  expect(await job.status()).toEqual(ended)
  expect(await (await engine.find(count, job.id)).status()).toEqual(ended)
  expect(computed).toBe(before)
})
