import fc from 'fast-check'
import { expect, test } from 'vitest'

import { configTemplate } from './config-template.ts'
import { readConfig } from './config.ts'
import { withoutComments } from './jsonc.ts'

test('Comments and last commas are taken away, and nothing else is', () => {
  const text = '{ // one\n "a": "// no, \\" this stays,]", /* two\n lines */ "b": [1, 2, ], }'
  expect(JSON.parse(withoutComments(text))).toEqual({ a: '// no, " this stays,]', b: [1, 2] })
  expect(withoutComments(text)).toHaveLength(text.length)
})

test('Any JSON stays what it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 1)
      expect(withoutComments(text)).toBe(text)
    }),
  )
})

test('The file that init writes changes nothing as it is, nor with every comment taken off', () => {
  const usual = readConfig({}).config
  const template = configTemplate()
  const read = (text: string) => readConfig({ file: { name: 'harvestman.jsonc', text } }).config
  expect(read(template)).toEqual(usual)
  const all = template.replaceAll(/^ {2}\/\/ (".*)$/gm, '  $1')
  expect(all).not.toBe(template)
  // Those that have no default are given one there.
  const withoutThose = (config: typeof usual): typeof usual => ({
    ...config,
    credits: undefined,
    limits: { ...config.limits, teamConcurrency: undefined },
    keep: { ...config.keep, filesFrom: undefined },
  })
  expect(withoutThose(read(all))).toEqual(withoutThose(usual))
})
