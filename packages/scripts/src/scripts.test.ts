import { createEngine } from '@harvestman/core'
import { engineErrorOf } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { scripts } from './scripts.ts'

const script = {
  version: 1 as const,
  hosts: ['shop.test'],
  start: 'https://shop.test/',
  parameters: {},
  steps: [{ action: 'goto' as const, value: 'https://shop.test/', expects: {} }],
}

test('what is done in a live browser that is there needs the scope of live browsers, too', async () => {
  await using engine = createEngine({ plugins: [scripts()] })
  await engine.scripts.save({ name: 'order', script })
  const ways = [
    (call: object) => engine.scripts.run('order', { session: 's' }, call),
    (call: object) => engine.scripts.record({ session: 's' }, call),
    (call: object) => engine.scripts.save({ name: 'other', session: 's' }, call),
  ]
  for (const ask of ways) {
    const { code, message } = await engineErrorOf(ask({ scopes: { groups: ['scripts'] } }))
    expect([code, message]).toEqual(['scope_missing', expect.stringContaining('interact')])
    // Let in, it asks for what this engine does not have.
    for (const call of [{}, { scopes: { groups: ['scripts', 'interact'] } }])
      expect((await engineErrorOf(ask(call))).code).toBe('not_configured')
  }
})
