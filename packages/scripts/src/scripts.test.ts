import { createEngine } from '@harvestman/core'
import { definePort } from '@harvestman/core/plugin'
import { engineErrorOf } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { ScriptBrowsers } from './browsers.ts'
import { scriptsOf } from './scripts.ts'

const browsers = definePort<ScriptBrowsers>({
  name: 'live',
  description: 'live browsers',
  remedy: 'Add live browsers to plugins.',
})

const script = {
  version: 1 as const,
  hosts: ['shop.test'],
  start: 'https://shop.test/',
  parameters: {},
  steps: [{ action: 'goto' as const, value: 'https://shop.test/', expects: {} }],
}

test('A script is not kept when no step uses one of its parameters, or a step types one that it does not have', async () => {
  await using engine = createEngine({ plugins: [scriptsOf(browsers)] })
  const parameters = { city: { type: 'text' as const } }
  const unused = await engineErrorOf(engine.scripts.save({ name: 'order', script: { ...script, parameters } }))
  expect([unused.code, unused.message]).toEqual(['invalid_request', expect.stringMatching(/parameter "city".*ignored/)])
  const start = 'https://shop.test/{{town}}'
  const unknown = await engineErrorOf(engine.scripts.save({ name: 'order', script: { ...script, start } }))
  expect([unknown.code, unknown.message]).toEqual(['invalid_request', expect.stringContaining('{{town}}')])
  await engine.scripts.save({ name: 'order', script: { ...script, start: 'https://shop.test/{{city}}', parameters } })
  expect(await engine.scripts.list()).toHaveLength(1)
})

test('what is done in a live browser that is there needs the scope of live browsers, too', async () => {
  await using engine = createEngine({ plugins: [scriptsOf(browsers)] })
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
