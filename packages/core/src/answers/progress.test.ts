import { expect, test } from 'vitest'
import { z } from 'zod'

import { createEngine } from '../engine/engine.ts'
import { defineJob, definePlugin } from '../plugin.ts'

function countingJob() {
  let computed = 0
  const count = defineJob({
    kind: 'count',
    description: 'Counts.',
    request: z.object({ words: z.string(), scrapeOptions: z.object({ zeroDataRetention: z.boolean() }).optional() }),
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
  return { count, computed: () => computed, plugins: [definePlugin({ name: 'count', jobs: [count] })] }
}

test('the progress of a job that has ended is computed once, and is the same in each status', async () => {
  const { count, computed, plugins } = countingJob()
  await using engine = createEngine({ plugins })
  const job = await engine.start(count, { words: 'a b' })
  const ended = await job.end()
  const before = computed()
  expect(ended).toMatchObject({ status: 'completed', data: 2, steps: ['counted'] })
  expect(await job.status()).toEqual(ended)
  expect(await (await engine.find(count, job.id)).status()).toEqual(ended)
  expect(computed()).toBe(before)
})

test('the progress of a job that stores nothing is not kept, whichever option says so', async () => {
  const { count, computed, plugins } = countingJob()
  await using engine = createEngine({ plugins })
  const job = await engine.start(count, { words: 'a b', scrapeOptions: { zeroDataRetention: true } })
  await job.end()
  const before = computed()
  await job.status()
  expect(computed()).toBe(before + 1)
})
