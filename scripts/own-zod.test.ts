import { expect, test } from 'vitest'

import { usedOfZod, zodOf } from './own-zod.ts'

test('of zod the engine publishes what the sources name, without its languages', () => {
  const used = usedOfZod()
  expect(used).toEqual(expect.arrayContaining(['object', 'string', 'toJSONSchema', 'ZodObject']))
  for (const whole of ['locales', 'core', 'z', 'default']) expect(used).not.toContain(whole)
})

test('a package that needs the engine takes zod from it, the engine its own file, others zod itself', () => {
  const engine = '@harvestman/core'
  expect(zodOf({ name: '@harvestman/data', dependencies: { [engine]: '1.0.0' } })).toBe('@harvestman/core/zod')
  expect(zodOf({ name: '@harvestman/http', peerDependencies: { [engine]: '^1.0.0' } })).toBe('@harvestman/core/zod')
  expect(zodOf({ name: engine })).toMatch(/packages.core.src.zod\.ts$/)
  expect(zodOf({ name: '@harvestman/tools', dependencies: { zod: '4.6.7' } })).toBe('zod')
})
