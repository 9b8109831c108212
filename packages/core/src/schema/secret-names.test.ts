import { memoryStore } from '@harvestman/embedded'
import type { Store, Value } from '@harvestman/ports'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { createEngine } from '../index.ts'
import { defineFormat, defineLoader, definePlugin } from '../plugin.ts'
import { secretNames } from './secret-names.ts'

test('names of secret options are found at any depth, behind wrappers and names of schemas', () => {
  const named = z.record(z.string(), z.string()).meta({ id: 'NamesOfSecrets', secret: true })
  const schema = z.object({
    deep: z.array(z.object({ pin: z.string().meta({ secret: true }).optional(), other: z.string() })),
    shared: named.default({}),
    either: z.union([z.object({ code: z.string().meta({ secret: true }) }), z.string()]),
  })
  expect([...secretNames([schema])].toSorted()).toEqual(['code', 'pin', 'shared'])
})

test('what a plugin declares secret is encrypted in the records of a job, and given to the plugin in clear', async () => {
  const given: unknown[] = []
  const loader = defineLoader({
    name: 'pages',
    cost: 0,
    load: ({ url }) =>
      Promise.resolve({
        ...{ url: url.href, status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>Hi') },
        ...{ captured: {}, actions: {}, proxyUsed: 'basic' as const, warnings: [] },
      }),
  })
  const format = defineFormat({
    type: 'signed',
    options: z.object({ pin: z.string().meta({ secret: true }), label: z.string() }),
    needs: {},
    derive: (_, { options }) => {
      given.push(options)
      return 'done'
    },
  })
  const written: string[] = []
  const note = <Kept extends Value | undefined>(value: Kept): Kept => {
    if (value !== undefined)
      written.push(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value))
    return value
  }
  const kept = memoryStore()
  const store: Store = {
    ...kept,
    set: (key, value, options) => kept.set(key, note(value), options),
    update: (key, change, options) => kept.update(key, (old) => note(change(old)), options),
  }
  const engine = createEngine({
    store,
    plugins: [definePlugin({ name: 'signs', loaders: [loader], formats: [format] })],
  })
  const formats = [{ type: 'signed' as const, pin: 'mark-pin', label: 'mark-label' }]
  const job = await engine.batch({ urls: ['https://a.example/'], formats })
  await job.end()
  await engine.close()
  expect(given).toMatchObject([{ pin: 'mark-pin', label: 'mark-label' }])
  expect(written.join('\n')).toContain('mark-label')
  expect(written.join('\n')).not.toContain('mark-pin')
})
